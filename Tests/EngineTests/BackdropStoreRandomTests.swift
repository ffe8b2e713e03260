@testable import Engine
@testable import Frost
import Panes
import Raster
import TestDice
import Testing

/// `BackdropStore` under random operations against a plain model.
@Suite struct BackdropStoreRandomTests {
  @Test(arguments: 0..<120)
  func anySequenceAgreesWithModel(seed: Int) {
    var run = StoreRun(seed: seed)
    for _ in 0..<120 where !run.hasFailed {
      run.act()
      run.check()
    }
    run.checkEveryCell()
    run.checkValues()
    run.captureAll()
    run.checkEveryCell()
    run.checkValues()
  }
}

/// A store, its model, and the pixels of all views.
private struct StoreRun: ~Copyable {
  private var dice: Dice
  private var store: BackdropStore
  private var grids: [ModelGrid] = []
  private var pictures: [View: Bitmap] = [:]
  private let output: Rect
  private var statistics = StoreStatistics()
  private var time = 0
  private var open: [OpenTarget] = []
  private var step = 0
  private let failure = Failure()

  private static let views = [
    View.belowPanes(.normal), .wallpaper, .belowWindow(WindowID(number: 7)),
  ]
  private static let owners = (1...3).map { NeedOwner(number: $0) }

  /// A target that is neither updated nor failed.
  private struct OpenTarget {
    let target: CaptureTarget
    let grid: Int
    let generation: Int
    /// The pixels at the start of the capture; nil if it reads those at its end.
    let picture: Bitmap?
  }

  /// Whether a difference was reported. Those that follow from it are not.
  private final class Failure {
    var isReported = false
  }

  var hasFailed: Bool { failure.isReported }

  init(seed: Int) {
    var dice = Dice(seed: seed)
    let output = Rect(
      x: dice.roll(-80...80), y: dice.roll(-80...80), width: dice.roll(1...120),
      height: dice.roll(1...90))
    self.output = output
    let limits =
      seed % 4 == 0
      ? StoreLimits()
      : StoreLimits(byteCount: dice.roll(0...40) * tileByteCount, tileCount: dice.roll(0...40))
    store = BackdropStore(limits: limits)
    for view in Self.views {
      pictures[view] = .noise(width: output.width, height: output.height, using: &dice)
    }
    let outputs = [0, 2].map {
      OutputKey(Output(name: "one", bounds: output, orientation: Orientation(quarterTurns: $0)))
    }
    let kinds: [GridKey.Kind] = [
      .pixels, .cells(Reduction(cell: 1)),
      .cells(Reduction(cell: 2)),
      .cells(Reduction(cell: 4)),
      .cells(Reduction(cell: 8)),
    ]
    var keys: Set<GridKey> = []
    for _ in 0..<dice.roll(1...5) {
      let view = Self.views[dice.roll(0...2)]
      let kind = kinds[dice.roll(0...kinds.count - 1)]
      let key = GridKey(backdrop: .captured(view), output: outputs[dice.roll(0...1)], kind: kind)
      if keys.insert(key).inserted { grids.append(ModelGrid(key)) }
    }
    self.dice = dice
  }

  // MARK: Operations

  mutating func act() {
    step += 1
    time += 1
    switch dice.roll(0...19) {
    case 0...4: setNeeds()
    case 5...7: draw()
    case 8 where dice.roll(0...3) == 0: redrawUnwatched()
    case 9 where dice.roll(0...1) == 0: shrink()
    default: if open.isEmpty { startCapture() } else { endTarget(fails: dice.roll(0...4) == 0) }
    }
  }

  private mutating func setNeeds() {
    let owner = Self.owners[dice.roll(0...2)]
    var needs: [GridKey: Region] = [:]
    for grid in grids where dice.roll(0...2) > 0 { needs[grid.key] = need(of: owner, in: grid) }
    store.setNeeds(of: owner, needs)
    for i in grids.indices {
      let region = needs[grids[i].key] ?? Region()
      let (hits, misses) = grids[i].setNeed(of: owner, region, time: time)
      statistics.hits += hits
      statistics.misses += misses
    }
    recordEvictions()
    for i in grids.indices { grids[i].removeIfEmpty() }
  }

  /// No cells, the same as before but moved, or others.
  private mutating func need(of owner: NeedOwner, in grid: ModelGrid) -> Region {
    switch dice.roll(0...5) {
    case 0:
      return Region()
    case 1...3:
      let old = grid.needs[owner] ?? Region()
      return old.translated(x: dice.roll(-3...3), y: dice.roll(-3...3)).intersection(grid.field)
    default:
      return Region((0..<dice.roll(1...3)).map { _ in dice.rect(in: grid.field) })
    }
  }

