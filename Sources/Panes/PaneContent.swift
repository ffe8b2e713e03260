package import Frost
package import Raster

/// Something that a pane holds, as a user declares it, and what it looks like.
package struct PaneContent: Equatable, Sendable {
  /// What the picture was made from. It is told again, and never opened here.
  package enum Source: Equatable, Sendable {
    /// A PNG file.
    case image(path: String)
    /// A text, in a font as Pango describes it.
    case label(text: String, font: String)
  }

  package var source: Source
  package var place: ContentPlace
  /// Nil: it has its own colours.
  package var vibrancy: Vibrancy?
  /// Premultiplied BGRA.
  package var picture: Bitmap

  package init(source: Source, place: ContentPlace, vibrancy: Vibrancy?, picture: Bitmap) {
    self.source = source
    self.place = place
    self.vibrancy = vibrancy
    self.picture = picture
  }

  /// How many a pane may hold.
  package static let countLimit = 16
  /// What a picture may measure.
  package static let sideRange = 1...32767
  /// Of all pictures of a pane together: 64 MiB.
  package static let pixelLimit = 1 << 24
  /// Of all texts of a pane together, in bytes: a path may have 4096, and `list` tells all of them.
  package static let textLimit = 8192
}

extension PaneContent {
  /// Checks what a pane is to hold.
  package static func check(_ contents: [PaneContent]) throws(PaneError) {
    try check(sizes: contents.map { ($0.picture.width, $0.picture.height) })
    try check(contents.map(\.source))
  }

  /// Checks the sizes of its pictures, which need not be there yet.
  package static func check(sizes: [(width: Int, height: Int)]) throws(PaneError) {
    guard sizes.count <= countLimit else {
      throw .outOfRange(
        setting: "content", text: "\(sizes.count) images and labels",
        expected: "at most \(countLimit)")
    }
    for (width, height) in sizes
    where !sideRange.contains(width) || !sideRange.contains(height) {
      throw .outOfRange(
        setting: "content", text: "a picture of \(width)x\(height)",
        expected: "pictures from 1x1 to 32767x32767")
    }
    let count = sizes.reduce(0) { $0 + $1.width * $1.height }
    guard count <= pixelLimit else {
      throw .outOfRange(
        setting: "content", text: "\(count) pixels in all",
        expected: "at most \(pixelLimit), as many as 4096x4096 has")
    }
  }

  /// Checks its texts.
  package static func check(_ sources: [Source]) throws(PaneError) {
    let count = sources.reduce(0) { count, source in
      switch source {
      case .image(let path): count + path.utf8.count
      case .label(let text, let font): count + text.utf8.count + font.utf8.count
      }
    }
    guard count <= textLimit else {
      throw .outOfRange(
        setting: "content", text: "\(count) bytes of paths, labels and fonts",
        expected: "at most \(textLimit)")
    }
  }
}

extension PaneContent: CustomStringConvertible {
  /// For logs, which are not to hold its pixels.
  package var description: String {
    let style = vibrancy?.rawValue ?? "plain"
    return "\(source), \(picture.width)x\(picture.height) at \(place.text), \(style)"
  }
}
