import Frost

/// The tiles of all grids that have values or are needed, each in a slot with its state; and the
/// order in which tiles that are not needed are evicted. A slot is an index that is valid until its
/// tile is released.
struct TileSlots {
  /// The state of each slot; without meaning for a free slot.
  var states: [TileState] = []
  /// The tile of each slot; nil if the slot is free.
  private var places: [Place?] = []
  private var free: [Int] = []
  /// The slots of tiles that have values and are not needed.
  private var evictable = LRUList()

  private struct Place {
    let grid: StoredGrid
    let tile: Int
  }

  /// The number of slots in use.
  var count: Int { places.count - free.count }
  var evictableCount: Int { evictable.count }

  /// The slot of a tile; a new one with an empty state if it has none. Call `pin` or `recordValues`
  /// next, or the slot is never released.
  mutating func makeSlot(_ tile: Int, in grid: StoredGrid) -> Int {
    if let slot = grid.slot(of: tile) { return slot }
    let slot = free.popLast() ?? places.count
    if slot == places.count {
      places.append(nil)
      states.append(TileState())
    }
    places[slot] = Place(grid: grid, tile: tile)
    states[slot] = TileState()
    grid.setSlot(of: tile, slot)
    return slot
  }

  /// Records that the cells of a part are needed.
  mutating func pin(_ slot: Int, _ part: TilePart) {
    if evictable.contains(slot) { evictable.remove(slot) }
    states[slot].needed.insert(part)
  }

  /// Records that the cells of a part that are not in `needed` are no longer needed. If no cell of
  /// the tile is needed now, it can be evicted; a tile without values is released at once.
  mutating func unpin(_ slot: Int, _ part: TilePart, notIn needed: TileMask) {
    states[slot].needed.subtract(part, notIn: needed)
    if !states[slot].needed.isEmpty || evictable.contains(slot) { return }
    if states[slot].known.isEmpty { release(slot) } else { evictable.append(slot) }
  }

  /// Records that the pixels of the cells of a part changed, except for requested cells if `keepsRequested`.
  /// Returns whether one of them is needed.
  mutating func invalidate(_ slot: Int, _ part: TilePart, keepsRequested: Bool) -> Bool {
    // A requested cell is not valid.
    states[slot].valid.subtract(part)
    if !keepsRequested { states[slot].requested.subtract(part) }
    return states[slot].needed.intersects(part, notIn: states[slot].requested)
  }

  /// Records that the cells of a part were computed. Cells that are still requested were not
  /// damaged since the capture started, so they become current.
  mutating func recordValues(_ slot: Int, _ part: TilePart) {
    states[slot].known.insert(part)
    states[slot].valid.insert(part, in: states[slot].requested)
    states[slot].requested.subtract(part)
    if !evictable.contains(slot), states[slot].needed.isEmpty { evictable.append(slot) }
  }

  /// Releases the least recently needed tile and its memory. Returns false if all tiles are needed.
  mutating func evictOldest() -> Bool {
    guard let slot = evictable.oldest else { return false }
    evictable.remove(slot)
    if let place = places[slot] { place.grid.discard(tile: place.tile) }
    release(slot)
    return true
  }

  /// Frees a slot. The tile must have no memory.
  private mutating func release(_ slot: Int) {
    if let place = places[slot] { place.grid.setSlot(of: place.tile, nil) }
    places[slot] = nil
    free.append(slot)
  }
}

/// The state of the cells of one tile.
struct TileState {
  /// The cells that owners need. A tile with needed cells is pinned.
  var needed = TileMask()
  /// The cells that have a value, current or stale.
  var known = TileMask()
  /// The cells whose value is current: no damage since their capture, and watched all the time.
  var valid = TileMask()
  /// The cells that are being captured, if no change was reported that the capture may not include.
  var requested = TileMask()

  /// The needed cells of a row that are neither current nor requested, as bits.
  func missing(inRow row: Int) -> UInt32 { needed[row] & ~(valid[row] | requested[row]) }
}
