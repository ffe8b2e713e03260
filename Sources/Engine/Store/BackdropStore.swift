import Frost
import Raster

/// The cells of all backdrops, shared by all panes, and the cache of cells that no pane needs.
///
/// A cell is *valid* (it has the value of the current pixels, which are watched), *stale* (it has
/// an older value) or *absent* (it has none). This state is kept per cell, so that a pane that
/// moves by a few pixels captures only cells that are new. Memory is counted and released per tile.
/// Tiles with needed cells are pinned; the others are evicted, the least recently needed first,
/// while a limit is exceeded.
///
/// The order of calls for one capture: `startCapture`, then for each target `update` or `fail`.
/// `damage` and `setNeeds` may be called in between. Backdrops that the engine composes are captured in the same
/// way, one at a time. The store has no clock and no display.
struct BackdropStore: ~Copyable {
  var limits: StoreLimits { didSet { evict() } }
  private(set) var statistics = StoreStatistics()
  private(set) var grids: [GridKey: StoredGrid] = [:]
  private(set) var slots = TileSlots()

  init(limits: StoreLimits) { self.limits = limits }

  /// The number of tiles that have memory or are needed.
  var tileCount: Int { slots.count }
  var byteCount: Int { tileCount * tileByteCount }
  /// The number of tiles with needed cells.
  var pinnedTileCount: Int { tileCount - slots.evictableCount }

  // MARK: Needs

  /// Sets the cells that an owner needs, in all grids, and pins their tiles. Replaces the earlier
  /// needs of the owner. The caller must also watch the sources of all needed cells, before the
  /// next capture. `now` is for the reports only.
  mutating func setNeeds(of owner: NeedOwner, _ needs: [GridKey: Region], now: Duration = .zero) {
    for grid in grids.values where grid.needs[owner] != nil { grid.lastNeeded = now }
    for grid in grids.values where needs[grid.key] == nil { setNeed(of: owner, Region(), in: grid) }
    for (key, region) in needs { setNeed(of: owner, region, in: makeGrid(key)) }
    evict()
    for grid in grids.values where grid.needs.isEmpty && grid.tileCount == 0 {
      grids[grid.key] = nil
    }
  }

  private mutating func setNeed(of owner: NeedOwner, _ region: Region, in grid: StoredGrid) {
    let old = grid.needs[owner] ?? Region()
    grid.needs[owner] = region.isEmpty ? nil : region
    if old.rects == region.rects { return }
    for rect in region.subtracting(old).rects { pin(rect, in: grid) }
    for rect in old.subtracting(region).rects { unpin(rect, in: grid) }
  }

  private mutating func pin(_ cells: Rect, in grid: StoredGrid) {
    var isMissing = false
    grid.tiles.forEachTile(of: cells) { part in
      let slot = slots.makeSlot(part.tile, in: grid)
      slots.pin(slot, part)
      if slots.states[slot].known.contains(part) {
        statistics.hits += 1
        grid.hits += 1
      } else {
        statistics.misses += 1
        grid.misses += 1
      }
      if !slots.states[slot].valid.contains(part) { isMissing = true }
    }
    if isMissing { grid.addSuspect(cells) }
  }

  private mutating func unpin(_ cells: Rect, in grid: StoredGrid) {
    let needed = grid.needs.values.flatMap { $0.intersection(cells).rects }
    grid.tiles.forEachTile(of: cells) { part in
      guard let slot = grid.slot(of: part.tile) else { return }
      slots.unpin(slot, part, notIn: grid.mask(of: needed, in: part))
    }
  }

  // MARK: Damage

  /// Records that pixels of a backdrop changed, or that their changes are no longer reported: the cells
  /// that depend on them become stale. If `isCaptured`, the capture in progress includes the change, so cells that
  /// are requested stay so.
  mutating func damage(_ region: Region, of backdrop: Backdrop, isCaptured: Bool = false) {
    for grid in grids.values where grid.key.backdrop == backdrop {
      for rect in region.rects {
        for cells in grid.cells(dependingOn: rect) {
          invalidate(cells, in: grid, keepsRequested: isCaptured)
        }
      }
    }
  }

  /// Makes all cells stale.
  mutating func invalidateAll() {
    for grid in grids.values { invalidate(grid.tiles.bounds, in: grid, keepsRequested: false) }
  }

  private mutating func invalidate(_ cells: Rect, in grid: StoredGrid, keepsRequested: Bool) {
    var isNeeded = false
    grid.tiles.forEachTile(of: cells) { part in
      guard let slot = grid.slot(of: part.tile) else { return }
      if slots.invalidate(slot, part, keepsRequested: keepsRequested) { isNeeded = true }
    }
    if isNeeded { grid.addSuspect(cells) }
  }

  // MARK: Queries

  /// The contents, one entry for each grid with tiles: those with needed cells first, then those that were needed last.
  func entries(now: Duration) -> [StoreEntry] {
    func order(_ entry: StoreEntry) -> (Int, Duration, Int, String) {
      (entry.pinnedTileCount > 0 ? 0 : 1, entry.age, -entry.byteCount, "\(entry.region)")
    }
    return grids.values.filter { $0.tileCount > 0 }.map { StoreEntry($0, slots, now: now) }
      .sorted { order($0) < order($1) }
  }

