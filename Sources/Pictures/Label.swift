package import Frost
import Panes
package import Raster

/// Text to be drawn: in any script, in lines that newlines end, each in its own direction.
package struct Label: Equatable, Sendable {
  package let text: String
  package let font: Font
  package let color: Color

  /// Blank space in the end is left out: what is in the centre must look so.
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

  /// A picture of it, as high as its lines and as wide as the longest, and wider or higher where ink
  /// reaches beyond them.
  package func drawn(scale: Double) throws(PictureError) -> DrawnLabel {
    try checkLines(scale: scale)
    let layout = TextLayout(text, font.description(scale: scale))
    let (ink, logical) = layout.extents
    // Characters that show nothing, as a joiner by itself.
    if ink.isEmpty { throw .emptyText }
    let place = ink.hull(logical)
    guard Canvas.canBe(width: place.width, height: place.height) else {
      throw .largeText(width: place.width, height: place.height)
    }
    var canvas = try Canvas(width: place.width, height: place.height)
    layout.draw(place, in: color, on: &canvas)
    return DrawnLabel(picture: canvas.bitmap(), missingCount: layout.missingCount)
  }

  /// Pango counts in 1024ths of a pixel, in 32 bits, and its sums wrap around. So lines whose letters are
  /// an em wide for each of their bytes, or that are an em high, must not come near that.
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

package struct DrawnLabel: Sendable {
  package let picture: Bitmap
  /// Characters that no font has, and that boxes stand for.
  package let missingCount: Int
}
