package import Frost
package import Panes
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
  /// How a text that is too large for its pane is fitted.
  package let fit: TextFit
  /// Whether its lines are centred; otherwise they start where their script starts.
  package let isCentered: Bool

  /// Removes control sequences and control characters, and white space at the end, so that a centred label looks centred. Throws
  /// `longText` or `emptyText`.
  package init(
    _ text: String, _ font: Font, color: Color = Color(white: 1), fit: TextFit = TextFit(),
    isCentered: Bool = false
  ) throws(PictureError) {
    let text = text.withoutControls
    guard text.utf8.count <= PaneContent.textLimit else {
      throw .longText(text.utf8.count, limit: PaneContent.textLimit)
    }
    let end = text.lastIndex { !$0.isWhitespace }
    guard let end else { throw .emptyText }
    self.text = String(text[...end])
    self.font = font
    self.color = color
    self.fit = fit
    self.isCentered = isCentered
  }

  /// Draws the text for an output with the scale `scale`. The picture has the height of the lines
  /// and the width of the longest one, and includes glyphs that extend beyond these. Nil as `room` means any size.
  /// `separatesEmoji` draws glyphs with colours of their own to another picture. Throws
  /// `emptyText` if nothing is visible, `largeText` or `noMemory`.
  package func drawn(
    scale: Double, in room: (width: Int, height: Int)? = nil, separatesEmoji: Bool = false
  ) throws(PictureError) -> DrawnLabel {
    try checkLines(scale: scale)
    return try Self.drawing.withLock { _ throws(PictureError) in
      let layout = TextLayout(text, font.description(scale: scale))
      if isCentered { layout.centerLines() }
      let sizes = room.map { layout.shrink(to: $0, fit) } ?? .any
      return try drawn(layout, for: sizes, separatesEmoji: separatesEmoji)
    }
  }

  /// Cairo uses one FreeType library in all threads, and FreeType crashes if two threads open fonts of one
  /// library at the same time.
  private static let drawing = Mutex(())

  private func drawn(
    _ layout: borrowing TextLayout, for sizes: DrawingScope.Sizes, separatesEmoji: Bool
  ) throws(PictureError) -> DrawnLabel {
    let (ink, logical) = layout.extents
    // The text has invisible characters only, such as a joiner.
    if ink.isEmpty { throw .emptyText }
    let place = ink.hull(logical)
    guard Canvas.isAllowed(width: place.width, height: place.height) else {
      throw .largeText(width: place.width, height: place.height)
    }
    func picture(_ color: Color) throws(PictureError) -> Bitmap {
      var canvas = try Canvas(width: place.width, height: place.height)
      layout.draw(place, in: color, on: &canvas)
      return canvas.bitmap()
    }
    if !separatesEmoji {
      return DrawnLabel(
        picture: try picture(color), sizes: sizes, missingCount: layout.missingCount)
    }
    let parts = separated(
      white: try picture(Color(white: 1)), black: try picture(Color(white: 0)))
    return DrawnLabel(
      picture: parts.text, emoji: parts.emoji, sizes: sizes, missingCount: layout.missingCount)
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

/// Separates the white glyphs of a text from those with colours of their own. Only the white glyphs differ between the text drawn
/// in white and in black; the difference is their coverage. The second picture is nil if there is no glyph with colours of its
/// own.
private func separated(white: Bitmap, black: Bitmap) -> (text: Bitmap, emoji: Bitmap?) {
  var (text, emoji) = (white, black)
  for (i, pixel) in white.pixels.enumerated() {
    let coverage = (pixel >> 8 & 255) - (black.pixels[i] >> 8 & 255)
    text.pixels[i] = coverage * 0x0101_0101
    emoji.pixels[i] -= coverage << 24
  }
  return (text, emoji.pixels.allSatisfy { $0 == 0 } ? nil : emoji)
}

/// The picture of a label.
package struct DrawnLabel: Sendable {
  /// Premultiplied BGRA.
  package let picture: Bitmap
  /// The glyphs with colours of their own, if they were separated and if there are any. Premultiplied BGRA.
  package var emoji: Bitmap?
  /// The sizes of the room for which the picture is right.
  package let sizes: DrawingScope.Sizes
  /// The number of characters that no font has. They are drawn as boxes.
  package let missingCount: Int
}
