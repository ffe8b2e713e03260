package import Raster

/// One item of a pane's content: an image or a text, drawn over the glass. `Contents` holds all
/// items of a pane.
///
/// Each pixel of the result depends on the pixel and the veil below it only. So drawing an item part by part, in
/// any order, equals drawing it at once.
package struct Content: Sendable {
  /// The bounding box of the covered pixels of its picture, from the pane's top left corner.
  private(set) var box: Rect
  private let kind: Kind

  /// The pixels of `box`, row by row.
  private enum Kind {
    /// Premultiplied BGRA.
    case picture([UInt32])
    /// The opacities of a fill or a line in white or black, as `Weight`s.
    case shape([UInt16])
    /// The coverages of a text that contrasts with the glass, as `Weight`s.
    case text([UInt16], Ink)
  }

  /// `picture` is premultiplied BGRA; (x, y) is the position of its first pixel, from the pane's
  /// top left corner. Pixels outside the pane are not drawn. With a vibrancy only the alpha of the
  /// picture is used; nil draws the picture itself.
  package init(_ picture: Bitmap, x: Int, y: Int, vibrancy: Vibrancy?) {
    let covered = picture.covered
    box = covered.translated(x: x, y: y)
    let pixels = picture.pixels(of: covered)
    guard let vibrancy, !covered.isEmpty else {
      kind = .picture(pixels)
      return
    }
    let weights = pixels.map { Weight.rounded(Double($0 >> 24) / 255 * vibrancy.opacity) }
    kind = if let ink = vibrancy.ink { .text(weights, ink) } else { .shape(weights) }
  }

  /// The item at another place: (x, y) is added to its position.
  package func moved(x: Int, y: Int) -> Content {
    var moved = self
    moved.box = box.isEmpty ? box : box.translated(x: x, y: y)
    return moved
  }

  /// All pixels that it may change, within the pane. `pane` and the result are in the coordinates of the output.
  package func bounds(of pane: Rect) -> Rect {
    box.isEmpty ? .zero : box.translated(x: pane.x, y: pane.y).intersection(pane)
  }

  /// Whether its colour depends on the glass.
  var isVibrant: Bool {
    if case .picture = kind { false } else { true }
  }

  /// The ink of a text.
  var ink: Ink? {
    if case .text(_, let ink) = kind { ink } else { nil }
  }

  /// Its pixel at a position from the pane's top left corner, premultiplied BGRA; clear outside the box and for
  /// vibrant items.
  subscript(x: Int, y: Int) -> UInt32 {
    guard case .picture(let pixels) = kind, box.contains(x: x, y: y) else { return 0 }
    return pixels[(y - box.y) * box.width + x - box.x]
  }

  // MARK: Draw

  /// Draws the part `target` of the item, below a veil if one is given. Pixels are premultiplied BGRA; all rectangles
  /// are in the coordinates of the output.
  func draw(
    _ target: Rect, of pane: Rect, _ polarity: Polarity, below veil: Veil?,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    let target = target.intersection(bounds(of: pane))
    if target.isEmpty { return }
    precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
    let own = PixelLayout(box.translated(x: pane.x, y: pane.y))
    let columns = target.x - pane.x..<target.maxX - pane.x
    for y in target.rows {
      let (from, to) = (own.index(x: target.x, y: y), layout.index(x: target.x, y: y))
      let veil = veil?.weights(of: columns, row: y - pane.y) ?? []
      switch kind {
      case .picture(let picture):
        drawRow(picture.span, from, columns.count, veil.span, polarity, over: &pixels, to)
      case .shape(let weights):
        drawRow(weights.span, from, columns.count, veil.span, polarity, over: &pixels, to)
      case .text(let weights, let ink):
        drawRow(weights.span, from, columns.count, ink, polarity, over: &pixels, to)
      }
    }
  }
}

extension Bitmap {
  /// The bounding box of all pixels whose alpha is not 0; `.zero` if there are none.
  fileprivate var covered: Rect {
    var hull = Rect.zero
    for y in 0..<height {
      let row = pixels[y * width..<(y + 1) * width]
      guard let first = row.firstIndex(where: { $0 >> 24 != 0 }),
        let last = row.lastIndex(where: { $0 >> 24 != 0 })
      else { continue }
      hull = hull.hull(Rect(x: first - y * width, y: y, width: last - first + 1, height: 1))
    }
    return hull
  }

  /// The pixels of a part, row by row.
  fileprivate func pixels(of part: Rect) -> [UInt32] {
    if part == bounds { return pixels }
    return part.rows.flatMap { y in pixels[y * width + part.x..<y * width + part.maxX] }
  }
}

// MARK: Rows

// Each function draws `count` pixels: `from` is the index in the memory of the item, `to` the index in `pixels`. `veil` holds the
// weights of the veil over these pixels, or nothing.

@_lifetime(pixels: copy pixels)
private func drawRow(
  _ picture: Span<UInt32>, _ from: Int, _ count: Int, _ veil: Span<UInt16>,
  _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  if veil.isEmpty {
    for i in 0..<count { pixels[to &+ i] = over(picture[from &+ i], pixels[to &+ i]) }
    return
  }
  for i in 0..<count {
    pixels[to &+ i] = over(polarity.veiled(picture[from &+ i], veil[i]), pixels[to &+ i])
  }
}

@_lifetime(pixels: copy pixels)
private func drawRow(
  _ weights: Span<UInt16>, _ from: Int, _ count: Int, _ veil: Span<UInt16>,
  _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  let color: UInt32 = polarity == .light ? 0xffff_ffff : 0xff00_0000
  for i in 0..<count where weights[from &+ i] > 0 {
    let shown = veil.isEmpty ? color : polarity.veiled(color, veil[i])
    pixels[to &+ i] = mixed(pixels[to &+ i], shown, weights[from &+ i])
  }
}

@_lifetime(pixels: copy pixels)
private func drawRow(
  _ weights: Span<UInt16>, _ from: Int, _ count: Int, _ ink: Ink,
  _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  let tables = LightTables.sRGB
  for i in 0..<count where weights[from &+ i] > 0 {
    pixels[to &+ i] = ink.text(
      over: pixels[to &+ i], coverage: weights[from &+ i], polarity, tables)
  }
}
