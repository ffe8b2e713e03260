/// The reason why a text or a picture cannot be drawn.
package enum PictureError: Error, Equatable, Sendable {
  /// The text is empty or has no visible characters.
  case emptyText
  /// The length of the text and its limit, in bytes.
  case longText(Int, limit: Int)
  /// The text needs a picture above the limits; its size in pixels, or an estimate.
  case largeText(width: Int, height: Int)
  /// The text is not a font description.
  case unreadableFont(String)
  /// The size is out of range. It is in points unless it names pixels.
  case fontSize(String)
  /// The family is not installed.
  case unknownFont(String, nearest: [String])
  /// No font is installed.
  case noFonts
  /// The scaled picture is above the limits; its size in pixels.
  case largePicture(width: Int, height: Int)
  /// Cairo could not allocate the pixels.
  case noMemory(width: Int, height: Int)
}

extension PictureError: CustomStringConvertible {
  /// One line that names the error and the correction.
  package var description: String {
    switch self {
    case .emptyText:
      "label: the text is empty or has no visible characters; --content none removes content"
    case .longText(let count, let limit):
      "label: a text of \(count) bytes is too long; at most \(limit) can be drawn"
    case .largeText(let width, let height):
      "label: the text needs \(width)x\(height) pixels; at most \(Canvas.limits) can be drawn: "
        + "make it shorter, or its font smaller"
    case .unreadableFont(let text):
      "font: cannot read '\(text)'; it takes a family, a style and a size, such as 'Sans Bold 24'"
    case .fontSize(let size):
      "font: a size of \(size) is out of range; it takes 1 to 1000 points"
    case .unknownFont(let name, let nearest):
      nearest.isEmpty
        ? "font: there is no font family '\(name)'; 'fc-list : family' lists all"
        : "font: there is no font family '\(name)'; did you mean \(nearest.joined(separator: ", "))?"
    case .noFonts:
      "font: no fonts are installed; install some, such as the package fonts-dejavu-core"
    case .largePicture(let width, let height):
      "the picture needs \(width)x\(height) pixels on this output; at most \(Canvas.limits) can be "
        + "drawn"
    case .noMemory(let width, let height):
      "there is not enough memory for a picture of \(width)x\(height) pixels"
    }
  }
}
