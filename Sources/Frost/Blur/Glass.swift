package import Raster

/// The blurred cells of one pane and its tone, from which any part of its glass can be drawn. All
/// rectangles of pixels are in the coordinates of the output.
///
/// Any number of changes can be marked before they are settled:
///
///     markChanged  marks what depends on changed cells of the grid
///     settle       blurs and tones what depends on changed cells; returns the pixels to redraw
///     draw         draws a part of the glass
package struct Glass: ~Copyable {
  /// The part of the pane on its output.
  package let pane: Rect
  /// The geometry of the grid that `settle` needs.
  package let geometry: GridGeometry
  /// The material that is drawn; see `setMaterial`.
  package private(set) var material: Material
  /// The cells of the grid from which the glass is computed.
  package let cells: Rect

  private let plan: Plan
  private let across, down: GlassAxis
  private var blurredAcross: Plane
  /// The cells after the tone, or before it if it is applied to interpolated pixels.
  private var settled: Plane
  private var tone: ToneSteps
  private var grain: Grain
  private var isOpaque = true
  /// The colour if nothing is blurred here; nil for real glass.
  private var sheet: SheetColor?
  /// Whether the colour of a sheet has changed since `settle`.
  private var isSheetPending = false
  /// The cells of `blurredAcross` and of `settled` that `settle` computes.
  private var pendingAcross, pendingDown: Region

  /// Traps if `pane` is empty or not inside `output`, whose edges mirror its pixels. A sheet is the translucent colour that
  /// something else blurs behind; it needs no cells.
  package init(pane: Rect, output: Rect, material: Material, isSheet: Bool = false) {
    precondition(!pane.isEmpty && output.contains(pane))
    self.pane = pane
    self.material = material
    let tone = ToneSteps(material.tone)
    self.tone = tone
    plan = Self.plan(material, tone, output)
    geometry = GridGeometry(output: output, reduction: plan.reduction)
    across = GlassAxis(plan, pixels: output.columns)
    down = GlassAxis(plan, pixels: output.rows)
    let grids = isSheet ? (.zero, .zero, .zero) : Self.grids(pane, plan, across, down)
    sheet = isSheet ? SheetColor(of: tone) : nil
    cells = grids.cells
    settled = Plane(grids.target)
    blurredAcross = Plane(Rect(grids.target.columns, grids.grid.rows))
    grain = Grain(material, isOpaque: true)
    pendingAcross = Region(blurredAcross.bounds)
    pendingDown = Region(settled.bounds)
  }

  /// The tone if it is applied to interpolated pixels: one that is not affine, unless cells are pixels.
  private var pixelTone: ToneSteps? { tone.isAffine || plan.reduction.cell == 1 ? nil : tone }

  private static func plan(_ material: Material, _ tone: ToneSteps, _ output: Rect) -> Plan {
    Plan(
      sigma: material.sigma, extent: min(output.width, output.height), bends: !tone.isAffine)
  }

  /// All real pixels that the glass depends on.
  package var sourceRegion: Rect { sheet == nil ? geometry.source(ofCells: cells) : .zero }

  /// The cells from which the glass of another pane of the material on the output is computed.
  package func cells(around pane: Rect) -> Rect {
    sheet == nil ? Self.grids(pane, plan, across, down).cells : .zero
  }

  /// The cells for a part of the output: the grid cells from which its pixels are drawn (`target`), the grid cells from which the
  /// blur computes them (`grid`), and the cells from which these are made (`cells`).
  private static func grids(
    _ pane: Rect, _ plan: Plan, _ across: GlassAxis, _ down: GlassAxis
  ) -> (target: Rect, grid: Rect, cells: Rect) {
    let target = Rect(
      across.gridCells(aroundPixels: pane.columns), down.gridCells(aroundPixels: pane.rows))
    let grid = target.grown(by: plan.taps.count)
    let cells = Rect(
      across.cells(ofGridCells: grid.columns), down.cells(ofGridCells: grid.rows))
    return (target, grid, cells)
  }

  /// Copies the cells that both glasses hold. Copies nothing if the blurs or the outputs differ, and no settled
  /// cells if the tones differ.
  package mutating func reuse(_ other: borrowing Glass) {
    guard other.plan == plan, other.geometry == geometry else { return }
    blurredAcross.copyOverlap(of: other.blurredAcross)
    pendingAcross.subtract(other.blurredAcross.bounds)
    pendingAcross.form(union: other.pendingAcross.intersection(blurredAcross.bounds))
    guard other.material.tone == material.tone else { return }
    settled.copyOverlap(of: other.settled)
    pendingDown.subtract(other.settled.bounds)
    pendingDown.form(union: other.pendingDown.intersection(settled.bounds))
  }

  // MARK: Settle

  /// Whether the glass can have another material: one with the same blur.
  package func canShow(_ new: Material) -> Bool {
    new.sigma == material.sigma
      && (new.tone == material.tone
        || Self.plan(new, ToneSteps(new.tone), geometry.output) == plan)
  }

  /// Changes the material. Traps if `canShow` is false.
  package mutating func setMaterial(_ new: Material) {
    precondition(canShow(new))
    if new == material { return }
    pendingDown = Region(settled.bounds)
    if new.tone != material.tone { tone = ToneSteps(new.tone) }
    if sheet != nil {
      sheet = SheetColor(of: tone)
      isSheetPending = true
    }
    if (new.noise, new.isDithered) != (material.noise, material.isDithered) {
      grain = Grain(new, isOpaque: isOpaque)
    }
    material = new
  }

  /// Marks everything that depends on the changed cells of the grid as pending. The rectangles may
  /// overlap.
  package mutating func markChanged(cells changed: [Rect]) {
    for rect in changed {
      let own = rect.intersection(cells)
      if own.isEmpty { continue }
      let sharp = Rect(
        across.gridCells(dependingOnCells: own.columns),
        down.gridCells(dependingOnCells: own.rows))
      let reached = sharp.grown(by: plan.taps.count)
      let lines = Rect(reached.columns, sharp.rows).intersection(blurredAcross.bounds)
      pendingAcross.form(union: lines)
      pendingDown.form(union: reached.intersection(settled.bounds))
      if pendingAcross.rects.count > 16 { pendingAcross = pendingAcross.simplified(to: 8) }
      if pendingDown.rects.count > 16 { pendingDown = pendingDown.simplified(to: 8) }
    }
  }

  /// Whether `settle` would compute anything.
  package var hasPendingCells: Bool {
    !(pendingAcross.isEmpty && pendingDown.isEmpty) || isSheetPending
  }

  /// Blurs and tones all pending cells with up to `threads` threads. Returns the pixels of the pane
  /// that must be drawn again. `grid` must have the geometry of this glass and must hold current
  /// values for all of `cells`. A sheet needs none.
  package mutating func settle(from grid: CellGrid?, threads: Int) -> Region {
    guard sheet == nil else {
      defer { isSheetPending = false }
      return isSheetPending ? Region(pane) : Region()
    }
    guard let grid else { preconditionFailure("glass needs cells") }
    precondition(grid.geometry == geometry && grid.tiles.bounds.contains(cells))
    if isOpaque != grid.isOpaque {
      isOpaque = grid.isOpaque
      grain = Grain(material, isOpaque: isOpaque)
    }
    let (across, down) = (pendingAcross.rects, pendingDown)
    (pendingAcross, pendingDown) = (Region(), Region())
    grid.withValues { values in
      for rect in across {
        let whole = blurredAcross.wholeVectors(rect)
        blurAcross(
          values, grid.tiles, isHalved: plan.isHalved, taps: plan.taps, whole,
          into: &blurredAcross, threads: bands(whole.area, threads))
      }
    }
    for rect in down.rects {
      let whole = settled.wholeVectors(rect)
      let threads = bands(whole.area, threads)
      blurDown(blurredAcross, taps: plan.taps, whole, into: &settled, threads: threads)
      if pixelTone == nil { tone.apply(to: &settled, whole, threads: threads) }
    }
    return pixels(dependingOn: down)
  }

  private func pixels(dependingOn grid: Region) -> Region {
    Region(
      grid.rects.map {
        Rect(
          across.pixels(dependingOnGridCells: $0.columns),
          down.pixels(dependingOnGridCells: $0.rows)
        ).intersection(pane)
      })
  }

  // MARK: Draw

  /// Draws the part of `target` that lies in the pane, as premultiplied BGRA, with up to `threads`
  /// threads. Traps if `layout` does not cover that part.
  package func draw(
    _ target: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout, threads: Int
  ) {
    let target = target.intersection(pane)
    if target.isEmpty { return }
    precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
    if let sheet { return fill(target, with: sheet.pixel, &pixels, layout) }
    _ = forEachBand(
      of: target.rows, threads: target.area < Self.smallArea ? 1 : threads, in: &pixels,
      at: layout.index(x: layout.bounds.x, y: target.y), stride: layout.stride
    ) { rows, band in
      expand(
        settled, across: across, down: down, target: Rect(target.columns, rows),
        tone: pixelTone, grain: grain,
        origin: (geometry.output.x, geometry.output.y), into: &band,
        layout.from(row: rows.lowerBound), isStreaming: target.area > Self.cachedArea)
    }
  }

  /// The mean relative luminance (WCAG 2) of the glass in `rect`, 0 (black) to 1 (white), sampled
  /// at up to 16 x 16 of its cells. Traps if `rect` shares no pixel with the pane. Translucent
  /// glass counts as if composed over black.
  package func meanLuminance(of rect: Rect) -> Double {
    let rect = rect.intersection(pane)
    if let sheet { return Double(LightTables.sRGB.light(of: sheet.pixel).luminance) }
    return settled.meanLuminance(
      of: Rect(
        across.gridCells(aroundPixels: rect.columns), down.gridCells(aroundPixels: rect.rows)),
      tone: pixelTone)
  }

  private func fill(
    _ target: Rect, with pixel: UInt32, _ pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    for y in target.rows {
      let first = layout.index(x: target.x, y: y)
      for i in first..<first + target.width { pixels[i] = pixel }
    }
  }

  private func bands(_ cellCount: Int, _ threads: Int) -> Int {
    cellCount * plan.gridCell * plan.gridCell < Self.smallArea ? 1 : threads
  }

  /// The number of pixels below which a second thread does not pay.
  private static var smallArea: Int { 1 << 18 }

  /// The number of pixels above which the caches of usual processors do not hold them until they are read:
  /// 4 MiB.
  private static var cachedArea: Int { 1 << 20 }
}