  private mutating func draw() {
    let view = Self.views[dice.roll(0...2)]
    let rects = (0..<dice.roll(1...3)).map { _ in dice.rect(in: output) }
    for rect in rects { drawSilently(rect, view) }
    let isCaptured = open.allSatisfy { $0.picture == nil } && Bool.random(using: &dice)
    store.damage(Region(rects), of: .captured(view), isCaptured: isCaptured)
    for i in grids.indices where grids[i].key.backdrop.view == view {
      for rect in rects { grids[i].damage(rect, isCaptured: isCaptured) }
    }
  }

  private mutating func drawSilently(_ rect: Rect, _ view: View) {
    for y in rect.rows {
      for x in rect.columns {
        pictures[view]?[x - output.x, y - output.y] = UInt32(truncatingIfNeeded: dice.next())
      }
    }
  }

  /// Changes pixels without damage, because nothing is watched.
  private mutating func redrawUnwatched() {
    for view in Self.views { drawSilently(output, view) }
    store.invalidateAll()
    for i in grids.indices { grids[i].invalidate() }
  }

  private mutating func shrink() {
    store.shrink()
    recordEvictions(keeping: 0)
  }

  // MARK: Capture

  private mutating func startCapture() {
    let isReadAtStart = Bool.random(using: &dice)
    var missing = grids.map(\.missing)
    for target in store.startCapture() {
      guard let i = grids.firstIndex(where: { $0.key == target.key }) else {
        report("a target of an unknown grid")
        continue
      }
      expect(!target.cells.isEmpty, "an empty target")
      for y in target.cells.rows {
        for x in target.cells.columns {
          let isMissing = missing[i].remove(SIMD2(x, y)) != nil
          expect(isMissing, "cell \(x),\(y) is captured twice or not needed")
        }
      }
      expect(
        target.source == grids[i].source(ofCells: target.cells), "another source: \(target.source)")
      grids[i].request(target.cells)
      open.append(
        OpenTarget(
          target: target, grid: i, generation: grids[i].generation,
          picture: isReadAtStart ? pictures[target.key.backdrop.view] : nil))
    }
    expect(missing.allSatisfy(\.isEmpty), "needed cells are not captured")
    for owner in Self.owners {
      expect(!store.mayMissCells(of: owner), "cells may be missing after a capture started")
    }
  }

  /// Updates the cells of one target, or records that it could not be read.
  private mutating func endTarget(fails: Bool) {
    let one = open.remove(at: dice.roll(0...open.count - 1))
    let isCurrent = grids[one.grid].generation == one.generation
    if fails {
      store.fail(one.target)
      if isCurrent { grids[one.grid].fail(one.target.cells) }
      return
    }
    guard let picture = one.picture ?? pictures[one.target.key.backdrop.view] else { return }
    let changed = store.update(
      one.target, picture.pixels.span, PixelLayout(output), threads: dice.roll(1...2))
    expect(one.target.cells.contains(changed.bounds), "cells outside the target changed")
    if isCurrent {
      grids[one.grid].update(with: one.target.cells, time: time)
      recordEvictions()
    } else {
      expect(changed.isEmpty, "cells of a grid that was given up changed")
    }
  }

  /// Captures until all needed cells are current.
  mutating func captureAll() {
    while !open.isEmpty { endTarget(fails: false) }
    startCapture()
    while !open.isEmpty { endTarget(fails: false) }
    check()
    for owner in Self.owners {
      expect(!store.mayMissCells(of: owner), "cells may be missing after a capture")
    }
    for grid in grids {
      for need in grid.needs.values where !need.isEmpty {
        expect(store.isValid(need, of: grid.key), "needed cells are not valid after a capture")
      }
    }
  }

  // MARK: Evictions

  private var tileCount: Int { grids.reduce(0) { $0 + $1.presentTiles.count } }

  /// Takes the evicted tiles over from the store, and checks their number and their order. Tiles
  /// that became unneeded at the same time may be evicted in any order.
  private mutating func recordEvictions(keeping limit: Int? = nil) {
    let limits = store.limits
    let allowed = limit ?? min(limits.tileCount, limits.byteCount / tileByteCount)
    let evictable = grids.reduce(0) { $0 + $1.evictable.count }
    let expected = min(evictable, max(0, tileCount - allowed))
    var evicted: [Int] = []
    for i in grids.indices {
      for (tile, time) in grids[i].evictable {
        guard let cell = grids[i].knownCell(ofTile: tile) else {
          report("an evictable tile without a value")
          continue
        }
        if store.isKnown(Region(cell), of: grids[i].key) { continue }
        evicted.append(time)
        grids[i].remove(tile: tile)
      }
    }
    statistics.evictions += evicted.count
    expect(evicted.count == expected, "\(evicted.count) evictions, not \(expected)")
    if let newest = evicted.max(), let oldest = grids.flatMap(\.evictable.values).min() {
      expect(newest <= oldest, "a tile of \(newest) is evicted before one of \(oldest)")
    }
  }

