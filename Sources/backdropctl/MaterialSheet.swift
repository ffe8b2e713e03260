import Frost
import Panes
import Pictures
import Raster

/// Paints all named materials over one picture, or over a colour card if it is nil: rows of tiles,
/// each a piece of the picture with a pane in its centre, text on the glass, and the name of the
/// material below.
func materialSheet(over picture: Bitmap?) throws(PictureError) -> Bitmap {
  let tile = Rect(x: 0, y: 0, width: 360, height: 260)
  let pane = Rect(x: 40, y: 30, width: 280, height: 170)
  let columns = 4
  let names = NamedMaterial.all
  let rows = (names.count + columns - 1) / columns
  let sample = try sampleText()
  let background = picture ?? colorCard(width: tile.width, height: tile.height)
  var sheet = Bitmap(
    width: columns * tile.width, height: rows * tile.height, filledWith: 0xFF18_1818)
  for (i, named) in names.enumerated() {
    let origin = (x: i % columns * tile.width, y: i / columns * tile.height)
    // Every tile has the same piece, from the centre of the picture.
    var piece = background.piece(
      Rect(
        x: (background.width - tile.width) / 2, y: (background.height - tile.height) / 2,
        width: tile.width, height: tile.height))
    let style = DecorationStyle(corner: Corner(radius: 24, curve: .continuous))
    let contents = sample.placed(on: (pane.width, pane.height))
    piece = PaintedPane(material: named.sample, style: style, contents: contents)
      .painted(on: piece, isOpaque: true, pane)
    try piece.write(named.name, x: tile.width / 2, y: tile.height - 30)
    sheet.put(piece, x: origin.x, y: origin.y)
  }
  return sheet
}

/// A vibrant label; with Latin letters only if no font has Han characters.
private func sampleText() throws(PictureError) -> PaneContent {
  var drawn = try Label("通知センター Aa", Font(parsing: "Sans Bold 18")).drawn(scale: 1)
  if drawn.missingCount > 0 {
    drawn = try Label("Notifications Aa", Font(parsing: "Sans Bold 18")).drawn(scale: 1)
  }
  return PaneContent(
    source: .label(text: "", font: ""), place: .center, vibrancy: .label, picture: drawn.picture)
}

/// A picture of all hues from left to right, from white at the top to black at the bottom, with
/// stripes whose hard edges show the blur.
private func colorCard(width: Int, height: Int) -> Bitmap {
  var card = Bitmap(width: width, height: height)
  for y in 0..<height {
    for x in 0..<width {
      let hue = 6 * Double(x) / Double(width)
      let isStripe = (x + y) / 30 % 4 == 0
      let lightness = isStripe ? 0.5 : 1 - Double(y) / Double(height)
      card[x, y] = 0xFF00_0000 | color(hue: hue, lightness: lightness)
    }
  }
  return card
}

/// The colour 0xRRGGBB of a hue, 0 to 6, and a lightness, 0 (black) to 0.5 (pure) to 1 (white).
private func color(hue: Double, lightness: Double) -> UInt32 {
  let pure = [abs(hue - 3) - 1, 2 - abs(hue - 2), 2 - abs(hue - 4)].map { min(max($0, 0), 1) }
  return pure.reduce(0) { color, channel in
    let value = channel + (lightness - 0.5) * 2 * (lightness > 0.5 ? 1 - channel : channel)
    return color << 8 | UInt32((255 * value).rounded())
  }
}

extension Bitmap {
  /// A part of the picture; black beyond its edges.
  fileprivate func piece(_ rect: Rect) -> Bitmap {
    var piece = Bitmap(width: rect.width, height: rect.height, filledWith: 0xFF00_0000)
    let inside = rect.intersection(bounds)
    for y in inside.rows {
      for x in inside.columns { piece[x - rect.x, y - rect.y] = self[x, y] | 0xFF00_0000 }
    }
    return piece
  }

  /// Copies another picture, which must fit, to (x, y).
  fileprivate mutating func put(_ other: Bitmap, x: Int, y: Int) {
    for row in 0..<other.height {
      for column in 0..<other.width { self[x + column, y + row] = other[column, row] }
    }
  }

  /// Draws white text with a dark shadow, with its top centre at (x, y).
  fileprivate mutating func write(_ text: String, x: Int, y: Int) throws(PictureError) {
    let font = try Font(parsing: "Sans 13")
    var lines: [Content] = []
    for (offset, white) in [(1, 0.0), (0, 1)] {
      let picture = try Label(text, font, color: Color(white: white)).drawn(scale: 1).picture
      lines.append(
        Content(picture, x: x - picture.width / 2 + offset, y: y + offset, vibrancy: nil))
    }
    let bounds = bounds
    var span = pixels.mutableSpan
    ContentState(Contents(lines)).draw(bounds, of: bounds, over: &span, PixelLayout(bounds))
  }
}