  /// Whether all cells of a region have a value, current or stale.
  func isKnown(_ region: Region, of key: GridKey) -> Bool {
    guard let grid = grids[key] else { return false }
    var areKnown = true
    for rect in region.rects where areKnown {
      grid.tiles.forEachTile(of: rect) { part in
        guard areKnown else { return }
        areKnown = grid.slot(of: part.tile).map { slots.states[$0].known.contains(part) } ?? false
      }
    }
    return areKnown
  }

  /// The cells of a grid of cells; nil if there is none.
  func cellGrid(_ key: GridKey) -> CellGrid? {
    if case .cells(let grid) = grids[key]?.storage { grid } else { nil }
  }

  /// The pixels of a grid of pixels; nil if there is none.
  func pixelGrid(_ key: GridKey) -> PixelGrid? {
    if case .pixels(let grid) = grids[key]?.storage { grid } else { nil }
  }

  // MARK: Capture

  /// Whether cells that an owner needs may have to be captured. May be true without need, because
  /// suspects are rectangles.
  func mayMissCells(of owner: NeedOwner) -> Bool {
    grids.values.contains { grid in
      guard !grid.suspects.isEmpty, let need = grid.needs[owner] else { return false }
      return grid.suspects.contains { need.intersects($0) }
    }
  }

  /// Starts a capture by the display: returns all needed cells of captured backdrops that are neither current nor
  /// requested, each once, and marks them as requested. The sources of all needed cells must be watched. Cells that depend on
  /// the pixels that `hidden` returns for their view are not returned: cells with a value become current, and the others wait for
  /// `damage` of these pixels.
  mutating func startCapture(
    without hidden: (View) -> Region = { _ in Region() }
  ) -> [CaptureTarget] {
    startCapture(of: { !$0.isComposed }, without: hidden)
  }

  /// Like `startCapture`, but for one backdrop, which the engine composes.
  mutating func startComposing(_ backdrop: Backdrop) -> [CaptureTarget] {
    startCapture(of: { $0 == backdrop }, without: { _ in Region() })
  }

  private mutating func startCapture(
    of includes: (Backdrop) -> Bool, without hidden: (View) -> Region
  ) -> [CaptureTarget] {
    var targets: [CaptureTarget] = []
    for grid in grids.values where includes(grid.key.backdrop) {
      let suspects = grid.takeSuspects()
      if suspects.isEmpty { continue }
      let hiddenCells = Region(
        hidden(grid.key.backdrop.view).rects.flatMap { grid.cells(dependingOn: $0) })
      for suspect in suspects {
        for cells in missing(in: suspect, of: grid) {
          let kept = hiddenCells.intersection(cells)
          for rect in kept.rects { keep(rect, in: grid) }
          for cells in kept.isEmpty ? [cells] : Region(cells).subtracting(kept).rects {
            request(cells, in: grid)
            targets.append(CaptureTarget(grid: grid, cells: cells))
          }
        }
      }
    }
    return targets
  }

  /// Makes the cells of a rectangle current, except those without a value.
  private mutating func keep(_ cells: Rect, in grid: StoredGrid) {
    grid.tiles.forEachTile(of: cells) { part in
      guard let slot = grid.slot(of: part.tile) else { return }
      slots.states[slot].valid.insert(part, in: slots.states[slot].known)
    }
  }

  /// The needed cells in `cells` that are neither current nor requested, as disjoint rectangles.
  private func missing(in cells: Rect, of grid: StoredGrid) -> [Rect] {
    var bands = Bands()
    // The parts of one row of tiles. An absent tile is not needed.
    var parts: [TilePart] = []
    grid.tiles.forEachTile(of: cells) { part in
      if let first = parts.first, first.origin.y != part.origin.y {
        appendMissing(in: parts, of: grid, to: &bands)
        parts.removeAll(keepingCapacity: true)
      }
      parts.append(part)
    }
    appendMissing(in: parts, of: grid, to: &bands)
    return bands.rects
  }

  /// Appends the missing cells of `parts`, which are neighbours in one row of tiles. Rows of cells with the
  /// same missing cells, which are frequent, are one band.
  private func appendMissing(in parts: [TilePart], of grid: StoredGrid, to bands: inout Bands) {
    guard let rows = parts.first?.rows, let top = parts.first?.origin.y else { return }
    var band = missing(inRow: rows.lowerBound, of: parts, in: grid)
    var start = rows.lowerBound
    func append(to bands: inout Bands, upTo end: Int) {
      bands.append(edges(of: band, in: parts), top + start..<top + end)
    }
    for row in rows.dropFirst() where !isMissing(band, inRow: row, of: parts, in: grid) {
      append(to: &bands, upTo: row)
      band = missing(inRow: row, of: parts, in: grid)
      start = row
    }
    append(to: &bands, upTo: rows.upperBound)
  }

