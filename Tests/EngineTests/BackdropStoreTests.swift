@testable import Engine
@testable import Frost
import Panes
import Raster
import TestDice
import Testing

/// `BackdropStore` in single situations.
@Suite struct BackdropStoreTests {
  private let one = NeedOwner(number: 1)
  private let two = NeedOwner(number: 2)

  private func tile(_ column: Int) -> Region {
    Region(Rect(x: 32 * column, y: 0, width: 32, height: 32))
  }

  @Test func neededCellIsCapturedOnceForAllOwners() {
    let scene = StoreScene(StoreLimits())
    scene.setNeed(of: one, tile(0))
    scene.setNeed(of: two, tile(0).union(tile(1)))
    #expect(scene.capture() == 2 * 1024)
    #expect(scene.isValid(tile(0)))
    #expect(scene.isValid(tile(1)))
    #expect(scene.capture() == 0)
  }

  /// Bands of a target are disjoint, are all of it, and need no other pixels.
  @Test(arguments: 0..<100) func bandsDivideATarget(seed: Int) {
    var dice = Dice(seed: seed)
    let output = Output(
      name: "", bounds: dice.rect(in: Rect(x: -90, y: -70, width: 900, height: 700)))
    let plan = Plan(sigma: Double(dice.roll(2...60)))
    let kind: GridKey.Kind = dice.roll(0...1) == 0 ? .pixels : .cells(plan.reduction)
    let grid = StoredGrid(
      GridKey(backdrop: .captured(.belowPanes(.normal)), output: OutputKey(output), kind: kind))
    let all = grid.cells(dependingOn: output.bounds).reduce(Rect.zero) { $0.hull($1) }
    let whole = CaptureTarget(grid: grid, cells: dice.rect(in: all))
    let bands = whole.bands(ofPixels: dice.roll(1...100_000), threads: dice.roll(1...3))
    var next = whole.cells.y
    for band in bands {
      #expect(band.cells.columns == whole.cells.columns, "\(dice)")
      #expect(band.cells.y == next && !band.cells.isEmpty, "\(dice)")
      #expect(whole.source.contains(band.source), "\(dice)")
      next = band.cells.maxY
    }
    #expect(next == whole.cells.maxY, "\(dice)")
  }

  @Test func cellDamagedDuringItsCaptureIsNotValid() {
    let scene = StoreScene(StoreLimits())
    scene.setNeed(of: one, tile(0))
    let targets = scene.store.startCapture()
    let pixel = Region(Rect(x: 5, y: 7, width: 1, height: 1))
    scene.store.damage(pixel, of: .captured(.belowPanes(.normal)))
    scene.update(with: targets)
    #expect(scene.isKnown(tile(0)))
    #expect(!scene.isValid(pixel))
    #expect(scene.isValid(tile(0).subtracting(pixel)))
    #expect(scene.capture() == 1)
    #expect(scene.isValid(tile(0)))
  }

  @Test func damageOfOneViewDoesNotReachOthers() {
    let views = [View.belowPanes(.normal), .wallpaper, .belowWindow(WindowID(number: 7))]
    for damaged in views + [.belowWindow(WindowID(number: 8))] {
      let scene = StoreScene(StoreLimits())
      let needs = views.map { (StoreScene.key(of: $0), tile(0)) }
      scene.store.setNeeds(of: one, Dictionary(uniqueKeysWithValues: needs))
      scene.capture()
      scene.store.damage(tile(0), of: .captured(damaged))
      for view in views {
        #expect(scene.isValid(tile(0), of: view) == (view != damaged), "\(damaged)")
      }
      #expect(scene.mayMissCells(of: one) == views.contains(damaged), "\(damaged)")
    }
  }

  @Test func failedTargetIsCapturedAgain() {
    let scene = StoreScene(StoreLimits())
    scene.setNeed(of: one, tile(0))
    for target in scene.store.startCapture() { scene.store.fail(target) }
    #expect(scene.mayMissCells(of: one))
    #expect(!scene.isKnown(tile(0)))
    #expect(scene.capture() == 1024)
    #expect(scene.isValid(tile(0)))
  }

