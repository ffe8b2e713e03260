import Raster

/// The relation between the pixels of an output, its cells, the grid of the Gaussian, and the fine cells between
/// which pixels are interpolated, along one axis.
///
/// A cell of the Gaussian's grid ("grid cell") is a cell, or twice as large if the plan halves the grid. Each
/// doubling makes two cells of each cell, a quarter of its size before and after its centre.
struct GlassAxis: Equatable, Sendable {
  let cells: CellAxis
  let isHalved: Bool
  let doublings: Int

  init(_ plan: Plan, pixels: Range<Int>) {
    cells = CellAxis(reduction: plan.reduction, pixels: pixels)
    isHalved = plan.isHalved
    doublings = plan.doublings
  }

  /// The edge length of a fine cell in pixels.
  var fineCell: Int { (cells.reduction.cell * (isHalved ? 2 : 1)) >> doublings }

  /// Whether the centres of fine cells are half a cell before multiples of their size, and not on them.
  var isStaggered: Bool { doublings > (isHalved ? 1 : 0) }

  /// Whether the centres of fine cells lie half a pixel before pixels, and not on them.
  var isBetween: Bool { cells.reduction.isCenteredBetweenPixels }

  /// Whether fine cells are interpolated by `SmoothRows`, and not linearly.
  var isSmooth: Bool { fineCell == 2 }

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

  /// The first pixel at or after the centre of a fine cell.
  func pixel(ofFineCell cell: Int) -> Int {
    cells.pixels.lowerBound + cells.reduction.centre + fineCell * cell
      - (isStaggered ? fineCell / 2 : 0)
  }

  /// The fine cells between which `pixels` are interpolated: each pixel lies between two neighbouring
  /// cells of the range, unless fine cells are pixels. If they are smooth, there is one more before them.
  func fineCells(aroundPixels pixels: Range<Int>) -> Range<Int> {
    if pixels.isEmpty { return 0..<0 }
    let first = (pixels.lowerBound - pixel(ofFineCell: 0)).floorDivided(by: fineCell)
    let last = (pixels.upperBound - 1 - pixel(ofFineCell: 0)).floorDivided(by: fineCell)
    return first - (isSmooth ? 1 : 0)..<last + (fineCell == 1 ? 1 : 2)
  }

  /// The cells of a grid of which `fine` are made by one doubling.
  static func cells(doubledTo fine: Range<Int>) -> Range<Int> {
    if fine.isEmpty { return fine }
    let first = (fine.lowerBound - 1).floorDivided(by: 2)
    return first..<(fine.upperBound - 2).floorDivided(by: 2) + 2
  }

  /// The grid cells of which the fine cells `fine` are made.
  func gridCells(aroundFineCells fine: Range<Int>) -> Range<Int> {
    (0..<doublings).reduce(fine) { cells, _ in Self.cells(doubledTo: cells) }
  }

  /// The grid cells from which `pixels` are drawn.
  func gridCells(aroundPixels pixels: Range<Int>) -> Range<Int> {
    gridCells(aroundFineCells: fineCells(aroundPixels: pixels))
  }

  /// The pixels to which the blurred grid cells `grid` contribute.
  func pixels(dependingOnGridCells grid: Range<Int>) -> Range<Int> {
    if grid.isEmpty { return cells.pixels.lowerBound..<cells.pixels.lowerBound }
    let fine = (0..<doublings).reduce(grid) { cells, _ in
      2 * cells.lowerBound - 1..<2 * cells.upperBound + 1
    }
    let before = fineCell == 1 ? 0 : 1
    // Both pixels of a smooth cell are drawn together.
    let end = pixel(ofFineCell: fine.upperBound + (isSmooth ? 1 : 0))
    return pixel(ofFineCell: fine.lowerBound - before)..<end
  }
}
