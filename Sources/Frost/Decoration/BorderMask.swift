package import Raster

/// The share of each pixel of a pane that its border covers, for panes of one size.
///
/// The border is the area between the pane's outline and the same outline inset by the border's
/// width, with a corner radius smaller by that width. So its width is constant: exactly at a
/// circular corner, within 1.4 % at a continuous one.
///
/// Made once for a border, a corner and a size. Its memory is proportional to the corner radius
/// times (1 + the width of the border).
package struct BorderMask: Sendable {
  /// The size of the pane.
  package let width, height: Int
  /// The opaque colour; the weights include the opacity.
  private let color: UInt32
  /// The rows at the top edge, from the edge inward. They also apply to the bottom edge, mirrored.
  private var rows: [Row] = []
  /// The width of the border in whole pixels, rounded up, away from the corners.
  let thickness: Int
  /// Every other row.
  private var side = Row()
  private var weights: [UInt16] = []

  /// The pixels of a row from the left edge to the middle, mirrored for the right edge: first
  /// `clear` pixels without a border, then pixels with individual `weights`, then pixels that all
  /// have the weight `rest`.
  private struct Row {
    var clear = 0
    var weights = 0..<0
    var rest: UInt16 = 0
  }

  /// Traps if the size is not positive.
  package init(_ border: Border, corner: Corner, width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    color = pixel(border.color, alpha: 1)
    let (w, h) = (Double(width), Double(height))
    let inset = border.width > 0 ? min(border.width, min(w, h) / 2) : 0
    thickness = Int(inset.rounded(.up))
    let outer = FittedCorner(corner, width: w, height: h)
    let inner = FittedCorner(
      Corner(radius: outer.radius - inset, curve: corner.curve), width: w - 2 * inset,
      height: h - 2 * inset)
    // At most to the middle, where the mirror images meet. The rounded sum may exceed it.
    let count = min(
      max(outer.pixels, Int((inset + inner.reach).rounded(.up))), (min(width, height) + 1) / 2)
    var outline = CornerArea(outer, width: w, height: h)
    var insetOutline = CornerArea(inner, inset: inset, width: w, height: h)
    let none = [Double](repeating: 0, count: count)
    var (outsidePane, outsideInset) = (none, none)
    let straight = none.indices.map { min(1, max(0, inset - Double($0))) }
    for y in 0..<count {
      outline.nextRow(into: &outsidePane)
      insetOutline.nextRow(into: &outsideInset)
      let isMiddle = 2 * y + 1 == height
      let row = appendWeights(outsidePane, outsideInset, isMiddle, straight[y], border.color.alpha)
      rows.append(row)
    }
    side = appendWeights(none, straight, false, 0, border.color.alpha)
  }

  /// Makes a row from the areas of its pixels outside the outline (`outsidePane`) and outside the
  /// inset outline (`outsideInset`).
  private mutating func appendWeights(
    _ outsidePane: [Double], _ outsideInset: [Double], _ isMiddle: Bool, _ rest: Double,
    _ opacity: Double
  ) -> Row {
    var row = Row(weights: weights.count..<weights.count)
    // The middle pixel contains both mirror images.
    let images = isMiddle ? 2.0 : 1
    row.rest = Weight.rounded(images * rest * opacity)
    for x in outsidePane.indices {
      let images = images * (2 * x + 1 == width ? 2 : 1)
      let covered = 1 - images * outsidePane[x]
      let border = images * (outsideInset[x] - outsidePane[x])
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

  /// The size in pixels of the squares at the corners outside of which the border is only as wide as
  /// `thickness`.
  var reach: Int { rows.count }

  /// Draws the border over the part `target` of a pane's glass: source-over, premultiplied BGRA, in
  /// the coordinates of the output. Traps if `pane` has another size, or if `layout` does not cover
  /// the part of `target` in the pane.
  ///
  /// It must be drawn before `CornerMask.cut`. At the antialiased edge a weight is the border's
  /// share of the covered part of the pixel, so glass and border together fill exactly the outline.
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

  /// `start` is the index of the pixel with x = 0.
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
