/// Why a text or a picture cannot be drawn.
package enum PictureError: Error, Equatable, Sendable {
  case emptyText
  /// In bytes.
  case longText(Int, limit: Int)
  /// Text that would need a picture beyond all bounds; its size, where that can be known at all.
  case largeText(width: Int, height: Int)
  case unreadableFont(String)
  /// In points, or in pixels.
  case fontSize(String)
  case unknownFont(String, nearest: [String])
  case noFonts
  case largePicture(width: Int, height: Int)
  case noMemory(width: Int, height: Int)
}

extension PictureError: CustomStringConvertible {
  /// One line: what is wrong, and what would be right.
  package var description: String {
    switch self {
    case .emptyText:
      "label: the text is empty; give some to be read"
    case .longText(let count, let limit):
      "label: a text of \(count) bytes is too long; at most \(limit) can be drawn"
    case .largeText(let width, let height):
      "label: the text takes \(width)x\(height) pixels; at most \(Canvas.limits) can be drawn: "
        + "make it shorter, or its font smaller"
    case .unreadableFont(let text):
      "font: cannot read '\(text)'; it takes a family, a style and a size, as 'Sans Bold 24'"
    case .fontSize(let size):
      "font: a size of \(size) is out of range; it takes 1 to 1000 points"
    case .unknownFont(let name, let nearest):
      nearest.isEmpty
        ? "font: there is no font family '\(name)'; 'fc-list : family' lists all"
        : "font: there is no font family '\(name)'; did you mean \(nearest.joined(separator: ", "))?"
    case .noFonts:
      "font: there are no fonts on this machine; install some, as the package fonts-dejavu-core"
    case .largePicture(let width, let height):
      "the picture takes \(width)x\(height) pixels on this output; at most \(Canvas.limits) can be "
        + "drawn"
    case .noMemory(let width, let height):
      "there is no memory for a picture of \(width)x\(height) pixels"
    }
  }
}