  /// The missing cells of each part in a row, as bits.
  private func missing(inRow row: Int, of parts: [TilePart], in grid: StoredGrid) -> [UInt32] {
    parts.map { missing(inRow: row, of: $0, in: grid) }
  }

  /// Whether `bits` are the missing cells of each part in a row.
  private func isMissing(
    _ bits: [UInt32], inRow row: Int, of parts: [TilePart], in grid: StoredGrid
  ) -> Bool {
    for (bits, part) in zip(bits, parts)
    where bits != missing(inRow: row, of: part, in: grid) { return false }
    return true
  }

  private func missing(inRow row: Int, of part: TilePart, in grid: StoredGrid) -> UInt32 {
    guard let slot = grid.slot(of: part.tile) else { return 0 }
    return part.bits & slots.states[slot].missing(inRow: row)
  }

  /// The columns where runs of ones begin and end in turn. `bits` are those of one row of each part.
  private func edges(of bits: [UInt32], in parts: [TilePart]) -> [Int] {
    var edges: [Int] = []
    for (bits, part) in zip(bits, parts) {
      bits.forEachRun {
        edges.appendRun($0.lowerBound + part.origin.x, $0.upperBound + part.origin.x)
      }
    }
    return edges
  }

  /// Marks cells as requested.
  private mutating func request(_ cells: Rect, in grid: StoredGrid) {
    grid.tiles.forEachTile(of: cells) { part in
      guard let slot = grid.slot(of: part.tile) else { return }
      slots.states[slot].requested.insert(part)
    }
  }

  /// Records that the pixels of a target could not be read. The next capture includes its cells, if
  /// they are still needed.
  mutating func fail(_ target: CaptureTarget) {
    guard let grid = current(target) else { return }
    grid.tiles.forEachTile(of: target.cells) { part in
      guard let slot = grid.slot(of: part.tile) else { return }
      slots.states[slot].requested.subtract(part)
    }
    grid.addSuspect(target.cells)
  }

  /// Computes the cells of a target from captured pixels (BGRX) with up to `threads` threads. Traps
  /// if `layout` does not cover the source of the target. Returns a region that contains every cell
  /// whose value changed; it is empty if no value changed, or if the grid was removed.
  ///
  /// A cell becomes valid only if no change was reported since `startCapture` that the pixels may not
  /// include. Otherwise it is stale, and the next capture includes it again.
  mutating func update(
    _ target: CaptureTarget, _ pixels: Span<UInt32>, _ layout: PixelLayout, threads: Int
  ) -> Region {
    guard let grid = current(target) else { return Region() }
    let changed = grid.update(with: pixels, layout, target.cells, threads: threads)
    grid.tiles.forEachTile(of: target.cells) { part in
      let slot = slots.makeSlot(part.tile, in: grid)
      slots.recordValues(slot, part)
    }
    evict()
    return changed
  }

  /// The grid of a target; nil if it was removed since the capture started.
  private func current(_ target: CaptureTarget) -> StoredGrid? {
    grids[target.key] === target.grid ? target.grid : nil
  }

  // MARK: Memory

  /// Evicts all tiles that are not pinned.
  mutating func shrink() {
    while slots.evictOldest() { statistics.evictions += 1 }
  }

  /// Evicts tiles while a limit is exceeded. Pinned tiles count, but are not evicted.
  private mutating func evict() {
    while byteCount > limits.byteCount || tileCount > limits.tileCount {
      guard slots.evictOldest() else { return }
      statistics.evictions += 1
    }
  }

  private mutating func makeGrid(_ key: GridKey) -> StoredGrid {
    if let grid = grids[key] { return grid }
    let grid = StoredGrid(key)
    grids[key] = grid
    return grid
  }
}

/// The limits of the store, for all tiles, including pinned ones. Pinned tiles alone may exceed
/// them.
package struct StoreLimits: Equatable, Sendable {
  package var byteCount, tileCount: Int

  package init(byteCount: Int = 16 << 20, tileCount: Int = 4096) {
    self.byteCount = byteCount
    self.tileCount = tileCount
  }
}

/// The statistics of the store since its start.
package struct StoreStatistics: Equatable, Sendable {
  /// The number of parts of tiles that a pane began to need while all their cells had values.
  package var hits = 0
  /// The number of parts of tiles that a pane began to need while at least one of their cells had no value.
  package var misses = 0
  /// The number of evicted tiles.
  package var evictions = 0
}

extension [Int] {
  /// Appends the start and the end of a run of columns. A run that starts where the last one ends
  /// is joined with it.
  fileprivate mutating func appendRun(_ start: Int, _ end: Int) {
    if last == start { self[count - 1] = end } else { self += [start, end] }
  }
}

extension UInt32 {
  /// Calls `body` with the bit numbers of each run of ones, from the lowest bit on.
  fileprivate func forEachRun(_ body: (Range<Int>) -> Void) {
    var bits = self
    while bits != 0 {
      let start = bits.trailingZeroBitCount
      let end = start + (~(bits >> UInt32(start))).trailingZeroBitCount
      body(start..<end)
      // A shift by 32 gives zero.
      bits &= ~0 << UInt32(end)
    }
  }
}