  /// The cells of the target are gone with their grid, even if a new grid has the same key.
  @Test func targetOfRemovedGridIsIgnored() {
    let scene = StoreScene(StoreLimits())
    scene.setNeed(of: one, tile(0))
    let targets = scene.store.startCapture()
    scene.setNeed(of: one, Region())
    scene.setNeed(of: one, tile(0))
    scene.update(with: targets)
    #expect(!scene.isKnown(tile(0)))
    #expect(scene.capture() == 1024)
    #expect(scene.isValid(tile(0)))
  }

  // MARK: Limits

  /// Needs tiles of the first row one after the other, and captures them.
  private func visit(_ columns: [Int], _ scene: StoreScene) {
    for column in columns {
      scene.setNeed(of: one, tile(column))
      scene.capture()
    }
    scene.setNeed(of: one, Region())
  }

  private func knownColumns(_ scene: StoreScene) -> [Int] {
    (0..<8).filter { scene.isKnown(tile($0)) }
  }

  @Test func tileThatWasNeededLastIsEvictedLast() {
    let scene = StoreScene(StoreLimits(tileCount: 4))
    visit([0, 1, 2, 3, 0, 4, 5], scene)
    #expect(knownColumns(scene) == [0, 3, 4, 5])
    #expect(scene.statistics == StoreStatistics(hits: 1, misses: 6, evictions: 2))
    scene.store.shrink()
    #expect(knownColumns(scene).isEmpty)
    #expect(scene.counts == (tiles: 0, pinned: 0, bytes: 0))
    #expect(scene.statistics.evictions == 6)
  }

  @Test func limitInBytesCountsWholeTiles() {
    let scene = StoreScene(StoreLimits(byteCount: 3 * tileByteCount - 1))
    visit([0, 1, 2], scene)
    #expect(knownColumns(scene) == [1, 2])
    #expect(scene.counts == (tiles: 2, pinned: 0, bytes: 2 * tileByteCount))
  }

  @Test func pinnedTilesMayExceedTheLimits() {
    let scene = StoreScene(StoreLimits(byteCount: 0, tileCount: 0))
    let whole = Region(StoreScene.output)
    scene.setNeed(of: one, whole)
    scene.capture()
    #expect(scene.counts == (tiles: 32, pinned: 32, bytes: 32 * tileByteCount))
    scene.store.shrink()
    #expect(scene.isValid(whole))
    scene.setNeed(of: one, tile(0))
    #expect(scene.counts == (tiles: 1, pinned: 1, bytes: tileByteCount))
    #expect(scene.isValid(tile(0)))
    scene.setNeed(of: one, Region())
    #expect(scene.counts == (tiles: 0, pinned: 0, bytes: 0))
    #expect(scene.statistics.evictions == 32)
  }
}

/// A store of the pixels of an output with 8x4 tiles, all of one colour.
private final class StoreScene {
  var store: BackdropStore
  static let output = Rect(x: 0, y: 0, width: 256, height: 128)
  private let picture = Bitmap(
    width: output.width, height: output.height, filledWith: 0xff12_3456)

  init(_ limits: StoreLimits) { store = BackdropStore(limits: limits) }

  static func key(of view: View) -> GridKey {
    GridKey(
      backdrop: .captured(view), output: OutputKey(Output(name: "one", bounds: output)),
      kind: .pixels)
  }

  func setNeed(of owner: NeedOwner, _ region: Region) {
    store.setNeeds(of: owner, [Self.key(of: .belowPanes(.normal)): region])
  }

  /// Captures all missing cells. Returns their number.
  @discardableResult
  func capture() -> Int {
    let targets = store.startCapture()
    update(with: targets)
    return targets.reduce(0) { $0 + $1.cells.area }
  }

  func update(with targets: [CaptureTarget]) {
    let picture = picture
    for target in targets {
      _ = store.update(target, picture.pixels.span, PixelLayout(Self.output), threads: 1)
    }
  }

  func isKnown(_ region: Region, of view: View = .belowPanes(.normal)) -> Bool {
    store.isKnown(region, of: Self.key(of: view))
  }

  func isValid(_ region: Region, of view: View = .belowPanes(.normal)) -> Bool {
    store.isValid(region, of: Self.key(of: view))
  }

  func mayMissCells(of owner: NeedOwner) -> Bool { store.mayMissCells(of: owner) }

  var statistics: StoreStatistics { store.statistics }

  var counts: (tiles: Int, pinned: Int, bytes: Int) {
    (store.tileCount, store.pinnedTileCount, store.byteCount)
  }
}
