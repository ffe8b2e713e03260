import Raster

/// Which cells depend on which pixels, and back, along one axis of the screen.
///
/// All ranges are half-open. Pixels left of 0 and right of `extent` are mirror images of real ones
/// (half-sample symmetric: d c b a | a b c d), so cells out there exist, and depend on real pixels.
struct Axis: Equatable, Sendable {
  let plan: Plan
  /// The number of real pixels.
  let extent: Int

  // MARK: From pixels to cells

  /// The pixels, real or mirrored, that cells are made of.
  func support(ofCells cells: Range<Int>) -> Range<Int> {
    if cells.isEmpty { return 0..<0 }
    let k = plan.cell
    let reach = plan.prefilter == .tent ? k - 1 : 0
    return k * cells.lowerBound - reach..<k * cells.upperBound
  }

  /// The cells that depend on pixels, real or mirrored.
  private func cells(touching pixels: Range<Int>) -> Range<Int> {
    let k = plan.cell
    let reach = plan.prefilter == .tent ? k - 1 : 0
    return pixels.lowerBound.floorDivided(by: k)..<(pixels.upperBound - 1 + reach).floorDivided(
      by: k) + 1
  }

  /// The cells among `wanted` that depend on the real pixels `pixels`, directly or by a mirror image:
  /// disjoint, ascending.
  func cells(dependingOn pixels: Range<Int>, among wanted: Range<Int>) -> [Range<Int>] {
    if pixels.isEmpty || wanted.isEmpty { return [] }
    let reached = support(ofCells: wanted)
    let period = 2 * extent
    let first = reached.lowerBound.floorDivided(by: period)
    let last = (reached.upperBound - 1).floorDivided(by: period)
    var ranges: [Range<Int>] = []
    for turn in first...last {
      let start = turn * period
      let images = [
        start + pixels.lowerBound..<start + pixels.upperBound,
        start + period - pixels.upperBound..<start + period - pixels.lowerBound,
      ]
      for image in images {
        let touched = cells(touching: image).clamped(to: wanted)
        if touched.isEmpty { continue }
        if let previous = ranges.last, touched.lowerBound <= previous.upperBound {
          ranges[ranges.count - 1] =
            min(
              previous.lowerBound, touched.lowerBound)..<max(
              previous.upperBound, touched.upperBound)
        } else {
          ranges.append(touched)
        }
      }
    }
    return ranges
  }

  /// The smallest range of real pixels that holds the mirror image of every one of `pixels`.
  func realPixels(for pixels: Range<Int>) -> Range<Int> {
    if pixels.isEmpty { return 0..<0 }
    if pixels.lowerBound < -extent || pixels.upperBound > 2 * extent { return 0..<extent }
    var low = extent
    var high = 0
    func include(_ range: Range<Int>) {
      if range.isEmpty { return }
      low = min(low, range.lowerBound)
      high = max(high, range.upperBound)
    }
    include(pixels.clamped(to: 0..<extent))
    let before = pixels.clamped(to: -extent..<0)
    include(-before.upperBound..<(-before.lowerBound))
    let after = pixels.clamped(to: extent..<2 * extent)
    include(2 * extent - after.upperBound..<2 * extent - after.lowerBound)
    return low..<high
  }

  /// The real pixel that stands at `pixel`.
  func mirrored(_ pixel: Int) -> Int {
    let period = 2 * extent
    let within = pixel - pixel.floorDivided(by: period) * period
    return within < extent ? within : period - 1 - within
  }

  // MARK: From cells to the grid of the Gaussian (the same when the plan does not halve)

  func gridCells(touchedByCells cells: Range<Int>) -> Range<Int> {
    guard plan.isHalved, !cells.isEmpty else { return cells }
    return (cells.lowerBound - 1).floorDivided(by: 2)..<cells.upperBound.floorDivided(by: 2) + 1
  }

  func cells(underGridCells grid: Range<Int>) -> Range<Int> {
    guard plan.isHalved, !grid.isEmpty else { return grid }
    return 2 * grid.lowerBound - 1..<2 * grid.upperBound + 1
  }

  // MARK: From the grid to pixels

  /// The pixels that blurred grid cells reach.
  func pixels(touchedByGridCells grid: Range<Int>) -> Range<Int> {
    if grid.isEmpty { return 0..<0 }
    let cells = plan.isHalved ? 2 * grid.lowerBound - 1..<2 * grid.upperBound + 1 : grid
    let k = plan.cell
    if k == 1 { return cells }
    return k * (cells.lowerBound - 1) + plan.expansionOffset..<k * cells.upperBound
      + plan.expansionOffset
  }

  /// The cells between which pixels are interpolated: for each pixel, the interval that starts at
  /// cell `c` and ends at `c + 1`; both ends included.
  func cells(aroundPixels pixels: Range<Int>) -> Range<Int> {
    if pixels.isEmpty { return 0..<0 }
    let k = plan.cell
    if k == 1 { return pixels }
    return (pixels.lowerBound - plan.expansionOffset).floorDivided(
      by: k)..<(pixels.upperBound - 1 - plan.expansionOffset).floorDivided(by: k) + 2
  }

  /// The grid cells that cells are doubled from.
  func gridCells(aroundCells cells: Range<Int>) -> Range<Int> {
    guard plan.isHalved, !cells.isEmpty else { return cells }
    return (cells.lowerBound - 1).floorDivided(by: 2)..<(cells.upperBound - 2).floorDivided(by: 2)
      + 2
  }
}

extension Int {
  /// The quotient rounded down, also for a negative dividend. `divisor` must be positive.
  func floorDivided(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
