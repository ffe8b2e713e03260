package import Frost
import Panes
package import Raster
import Synchronization

/// A text to be drawn, in any script. Newlines separate lines; each line has its own writing
/// direction.
package struct Label: Equatable, Sendable {
  /// The text without white space at its end.
  package let text: String
  /// The font.
  package let font: Font
  /// The colour; glyphs with colours of their own keep them.
  package let color: Color

  /// Removes white space at the end, so that a centred label looks centred. Throws `longText` or
  /// `emptyText`.
  package init(_ text: String, _ font: Font, color: Color = Color(white: 1)) throws(PictureError) {
    guard text.utf8.count <= PaneContent.textLimit else {
      throw .longText(text.utf8.count, limit: PaneContent.textLimit)
    }
    let end = text.lastIndex { !$0.isWhitespace }
    guard let end else { throw .emptyText }
    self.text = String(text[...end])
    self.font = font
    self.color = color
  }

  /// Draws the text for an output with the scale `scale`. The picture has the height of the lines
  /// and the width of the longest one, and includes glyphs that extend beyond these. Throws
  /// `emptyText` if nothing is visible, `largeText` or `noMemory`.
  package func drawn(scale: Double) throws(PictureError) -> DrawnLabel {
    try checkLines(scale: scale)
    return try Self.drawing.withLock { _ throws(PictureError) in try laidOut(scale: scale) }
  }

  /// Cairo uses one FreeType library in all threads, and FreeType crashes if two threads open fonts of one
  /// library at the same time.
  private static let drawing = Mutex(())

  private func laidOut(scale: Double) throws(PictureError) -> DrawnLabel {
    let layout = TextLayout(text, font.description(scale: scale))
    let (ink, logical) = layout.extents
    // The text has invisible characters only, such as a joiner.
    if ink.isEmpty { throw .emptyText }
    let place = ink.hull(logical)
    guard Canvas.isAllowed(width: place.width, height: place.height) else {
      throw .largeText(width: place.width, height: place.height)
    }
    var canvas = try Canvas(width: place.width, height: place.height)
    layout.draw(place, in: color, on: &canvas)
    return DrawnLabel(picture: canvas.bitmap(), missingCount: layout.missingCount)
  }

  /// Throws `largeText` if the text could overflow Pango's coordinates, which are 32-bit numbers of
  /// 1/1024 pixel. Assumes that each byte is one em wide and each line one em high.
  private func checkLines(scale: Double) throws(PictureError) {
    let em = font.pixels * scale
    let longest = text.utf8.split(separator: UInt8(ascii: "\n")).map(\.count).max() ?? 0
    let width = Double(longest) * em
    let height = Double(text.count { $0.isNewline } + 1) * em
    if max(width, height) > Double(1 << 18) {
      throw .largeText(width: Int(width), height: Int(height))
    }
  }
}

/// The picture of a label.
package struct DrawnLabel: Sendable {
  /// Premultiplied BGRA.
  package let picture: Bitmap
  /// The number of characters that no font has. They are drawn as boxes.
  package let missingCount: Int
}