  // MARK: Checks

  /// Compares counts and some regions.
  mutating func check() {
    let count = tileCount
    let pinned = grids.reduce(0) { $0 + $1.neededTiles.count }
    expect(store.tileCount == count, "\(store.tileCount) tiles, not \(count)")
    expect(store.byteCount == count * tileByteCount, "\(store.byteCount) bytes")
    expect(store.pinnedTileCount == pinned, "\(store.pinnedTileCount) pinned tiles, not \(pinned)")
    expect(store.statistics == statistics, "\(store.statistics), not \(statistics)")
    let isOverLimit =
      store.tileCount > store.limits.tileCount || store.byteCount > store.limits.byteCount
    expect(!isOverLimit || store.tileCount == store.pinnedTileCount, "the limits are exceeded")
    for grid in grids {
      let region = Region((0..<dice.roll(1...2)).map { _ in dice.rect(in: grid.field) })
      compare(region, of: grid)
      for need in grid.needs.values { compare(need, of: grid) }
      let missing = grid.missing.map { Rect(x: $0.x, y: $0.y, width: 1, height: 1) }
      for (owner, need) in grid.needs where missing.contains(where: { need.contains($0) }) {
        expect(store.mayMissCells(of: owner), "a missing cell is not noticed")
      }
    }
  }

  mutating func checkEveryCell() {
    for grid in grids {
      for y in grid.field.rows {
        for x in grid.field.columns {
          compare(Region(Rect(x: x, y: y, width: 1, height: 1)), of: grid)
        }
      }
    }
  }

  private func compare(_ region: Region, of grid: ModelGrid) {
    let isKnown = store.isKnown(region, of: grid.key)
    let isValid = store.isValid(region, of: grid.key)
    expect(isKnown == grid.areAll(region, .known), "\(region) is known: \(isKnown)")
    expect(isValid == grid.areAll(region, .valid), "\(region) is valid: \(isValid)")
  }

  /// Compares the values of valid cells with those computed from the current pixels.
  func checkValues() {
    for grid in grids {
      guard let picture = pictures[grid.key.backdrop.view] else { continue }
      var isWrong = false
      if let stored = store.cellGrid(grid.key) {
        let whole = CellGrid(stored.geometry)
        _ = whole.update(
          with: picture.pixels.span, PixelLayout(output), isOpaque: true, cells: grid.field,
          threads: 1)
        grid.forEachValid { x, y in
          isWrong = isWrong || stored.values(x: x, y: y) != whole.values(x: x, y: y)
        }
      } else if let stored = store.pixelGrid(grid.key) {
        var pixels = Bitmap(width: output.width, height: output.height)
        var span = pixels.pixels.mutableSpan
        stored.copy(output, into: &span, PixelLayout(output))
        grid.forEachValid { x, y in
          let (x, y) = (x - output.x, y - output.y)
          isWrong = isWrong || (pixels[x, y] ^ picture[x, y]) & 0x00ff_ffff != 0
        }
      }
      expect(!isWrong, "a valid cell of \(grid.key) has an old value")
    }
  }

  private func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
    if !condition { report(text()) }
  }

  private func report(_ text: String) {
    if hasFailed { return }
    failure.isReported = true
    Issue.record("\(dice), step \(step): \(text)")
  }
}

extension ModelGrid {
  fileprivate func source(ofCells cells: Rect) -> Rect {
    guard case .cells(let reduction) = key.kind else { return cells }
    return GridGeometry(output: key.output.bounds, reduction: reduction).source(ofCells: cells)
  }

  fileprivate func forEachValid(_ body: (_ x: Int, _ y: Int) -> Void) {
    for y in field.rows {
      for x in field.columns where state(x: x, y: y).contains(.valid) { body(x, y) }
    }
  }
}

extension CellGrid {
  /// The four values of a cell.
  fileprivate func values(x: Int, y: Int) -> [UInt16] {
    withValues { values in
      let blue = tiles.valueIndex(x: x, y: y)
      let green = blue + CellTile.pitch
      return [values[blue], values[blue + 1], values[green], values[green + 1]]
    }
  }
}
