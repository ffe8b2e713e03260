package import Raster

/// The relation between the pixels of an output and the cells of one reduction, in two dimensions.
package struct GridGeometry: Equatable, Sendable {
  /// The output, whose edges mirror its pixels.
  package let output: Rect
  /// The reduction of pixels to cells.
  package let reduction: Reduction
  let across, down: CellAxis

  /// Traps if `output` is empty.
  package init(output: Rect, reduction: Reduction) {
    precondition(!output.isEmpty)
    self.output = output
    self.reduction = reduction
    across = CellAxis(reduction: reduction, pixels: output.columns)
    down = CellAxis(reduction: reduction, pixels: output.rows)
  }

  /// The smallest rectangle of real pixels that contains all pixels from which `cells` are
  /// computed.
  package func source(ofCells cells: Rect) -> Rect {
    if cells.isEmpty { return .zero }
    return Rect(
      across.realPixels(for: across.support(ofCells: cells.columns)),
      down.realPixels(for: down.support(ofCells: cells.rows)))
  }

  /// The cells in `wanted` that depend on pixels in `damage`, directly or through a mirror image,
  /// as disjoint rectangles.
  package func cellParts(dependingOn damage: Rect, in wanted: Rect) -> [Rect] {
    let damage = damage.intersection(output)
    let columns = across.cells(dependingOn: damage.columns, in: wanted.columns)
    let rows = down.cells(dependingOn: damage.rows, in: wanted.rows)
    return rows.flatMap { rows in columns.map { Rect($0, rows) } }
  }

  /// The hull of the cells in `wanted` that depend on pixels in `damage`.
  package func cells(dependingOn damage: Rect, in wanted: Rect) -> Rect {
    cellParts(dependingOn: damage, in: wanted).reduce(.zero) { $0.hull($1) }
  }

  /// All cells that a glass of any sigma with this reduction can need: the cells of the output, and
  /// the cells around them within the reach of the widest blur.
  var bounds: Rect {
    let sigma = Plan.largestSigma(of: reduction, extent: min(output.width, output.height))
    let reach = Int((Plan.extent * sigma / Double(reduction.cell)).rounded(.up)) + 8
    let cell = reduction.cell
    return Rect(
      x: 0, y: 0, width: (output.width + cell - 1) / cell, height: (output.height + cell - 1) / cell
    ).grown(by: reach)
  }
}
