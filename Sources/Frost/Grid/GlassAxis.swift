import Raster

/// The relation between the pixels of an output, its cells and the grid of the Gaussian, along one
/// axis. A cell of the Gaussian's grid ("grid cell") is a cell, or twice as large if the plan
/// halves the grid.
struct GlassAxis: Equatable, Sendable {
  let cells: CellAxis
  let isHalved: Bool

  init(_ plan: Plan, pixels: Range<Int>) {
    cells = CellAxis(reduction: plan.reduction, pixels: pixels)
    isHalved = plan.isHalved
  }

  // MARK: From cells to the grid

  /// The grid cells that depend on `cells`.
  func gridCells(dependingOnCells cells: Range<Int>) -> Range<Int> {
    guard isHalved, !cells.isEmpty else { return cells }
    return (cells.lowerBound - 1).floorDivided(by: 2)..<cells.upperBound.floorDivided(by: 2) + 1
  }

  /// The cells from which the grid cells `grid` are computed.
  func cells(ofGridCells grid: Range<Int>) -> Range<Int> {
    guard isHalved, !grid.isEmpty else { return grid }
    return 2 * grid.lowerBound - 1..<2 * grid.upperBound + 1
  }

  // MARK: From the grid to pixels

  /// The pixels to which the blurred grid cells `grid` contribute.
  func pixels(dependingOnGridCells grid: Range<Int>) -> Range<Int> {
    guard isHalved, !grid.isEmpty else { return cells.pixels(interpolatedFrom: grid) }
    return cells.pixels(interpolatedFrom: 2 * grid.lowerBound - 1..<2 * grid.upperBound + 1)
  }

  /// The grid cells from which `cells` are interpolated when the plan is halved.
  func gridCells(aroundCells cells: Range<Int>) -> Range<Int> {
    guard isHalved, !cells.isEmpty else { return cells }
    let first = (cells.lowerBound - 1).floorDivided(by: 2)
    return first..<(cells.upperBound - 2).floorDivided(by: 2) + 2
  }

  /// The grid cells from which `pixels` are drawn.
  func gridCells(aroundPixels pixels: Range<Int>) -> Range<Int> {
    gridCells(aroundCells: cells.cells(aroundPixels: pixels))
  }
}
