import Frost
import Panes
import Pictures
import Raster

/// Paints all named materials over one picture, or over a desktop with a document, a terminal and a landscape if it is
/// nil: rows of tiles, each a piece of the picture with a pane in its centre, text on the glass, and the name of the
/// material below.
func materialSheet(over picture: Bitmap?) throws(PictureError) -> Bitmap {
  let tile = Rect(x: 0, y: 0, width: 420, height: 280)
  let view = Rect(x: 0, y: 0, width: 420, height: 240)
  let pane = Rect(x: 40, y: 40, width: 340, height: 160)
  let columns = 3
  let names = NamedMaterial.all
  let rows = (names.count + columns - 1) / columns
  let background =
    if let picture { picture } else { try desktop(width: view.width, height: view.height) }
  // Every tile has the same piece, from the centre of the picture.
  let piece = background.piece(
    Rect(
      x: (background.width - view.width) / 2, y: (background.height - view.height) / 2,
      width: view.width, height: view.height))
  let contents = try sample().flatMap { $0.placed(on: (pane.width, pane.height)) }
  let style = DecorationStyle(
    corner: Corner(radius: 24, curve: .continuous),
    shadow: Shadow(offsetX: 0, offsetY: 6, radius: 24, color: Color(white: 0, alpha: 0.3)))
  var sheet = Bitmap(
    width: columns * tile.width, height: rows * tile.height, filledWith: 0xFF14_161C)
  for (i, named) in names.enumerated() {
    let (x, y) = (i % columns * tile.width, i / columns * tile.height)
    let painted = PaintedPane(material: named.sample, style: style, contents: contents)
      .painted(on: piece, isOpaque: true, pane)
    sheet.put(painted, x: x, y: y)
    try sheet.write(
      named.name, "Sans Bold 13", Color(white: 1), x: x + tile.width / 2, y: y + view.height + 9)
  }
  return sheet
}

/// A title, and a line of fainter text.
private func sample() throws(PictureError) -> [PaneContent] {
  var contents: [PaneContent] = []
  for (text, font, place, vibrancy) in [
    ("Notification", "Sans Bold 20", 28, Vibrancy.label),
    ("with text that is easy to read", "Sans 13", 68, .secondary),
  ] {
    let drawn = try Label(text, Font(parsing: font)).drawn(scale: 1)
    contents.append(
      PaneContent(
        source: .label(text: text, font: font),
        place: ContentPlace(x: .fromStart(28), y: .fromStart(place)), vibrancy: vibrancy,
        picture: drawn.picture))
  }
  return contents
}

/// A third each: a white page with black text, a landscape, and a terminal with coloured text.
private func desktop(width: Int, height: Int) throws(PictureError) -> Bitmap {
  var desktop = landscape(width: width, height: height)
  let third = width / 3
  let page = Bitmap(width: third, height: height, filledWith: 0xFFFC_FCFA)
  let terminal = Bitmap(width: width - 2 * third, height: height, filledWith: 0xFF10_1420)
  desktop.put(page, x: 0, y: 0)
  desktop.put(terminal, x: 2 * third, y: 0)
  let words = "the quick brown fox jumps over the lazy dog and runs on".split(separator: " ")
  let colors = [0x7DFFB2, 0xFFD166, 0x8ECAFF, 0xFF7AA2, 0xD7DAF0].map { Color(hex: $0) }
  for line in 0..<height / 16 {
    let text = (0..<3).map { words[(3 * line + $0) % words.count] }.joined(separator: " ")
    let y = 16 * line
    try desktop.write(text, "Serif 9", Color(white: 0.1), x: third / 2, y: y)
    try desktop.write(
      text, "Monospace 8", colors[line % colors.count], x: width - terminal.width / 2, y: y)
  }
  return desktop
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

  /// Draws a line of text with its top centre at (x, y).
  fileprivate mutating func write(
    _ text: String, _ font: String, _ color: Color, x: Int, y: Int
  ) throws(PictureError) {
    let picture = try Label(text, Font(parsing: font), color: color).drawn(scale: 1).picture
    let line = Content(picture, x: x - picture.width / 2, y: y, vibrancy: nil)
    let bounds = bounds
    var span = pixels.mutableSpan
    ContentState(Contents([line])).draw(bounds, of: bounds, over: &span, PixelLayout(bounds))
  }
}
