package import Raster

/// The frosted state of one pane: what it needs to keep of its backdrop to redraw any part of it.
///
/// It is fed in three steps, and any number of parts may go through a step before the next one:
///
///     absorb   pixels of the backdrop become cells; remembers which cells really changed
///     settle   what changed is blurred and toned; says which pixels of the pane that reaches
///     draw     a part of the pane, from the cells
///
/// Cells are anchored to the screen, never to the pane: the result of any sequence of parts equals
/// that of one whole, bit for bit.
package struct Glass: ~Copyable {
  /// In screen coordinates.
  package let pane: Rect
  /// The size of the screen, whose edges mirror. It starts at (0, 0).
  package let screen: Rect
  package private(set) var material: Material
  /// How many threads a large frame may use, 1 to 16. They are made once and kept.
  package var threads = 1 {
    didSet { precondition((1...16).contains(threads)) }
  }

  private let plan: Plan
  private let across, down: Axis
  private var cells: Plane
  /// The cells halved, where the plan says so; else empty, and `cells` are the grid.
  private var halved: Plane
  private var blurredAcross: Plane
  private var toned: Plane
  private var tone: ToneSteps
  private var grain: Grain
  /// Whether all that was absorbed was opaque.
  private var isOpaque = true
  /// Cells that have changed since they were last blurred.
  private var changed = Region()
  /// Whether the tone is new, so that all must be drawn again.
  private var isRetoned = false

  package init(pane: Rect, screen: Rect, material: Material) {
    precondition(screen.x == 0 && screen.y == 0 && !screen.isEmpty)
    precondition(!pane.isEmpty && screen.contains(pane))
    self.pane = pane
    self.screen = screen
    self.material = material
    plan = Plan(sigma: material.sigma, extent: min(screen.width, screen.height))
    across = Axis(plan: plan, extent: screen.width)
    down = Axis(plan: plan, extent: screen.height)
    let columns = across.gridCells(aroundCells: across.cells(aroundPixels: pane.columns))
    let rows = down.gridCells(aroundCells: down.cells(aroundPixels: pane.rows))
    let reach = plan.taps.count
    let target = Rect(columns, rows)
    let grid = target.grown(by: reach)
    toned = Plane(target)
    blurredAcross = Plane(Rect(columns, grid.rows))
    cells = Plane(
      Rect(across.cells(underGridCells: grid.columns), down.cells(underGridCells: grid.rows)))
    halved = Plane(plan.isHalved ? grid : .zero)
    tone = ToneSteps(material.tone)
    grain = Grain(material, isOpaque: true)
  }

  /// All real pixels that the pane is made of: its own and those within the halo.
  package var sight: Rect {
    Rect(
      across.realPixels(for: across.support(ofCells: cells.bounds.columns)),
      down.realPixels(for: down.support(ofCells: cells.bounds.rows)))
  }

  // MARK: Absorb

  /// The pixels that `absorb` must be given when those in `damage` have changed; empty when none of
  /// them is in sight.
  package func source(for damage: Rect) -> Rect {
    let cells = cellsDepending(on: damage)
    if cells.isEmpty { return .zero }
    return Rect(
      across.realPixels(for: across.support(ofCells: cells.columns)),
      down.realPixels(for: down.support(ofCells: cells.rows)))
  }

  /// The hull of the cells that depend on a rectangle of pixels. One that lies near an edge of the
  /// screen is there again as its mirror image, close by: a hull costs little.
  private func cellsDepending(on damage: Rect) -> Rect {
    let seen = damage.intersection(screen)
    func hull(_ ranges: [Range<Int>]) -> Range<Int> {
      guard let first = ranges.first, let last = ranges.last else { return 0..<0 }
      return first.lowerBound..<last.upperBound
    }
    return Rect(
      hull(across.cells(dependingOn: seen.columns, among: cells.bounds.columns)),
      hull(down.cells(dependingOn: seen.rows, among: cells.bounds.rows)))
  }

  /// Takes in the backdrop's pixels where `damage` says that they changed. `pixels`, premultiplied
  /// BGRA, or BGRX where `isOpaque`, must cover `source(for: damage)`.
  ///
  /// Returns whether any cell has a new value: if not, the pane needs no redrawing.
  @discardableResult
  package mutating func absorb(
    _ pixels: Span<UInt32>, _ layout: PixelLayout, isOpaque: Bool, damage: Rect
  ) -> Bool {
    let target = cellsDepending(on: damage)
    if target.isEmpty { return false }
    precondition(layout.bounds.contains(source(for: damage)))
    precondition(pixels.count >= layout.pixelCount)
    let changes = reduce(
      pixels, layout, isOpaque: isOpaque, across: across, down: down, target, into: &cells,
      threads: bands(target.area))
    if self.isOpaque && !isOpaque {
      self.isOpaque = false
      grain = Grain(material, isOpaque: false)
    }
    for rows in changes { changed.form(union: Rect(target.columns, rows)) }
    return changes.contains { !$0.isEmpty }
  }

  // MARK: Settle

  /// Changes all but the sigma, which takes a new `Glass`.
  package mutating func setMaterial(_ new: Material) {
    precondition(new.sigma == material.sigma)
    if new != material { isRetoned = true }
    if new.tone != material.tone { tone = ToneSteps(new.tone) }
    if (new.noise, new.isDithered) != (material.noise, material.isDithered) {
      grain = Grain(new, isOpaque: isOpaque)
    }
    material = new
  }

  /// Has the next `settle` blur what depends on `damage` anew, as if its cells had changed.
  package mutating func invalidate(_ damage: Rect) {
    changed.form(union: cellsDepending(on: damage))
  }

  /// Blurs and tones all that has changed since the last time. Returns the pixels of the pane, in
  /// screen coordinates, that are to be drawn again. Before anything was absorbed, the pane is clear.
  package mutating func settle() -> Region {
    var sharp = Region()
    for rect in changed.simplified(to: 8).rects {
      sharp.form(
        union: Rect(
          across.gridCells(touchedByCells: rect.columns), down.gridCells(touchedByCells: rect.rows)
        ).intersection(toned.bounds.grown(by: plan.taps.count)))
    }
    changed = Region()
    if plan.isHalved {
      for rect in sharp.rects {
        halve(cells, halved.wholeVectors(rect), into: &halved, threads: bands(rect.area))
      }
    }
    return blurAndTone(sharp)
  }

  /// The same for the region `sharp` of the Gaussian's grid.
  private mutating func blurAndTone(_ sharp: Region) -> Region {
    let taps = plan.taps
    var across = Region()
    var down = Region()
    for rect in sharp.rects {
      let reached = rect.grown(by: taps.count)
      across.form(union: Rect(reached.columns, rect.rows).intersection(blurredAcross.bounds))
      down.form(union: reached.intersection(toned.bounds))
    }
    if isRetoned { down = Region(toned.bounds) }
    isRetoned = false
    for rect in across.rects {
      let threads = bands(rect.area)
      if plan.isHalved {
        blur(halved, .across, taps: taps, rect, into: &blurredAcross, threads: threads)
      } else {
        blur(cells, .across, taps: taps, rect, into: &blurredAcross, threads: threads)
      }
    }
    for rect in down.rects {
      // A neighbour that is toned already must not be overwritten.
      let whole = toned.wholeVectors(rect)
      let threads = bands(whole.area)
      blur(blurredAcross, .down, taps: taps, whole, into: &toned, threads: threads)
      tone.apply(to: &toned, whole, threads: threads)
    }
    return pixels(touchedBy: down)
  }

  private func pixels(touchedBy grid: Region) -> Region {
    Region(
      grid.rects.map {
        Rect(
          across.pixels(touchedByGridCells: $0.columns), down.pixels(touchedByGridCells: $0.rows)
        ).intersection(pane)
      })
  }

  // MARK: Draw

  /// Draws the part `target` of the pane; all in screen coordinates.
  package func draw(
    _ target: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    let target = target.intersection(pane)
    if target.isEmpty { return }
    precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
    _ = forEachBand(
      of: target.rows, threads: bands(target.area / (plan.cell * plan.cell)), in: &pixels,
      at: layout.index(x: layout.bounds.x, y: target.y), stride: layout.pixelsPerRow
    ) { rows, band in
      expand(
        toned, across: across, down: down, target: Rect(target.columns, rows), grain: grain,
        origin: (pane.x, pane.y), into: &band, layout.from(row: rows.lowerBound))
    }
  }

  /// The mean luminance of the glass, 0 (black) to 1 (white), in `rect`, which must share a pixel with the
  /// pane: quickly told, from some of its cells. Translucent glass counts as over black.
  package func meanLuminance(of rect: Rect) -> Double {
    let rect = rect.intersection(pane)
    return toned.meanLuminance(
      of: Rect(
        across.gridCells(aroundCells: across.cells(aroundPixels: rect.columns)),
        down.gridCells(aroundCells: down.cells(aroundPixels: rect.rows))))
  }

  /// A part smaller than this many cells is not worth a second thread.
  private func bands(_ cellCount: Int) -> Int {
    cellCount * plan.cell * plan.cell < 1 << 18 ? 1 : threads
  }
}
