package import Raster

/// The share of each pixel that a pane with rounded corners covers, antialiased by exact area, for
/// panes of one size.
///
/// Made once for a corner and a size. It stores only the partly covered pixels of one corner, so
/// its memory is proportional to the radius.
package struct CornerMask: Sendable {
  /// The size of the pane.
  package let width, height: Int
  /// The rows of the top left corner, from the edge inward. The other corners are mirror images.
  private var rows: [Row] = []
  private var partial: [UInt16] = []

  /// The pixels of a row from the left edge on: first `clear` pixels that are not covered, then
  /// partly covered ones.
  private struct Row {
    var clear: Int
    var partial: Range<Int>
  }

  /// Traps if the size is not positive.
  package init(_ corner: Corner, width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    let fitted = FittedCorner(corner, width: Double(width), height: Double(height))
    var area = CornerArea(fitted, width: Double(width), height: Double(height))
    var outside = [Double](repeating: 0, count: fitted.pixels)
    for y in 0..<fitted.pixels {
      area.nextRow(into: &outside)
      append(outside, isMiddle: 2 * y + 1 == height)
    }
  }

  private mutating func append(_ outside: [Double], isMiddle: Bool) {
    let first = partial.count
    var clear = 0
    for (x, area) in outside.enumerated() {
      // The middle pixel contains both mirror images.
      let images = (isMiddle ? 2.0 : 1) * (2 * x + 1 == width ? 2 : 1)
      let coverage = Weight.rounded(1 - images * area)
      if coverage == Weight.one { break }
      if coverage == 0, partial.count == first {
        clear += 1
      } else {
        partial.append(coverage)
      }
    }
    rows.append(Row(clear: clear, partial: first..<partial.count))
  }

  /// The size in pixels of the squares at the four corners that the pane does not fully cover.
  package var reach: Int { rows.count }

  /// These squares for a pane at a given position, disjoint; empty if the corners are square. Traps
  /// if `pane` has another size.
  package func corners(of pane: Rect) -> [Rect] {
    precondition(pane.width == width && pane.height == height)
    if reach == 0 { return [] }
    let far = Rect(
      max(pane.x + reach, pane.maxX - reach)..<pane.maxX,
      max(pane.y + reach, pane.maxY - reach)..<pane.maxY)
    let near = Rect(x: pane.x, y: pane.y, width: reach, height: reach).intersection(pane)
    return [
      near, Rect(far.columns, near.rows), Rect(near.columns, far.rows), far,
    ].filter { !$0.isEmpty }
  }

  /// The share of the pixel (x, y) that the pane covers, as a `Weight`; 0 outside the pane. (0, 0)
  /// is its top left pixel.
  func coverage(x: Int, y: Int) -> UInt16 {
    guard x >= 0, y >= 0, x < width, y < height else { return 0 }
    let (column, line) = (min(x, width - 1 - x), min(y, height - 1 - y))
    guard line < rows.count else { return Weight.one }
    let row = rows[line]
    if column < row.clear { return 0 }
    let place = row.partial.lowerBound + column - row.clear
    return place < row.partial.upperBound ? partial[place] : Weight.one
  }

  /// All pixels of which a pane at a given position covers at least the share `share`, 0 to 1.
  /// Traps if `pane` has another size.
  package func region(of pane: Rect, coveredBy share: Double) -> Region {
    precondition(pane.width == width && pane.height == height)
    let least = Weight.rounded(share)
    let straight = pane.y + reach..<max(pane.y + reach, pane.maxY - reach)
    return Region(
      [Rect(pane.columns, straight)]
        + rows.indices.flatMap { line in
          let covered = (0..<(width + 1) / 2).first { coverage(x: $0, y: line) >= least }
          guard let inset = covered else { return [Rect]() }
          let columns = pane.x + inset..<pane.maxX - inset
          return [pane.y + line, pane.maxY - 1 - line].map { Rect(columns, $0..<$0 + 1) }
        })
  }

  /// Multiplies the pixels of the pane in `target`, premultiplied BGRA, by the covered shares.
  /// Changes only pixels in `corners(of:)`. Traps if `pane` has another size, or if `layout` does
  /// not cover the part of `target` in the pane.
  package func cut(
    _ target: Rect, of pane: Rect, in pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    precondition(pane.width == width && pane.height == height)
    let target = target.intersection(pane)
    precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
    for (line, row) in rows.enumerated() {
      cut(row, at: pane.y + line, target, pane, &pixels, layout)
      if 2 * line + 1 != height {
        cut(row, at: pane.maxY - 1 - line, target, pane, &pixels, layout)
      }
    }
  }

  private func cut(
    _ row: Row, at y: Int, _ target: Rect, _ pane: Rect, _ pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    guard target.rows.contains(y) else { return }
    let start = layout.index(x: layout.bounds.x, y: y) - layout.bounds.x
    let clear = min(row.clear, width)
    for range in [pane.x..<pane.x + clear, pane.maxX - clear..<pane.maxX] {
      for x in range.clamped(to: target.columns) { pixels[start + x] = 0 }
    }
    for (column, place) in zip(row.clear..., row.partial) {
      let (left, right) = (pane.x + column, pane.maxX - 1 - column)
      if target.columns.contains(left) {
        pixels[start + left] = scaled(pixels[start + left], by: partial[place])
      }
      if right != left, target.columns.contains(right) {
        pixels[start + right] = scaled(pixels[start + right], by: partial[place])
      }
    }
  }
}
