/// A pane in a file that a user wrote. Its images and labels are not drawn yet.
package struct DeclaredPane: Equatable, Sendable {
  /// The pane without content.
  package let pane: Pane
  /// The content; nil if the file has none for it.
  package let contents: [DeclaredContent]?

  /// `pane` must have no content. `contents` is nil if the file has none for it.
  package init(_ pane: Pane, contents: [DeclaredContent]?) {
    self.pane = pane
    self.contents = contents
  }
}

/// An image or a label in a file that a user wrote, in the syntax of the command line.
package struct DeclaredContent: Equatable, Sendable {
  /// The path of a PNG file; nil for a label.
  package let image: String?
  /// The text of a label; nil for an image.
  package let label: String?
  /// The given values of attributes, by the names of the attributes.
  package let attributes: [String: String]

  /// Either `image` or `label` is nil.
  package init(image: String?, label: String?, attributes: [String: String]) {
    (self.image, self.label) = (image, label)
    self.attributes = attributes
  }

  /// The names of the attributes of an image or a label.
  package static func attributeNames(ofLabel isLabel: Bool) -> [String] {
    ["at", "vibrancy"] + (isLabel ? ["font", "color", "wrap", "ellipsize"] : [])
  }
}
