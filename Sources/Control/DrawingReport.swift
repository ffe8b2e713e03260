package import Panes

/// The content of a pane for one of its sizes and scales.
package struct DrawingReport: Codable, Equatable, Sendable {
  /// The name of the pane.
  package var name: String
  /// The scale of its output, and the number of pixels of its unit of length.
  package var scale, unit: Double
  /// The size of the pane in pixels.
  package var width, height: Int
  /// Its images and labels, with the sizes of their pictures at present.
  package var content: [ContentReport]

  /// The content of a pane of the size and the scale of `target`.
  package init(name: String, target: ContentTarget, contents: [PaneContent]) {
    self.name = name
    (scale, unit) = (target.scale, target.unit)
    (width, height) = (target.width, target.height)
    content = contents.map { ContentReport($0) }
  }

  /// The declared contents, without pixels. Throws a `RequestError`.
  package func declarations() throws(RequestError) -> [PaneContent.Declaration] {
    var declarations: [PaneContent.Declaration] = []
    for report in content { declarations.append(try report.contentWithoutPixels().declaration) }
    return declarations
  }

  package var target: ContentTarget {
    ContentTarget(scale: scale, unit: unit, width: width, height: height)
  }
}
