package import Raster

/// One item of a pane's content: an image or a text, drawn over the glass. `Contents` holds all
/// items of a pane.
///
/// Each pixel of the result depends on no other pixel below it. So drawing an item part by part, in
/// any order, equals drawing it at once.
package struct Content: Sendable {
  /// The bounding box of the covered pixels of its picture, from the pane's top left corner.
  private(set) var box: Rect
  /// The number of pixels around `box` that it changes, on every side: the extent of its halo.
  let reach: Int
  private let kind: Kind

  /// The pixels of the item, row by row, of `box` grown by `reach`.
  private enum Kind {
    /// Premultiplied BGRA.
    case picture([UInt32])
    /// A fill or a line in white or black.
    case shape([PixelWeights])
    /// Text that contrasts with the glass, and its halo.
    case text([PixelWeights], Ink)
  }

  /// `picture` is premultiplied BGRA; (x, y) is the position of its first pixel, from the pane's
  /// top left corner. Pixels outside the pane are not drawn. With a vibrancy only the alpha of the
  /// picture is used; nil draws the picture itself.
  package init(_ picture: Bitmap, x: Int, y: Int, vibrancy: Vibrancy?) {
    let covered = picture.covered
    box = covered.translated(x: x, y: y)
    let pixels = picture.pixels(of: covered)
    guard let vibrancy, !covered.isEmpty else {
      reach = 0
      kind = .picture(pixels)
      return
    }
    let coverage = pixels.map { UInt8($0 >> 24) }
    if let ink = vibrancy.ink {
      let halo = Halo(around: coverage, width: covered.width, height: covered.height)
      reach = halo.reach
      kind = .text(pixelWeights(coverage, width: covered.width, halo), ink)
    } else {
      reach = 0
      kind = .shape(
        coverage.map {
          PixelWeights(coverage: Weight.rounded(Double($0) / 255 * vibrancy.opacity), halo: 0)
        })
    }
  }

  /// The item at another place: (x, y) is added to its position.
  package func moved(x: Int, y: Int) -> Content {
    var moved = self
    moved.box = box.isEmpty ? box : box.translated(x: x, y: y)
    return moved
  }

  /// All pixels that it may change, including its halo, within the pane. `pane` and the result are
  /// in the coordinates of the output.
  package func bounds(of pane: Rect) -> Rect {
    box.isEmpty ? .zero : box.grown(by: reach).translated(x: pane.x, y: pane.y).intersection(pane)
  }

  /// Whether its colour depends on the glass.
  var isVibrant: Bool {
    if case .picture = kind { false } else { true }
  }

  /// Whether it is a shape, which later items treat as glass.
  var isShape: Bool {
    if case .shape = kind { true } else { false }
  }

  // MARK: Draw

  /// Draws the part `target` of the halo: darkens or lightens the glass around text until the text
  /// has enough contrast. Pixels are premultiplied BGRA; all rectangles are in the coordinates of the output.
  func drawHalo(
    _ target: Rect, of pane: Rect, _ polarity: Polarity,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    guard case .text(let weights, let ink) = kind else { return }
    forEachRow(of: target, pane, layout, pixels.count) { from, to, count in
      drawHaloRow(weights.span, from, count, ink, polarity, over: &pixels, to)
    }
  }

  /// Draws the part `target` of the item without its halo. The parameters are those of `drawHalo`.
  func drawBody(
    _ target: Rect, of pane: Rect, _ polarity: Polarity,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    forEachRow(of: target, pane, layout, pixels.count) { from, to, count in
      switch kind {
      case .picture(let picture): drawRow(picture.span, from, count, over: &pixels, to)
      case .shape(let weights):
        drawRow(weights.span, from, count, polarity, over: &pixels, to)
      case .text(let weights, let ink):
        drawRow(weights.span, from, count, ink, polarity, over: &pixels, to)
      }
    }
  }

  /// Calls `body` for each row of the part of `target` that the item may change, with the index of
  /// its first pixel in the memory of the item and in that of the pixels, and its length.
  private func forEachRow(
    of target: Rect, _ pane: Rect, _ layout: PixelLayout, _ pixelCount: Int,
    _ body: (_ from: Int, _ to: Int, _ count: Int) -> Void
  ) {
    let target = target.intersection(bounds(of: pane))
    if target.isEmpty { return }
    precondition(layout.bounds.contains(target) && pixelCount >= layout.pixelCount)
    let own = PixelLayout(box.grown(by: reach).translated(x: pane.x, y: pane.y))
    for y in target.rows {
      body(own.index(x: target.x, y: y), layout.index(x: target.x, y: y), target.width)
    }
  }
}

/// The effect of an item on one pixel of glass: two `Weight`s.
private struct PixelWeights: BitwiseCopyable {
  /// The share that the item covers.
  var coverage: UInt16
  /// The share of the halo.
  var halo: UInt16
}

/// The weights of a text whose pixels have the given coverage, 0 to 255, and of its halo.
private func pixelWeights(_ coverage: [UInt8], width: Int, _ halo: Halo) -> [PixelWeights] {
  var weights = halo.weights.map { PixelWeights(coverage: 0, halo: $0) }
  let wide = width + 2 * halo.reach
  for (i, share) in coverage.enumerated() {
    let place = (i / width + halo.reach) * wide + i % width + halo.reach
    weights[place].coverage = Weight.rounded(Double(share) / 255)
  }
  return weights
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

// Each draws `count` pixels: `from` is the index in the memory of the item, `to` that in `pixels`.

private func drawRow(
  _ picture: Span<UInt32>, _ from: Int, _ count: Int,
  over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  for i in 0..<count {
    pixels[to &+ i] = over(picture[from &+ i], pixels[to &+ i])
  }
}

private func drawRow(
  _ weights: Span<PixelWeights>, _ from: Int, _ count: Int,
  _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  let color: UInt32 = polarity == .light ? 0xffff_ffff : 0xff00_0000
  for i in 0..<count where weights[from &+ i].coverage > 0 {
    let coverage = weights[from &+ i].coverage
    pixels[to &+ i] = mixed(pixels[to &+ i], color, coverage)
  }
}

private func drawHaloRow(
  _ weights: Span<PixelWeights>, _ from: Int, _ count: Int, _ ink: Ink,
  _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  let tables = LightTables.sRGB
  for i in 0..<count where weights[from &+ i].halo > 0 {
    let halo = weights[from &+ i].halo
    pixels[to &+ i] = ink.ground(pixels[to &+ i], halo: halo, polarity, tables)
  }
}

private func drawRow(
  _ weights: Span<PixelWeights>, _ from: Int, _ count: Int, _ ink: Ink,
  _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  let tables = LightTables.sRGB
  for i in 0..<count where weights[from &+ i].coverage > 0 {
    let coverage = weights[from &+ i].coverage
    pixels[to &+ i] = ink.text(over: pixels[to &+ i], coverage: coverage, polarity, tables)
  }
}
