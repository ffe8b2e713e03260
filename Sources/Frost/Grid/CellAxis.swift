import Raster

/// The relation between pixels and cells along one axis of an output.
///
/// Cells are anchored to the output: cell `c` starts at pixel `pixels.lowerBound + c * cell`. All
/// ranges are half-open. Pixels outside `pixels` are mirror images of real ones (half-sample
/// symmetric: d c b a | a b c d), so cells outside exist too, and depend on real pixels.
struct CellAxis: Equatable, Sendable {
  let reduction: Reduction
  /// The real pixels: those of the output.
  let pixels: Range<Int>

  private var start: Int { pixels.lowerBound }
  private var k: Int { reduction.cell }

  /// The first pixel of a cell.
  func pixel(ofCell cell: Int) -> Int { start + k * cell }

  // MARK: From pixels to cells

  /// The cells in which real pixels lie.
  func cells(of pixels: Range<Int>) -> Range<Int> {
    (pixels.lowerBound - start) / k..<(pixels.upperBound - 1 - start) / k + 1
  }

  /// The pixels, real or mirrored, from which cells are computed.
  func support(ofCells cells: Range<Int>) -> Range<Int> {
    if cells.isEmpty { return start..<start }
    return pixel(ofCell: cells.lowerBound) - reduction.before..<pixel(ofCell: cells.upperBound)
      + reduction.after
  }

  /// The cells that depend on pixels, real or mirrored.
  private func cells(touching pixels: Range<Int>) -> Range<Int> {
    let first = (pixels.lowerBound - reduction.after - start).floorDivided(by: k)
    return first..<(pixels.upperBound - 1 + reduction.before - start).floorDivided(by: k) + 1
  }

  /// The cells in `wanted` that depend on the real pixels `changed`, directly or through a mirror
  /// image, as disjoint ranges in ascending order.
  func cells(dependingOn changed: Range<Int>, in wanted: Range<Int>) -> [Range<Int>] {
    if changed.isEmpty || wanted.isEmpty { return [] }
    let reached = support(ofCells: wanted)
    let period = 2 * pixels.count
    let first = (reached.lowerBound - start).floorDivided(by: period)
    let last = (reached.upperBound - 1 - start).floorDivided(by: period)
    var ranges: [Range<Int>] = []
    for repetition in first...last {
      let low = repetition * period + changed.lowerBound
      let high = repetition * period + changed.upperBound
      let mirror = 2 * start + (repetition + 1) * period
      for image in [low..<high, mirror - changed.upperBound..<mirror - changed.lowerBound] {
        ranges.appendMerging(cells(touching: image).clamped(to: wanted))
      }
    }
    return ranges
  }

  /// The smallest range of real pixels that contains the mirror image of each of `range`.
  func realPixels(for range: Range<Int>) -> Range<Int> {
    if range.isEmpty { return start..<start }
    let (end, extent) = (pixels.upperBound, pixels.count)
    if range.lowerBound < start - extent || range.upperBound > end + extent { return pixels }
    var (low, high) = (end, start)
    func include(_ part: Range<Int>) {
      if part.isEmpty { return }
      low = min(low, part.lowerBound)
      high = max(high, part.upperBound)
    }
    include(range.clamped(to: pixels))
    let before = range.clamped(to: start - extent..<start)
    include(2 * start - before.upperBound..<2 * start - before.lowerBound)
    let after = range.clamped(to: end..<end + extent)
    include(2 * end - after.upperBound..<2 * end - after.lowerBound)
    return low..<high
  }

  /// The real pixel whose mirror image is at `pixel`; `pixel` itself if it is real.
  func mirrored(_ pixel: Int) -> Int {
    let period = 2 * pixels.count
    let offset = pixel - start
    let within = offset - offset.floorDivided(by: period) * period
    return start + (within < pixels.count ? within : period - 1 - within)
  }

  /// The first of the cells that have the value of `cell` because they are its mirror images; `cell` itself if none is known.
  /// After the last pixel there are such cells if the pixels are a whole number of half cells.
  func mirrored(cell: Int) -> Int {
    guard reduction.isSymmetric else { return cell }
    guard 2 * pixels.count % k == 0 else { return cell < 0 ? -1 - cell : cell }
    let period = 2 * pixels.count / k
    let within = cell - cell.floorDivided(by: period) * period
    return min(within, period - 1 - within)
  }

  /// Whether one of `cells` is the mirror image of another of them.
  func isImage(_ cell: Int, in cells: Range<Int>) -> Bool {
    let original = mirrored(cell: cell)
    return original != cell && cells.contains(original)
  }
}

extension [Range<Int>] {
  /// Appends a range that does not start before the last one, or joins the two if they touch.
  fileprivate mutating func appendMerging(_ range: Range<Int>) {
    if range.isEmpty { return }
    guard let last, range.lowerBound <= last.upperBound else { return append(range) }
    let start = Swift.min(last.lowerBound, range.lowerBound)
    self[count - 1] = start..<Swift.max(last.upperBound, range.upperBound)
  }
}

extension Int {
  /// The quotient rounded down, for a negative dividend too. `divisor` must be positive.
  func floorDivided(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
