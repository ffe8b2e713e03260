package import Raster

/// Something that lies on a pane, drawn over its glass with all else that does (`Contents`).
///
/// Each pixel of it is a function of the pixel below it alone: any parts of it, one after the other, are
/// the whole.
package struct Content: Sendable {
  /// The smallest rectangle that holds all that its picture covers, from the pane's top left.
  let box: Rect
  /// By how much more it changes on every side.
  let reach: Int
  private let art: Art

  /// Row by row, of the box grown by the reach.
  private enum Art {
    case picture([UInt32])
    case shape([Touch])
    case text([Touch], Ink)
  }

  /// `picture` is premultiplied BGRA; (x, y) is where its first pixel lies, from the pane's top left. What
  /// is outside the pane is not drawn. Of a picture with a vibrancy only the alpha counts.
  package init(_ picture: Bitmap, x: Int, y: Int, vibrancy: Vibrancy?) {
    let covered = picture.covered
    box = covered.translated(x: x, y: y)
    let pixels = picture.pixels(of: covered)
    guard let vibrancy, !covered.isEmpty else {
      reach = 0
      art = .picture(pixels)
      return
    }
    let coverage = pixels.map { UInt8($0 >> 24) }
    if let ink = vibrancy.ink {
      let halo = Halo(around: coverage, width: covered.width, height: covered.height)
      reach = halo.reach
      art = .text(touches(coverage, width: covered.width, halo), ink)
    } else {
      reach = 0
      art = .shape(
        coverage.map {
          Touch(coverage: Weight.rounded(Double($0) / 255 * vibrancy.opacity), halo: 0)
        })
    }
  }

  /// All pixels that it may change, within the pane, its halo included. In screen coordinates.
  package func bounds(of pane: Rect) -> Rect {
    box.isEmpty ? .zero : box.grown(by: reach).translated(x: pane.x, y: pane.y).intersection(pane)
  }

  /// Whether it takes its colour from the glass.
  var isVibrant: Bool {
    if case .picture = art { false } else { true }
  }

  /// Whether it changes the glass for what lies on it.
  var isShape: Bool {
    if case .shape = art { true } else { false }
  }

  // MARK: Draw

  /// Has the glass give way to the part `target` of it, by a share that is its `presence`: premultiplied
  /// BGRA, all in screen coordinates.
  func drawHalo(
    _ target: Rect, of pane: Rect, _ polarity: Polarity, presence: UInt16,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    guard case .text(let touches, let ink) = art else { return }
    forEachRow(of: target, pane, layout, pixels.count) { from, to, count in
      giveWay(to: touches.span, from, count, presence, ink, polarity, &pixels, to)
    }
  }

  /// Draws the part `target` of it itself; the same otherwise.
  func drawArt(
    _ target: Rect, of pane: Rect, _ polarity: Polarity, presence: UInt16,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    forEachRow(of: target, pane, layout, pixels.count) { from, to, count in
      switch art {
      case .picture(let picture): lay(picture.span, from, count, presence, over: &pixels, to)
      case .shape(let touches):
        lay(touches.span, from, count, presence, polarity, over: &pixels, to)
      case .text(let touches, let ink):
        lay(touches.span, from, count, presence, ink, polarity, over: &pixels, to)
      }
    }
  }

  /// Where each row of its part begins: in its own memory, and in that of pixels.
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

/// What becomes of a pixel of glass: two `Weight`s.
private struct Touch: BitwiseCopyable {
  /// How much of it is covered.
  var coverage: UInt16
  /// How much of it gives way to text.
  var halo: UInt16
}

/// Those of a halo, and in its midst what it surrounds.
private func touches(_ coverage: [UInt8], width: Int, _ halo: Halo) -> [Touch] {
  var touches = halo.weights.map { Touch(coverage: 0, halo: $0) }
  let wide = width + 2 * halo.reach
  for (i, share) in coverage.enumerated() {
    let place = (i / width + halo.reach) * wide + i % width + halo.reach
    touches[place].coverage = Weight.rounded(Double(share) / 255)
  }
  return touches
}

extension Bitmap {
  /// The smallest rectangle that holds every pixel that is not clear; `.zero` when all are.
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

  fileprivate func pixels(of part: Rect) -> [UInt32] {
    part.rows.flatMap { y in pixels[y * width + part.x..<y * width + part.maxX] }
  }
}

// MARK: Rows

private func lay(
  _ picture: Span<UInt32>, _ from: Int, _ count: Int, _ presence: UInt16,
  over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  for i in 0..<count {
    let pixel = picture[from &+ i]
    let present = presence == Weight.one ? pixel : scaled(pixel, by: presence)
    pixels[to &+ i] = over(present, pixels[to &+ i])
  }
}

private func lay(
  _ touches: Span<Touch>, _ from: Int, _ count: Int, _ presence: UInt16, _ polarity: Polarity,
  over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  let color: UInt32 = polarity == .light ? 0xffff_ffff : 0xff00_0000
  for i in 0..<count where touches[from &+ i].coverage > 0 {
    let coverage = Weight.product(touches[from &+ i].coverage, presence)
    pixels[to &+ i] = mixed(pixels[to &+ i], color, coverage)
  }
}

private func giveWay(
  to touches: Span<Touch>, _ from: Int, _ count: Int, _ presence: UInt16, _ ink: Ink,
  _ polarity: Polarity, _ pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  let tables = LightTables.sRGB
  for i in 0..<count where touches[from &+ i].halo > 0 {
    let halo = Weight.product(touches[from &+ i].halo, presence)
    pixels[to &+ i] = ink.ground(pixels[to &+ i], halo: halo, polarity, tables)
  }
}

private func lay(
  _ touches: Span<Touch>, _ from: Int, _ count: Int, _ presence: UInt16, _ ink: Ink,
  _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>, _ to: Int
) {
  let tables = LightTables.sRGB
  for i in 0..<count where touches[from &+ i].coverage > 0 {
    let coverage = Weight.product(touches[from &+ i].coverage, presence)
    pixels[to &+ i] = ink.text(over: pixels[to &+ i], coverage: coverage, polarity, tables)
  }
}
