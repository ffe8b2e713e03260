package import Raster

/// Which share of each pixel of a pane of one size its border covers: its outline without the outline
/// that is inset by the border's width and whose corner has that much less radius. So the border is
/// equally wide all around: exactly on a circular corner, within 1.4 % on a continuous one.
///
/// Made once for a border, a corner and a size; some bytes for each pixel of the radius, and for
/// each of the width times the radius.
package struct BorderMask: Sendable {
  /// Of the pane.
  package let width, height: Int
  /// Opaque: how much of it is laid over a pixel is all in the weights.
  private let color: UInt32
  /// From the pane's top (and, mirrored, bottom) edge on.
  private var rows: [Row] = []
  /// Any row further from those edges.
  private var side = Row()
  private var weights: [UInt16] = []

  /// Pixels from the pane's left (and right) edge on: first those without a border, then each with a
  /// weight of its own, then, up to the other half of the pane, all alike.
  private struct Row {
    var clear = 0
    var weights = 0..<0
    var rest: UInt16 = 0
  }

  package init(_ border: Border, corner: Corner, width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    color = pixel(border.color, alpha: 1)
    let (w, h) = (Double(width), Double(height))
    let inset = border.width > 0 ? min(border.width, min(w, h) / 2) : 0
    let outer = FittedCorner(corner, width: w, height: h)
    let inner = FittedCorner(
      Corner(radius: outer.radius - inset, curve: corner.curve), width: w - 2 * inset,
      height: h - 2 * inset)
    // Never past the middle, where mirror images meet: a sum of fractions may come out above it.
    let count = min(
      max(outer.pixels, Int((inset + inner.reach).rounded(.up))), (min(width, height) + 1) / 2)
    var outside = CornerArea(outer, width: w, height: h)
    var within = CornerArea(inner, inset: inset, width: w, height: h)
    let none = [Double](repeating: 0, count: count)
    var (missed, missedWithin) = (none, none)
    let straight = none.indices.map { min(1, max(0, inset - Double($0))) }
    for y in 0..<count {
      outside.nextRow(into: &missed)
      within.nextRow(into: &missedWithin)
      let isMiddle = 2 * y + 1 == height
      let row = appendWeights(missed, missedWithin, isMiddle, straight[y], border.color.alpha)
      rows.append(row)
    }
    side = appendWeights(none, straight, false, 0, border.color.alpha)
  }

  /// Makes a row of what its pixels miss outside the outline and outside the inset one.
  private mutating func appendWeights(
    _ missed: [Double], _ missedWithin: [Double], _ isMiddle: Bool, _ rest: Double,
    _ opacity: Double
  ) -> Row {
    var row = Row(weights: weights.count..<weights.count)
    // The mirror images of a middle pixel's half are in the same pixel.
    let images = isMiddle ? 2.0 : 1
    row.rest = Weight.rounded(images * rest * opacity)
    for x in missed.indices {
      let images = images * (2 * x + 1 == width ? 2 : 1)
      let covered = 1 - images * missed[x]
      let border = images * (missedWithin[x] - missed[x])
      let weight = Weight.rounded(covered) == 0 ? 0 : Weight.rounded(border / covered * opacity)
      if weight == 0, weights.count == row.weights.lowerBound {
        row.clear += 1
      } else {
        weights.append(weight)
      }
    }
    if row.rest == 0 {
      while weights.count > row.weights.lowerBound, weights.last == 0 { weights.removeLast() }
    }
    row.weights = row.weights.lowerBound..<weights.count
    return row
  }

  mutating func fade(to weight: UInt16) {
    for i in weights.indices { weights[i] = Weight.product(weights[i], weight) }
    for i in rows.indices { rows[i].rest = Weight.product(rows[i].rest, weight) }
    side.rest = Weight.product(side.rest, weight)
  }

  /// Lays the border over the part `target` of a pane's glass: source-over, premultiplied BGRA, all in
  /// screen coordinates.
  ///
  /// To be drawn before `CornerMask.cut`: along the antialiased edge the border covers its share of what
  /// the outline leaves of a pixel, so glass and border together fill the outline, and nothing
  /// beyond it.
  package func draw(
    _ target: Rect, of pane: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    precondition(pane.width == width && pane.height == height)
    let target = target.intersection(pane)
    if target.isEmpty || weights.isEmpty { return }
    precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
    for y in target.rows {
      let line = min(y - pane.y, pane.maxY - 1 - y)
      draw(
        line < rows.count ? rows[line] : side, target.columns, pane, &pixels,
        at: layout.index(x: layout.bounds.x, y: y) - layout.bounds.x)
    }
  }

  /// `start` is where x = 0 would be.
  private func draw(
    _ row: Row, _ columns: Range<Int>, _ pane: Rect, _ pixels: inout MutableSpan<UInt32>,
    at start: Int
  ) {
    for (column, place) in zip(row.clear..., row.weights) {
      let (left, right) = (pane.x + column, pane.maxX - 1 - column)
      if columns.contains(left) {
        pixels[start + left] = mixed(pixels[start + left], color, weights[place])
      }
      if right != left, columns.contains(right) {
        pixels[start + right] = mixed(pixels[start + right], color, weights[place])
      }
    }
    let reach = row.clear + row.weights.count
    guard row.rest > 0, 2 * reach < width else { return }
    for x in (pane.x + reach..<pane.maxX - reach).clamped(to: columns) {
      pixels[start + x] = mixed(pixels[start + x], color, row.rest)
    }
  }
}
