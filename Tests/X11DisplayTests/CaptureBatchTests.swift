import Engine
import Raster
import TestDice
import Testing

@testable import X11Display

/// A batch that reads some regions of views of a random stack.
private struct RandomBatch {
  let layers: [View: [WindowLayer]]
  var batch: CaptureBatch

  init(using dice: inout Dice) {
    let stack = WindowStack.random(using: &dice)
    var layers: [View: [WindowLayer]] = [:]
    for view in [View.belowPanes(.normal), .belowWindow(WindowID(number: 5)), .wallpaper] {
      let region = Region((0..<dice.roll(0...3)).map { _ in dice.rect(in: smallScreen) })
      layers[view] = stack.layers(in: region, of: view, inFront: [])
    }
    self.layers = layers
    batch = CaptureBatch(number: 1, layers) { layer in
      var window: UInt32 = 101
      if case .window(let id) = layer.source { window = id }
      return CaptureBatch.Source(
        window: window, isWallpaper: layer.source == .wallpaper,
        origin: layer.geometry?.origin ?? (0, 0), hasAlpha: layer.hasAlpha, changeCount: 0)
    }
  }

  /// Reads all images, which arrive in any order, except those of some pieces. Returns the outcome.
  mutating func read(missing: Set<Int>, using dice: inout Dice) -> CaptureBatch.Outcome {
    var ids = batch.requestImages(isShared: Bool.random(using: &dice)).map(\.id)
    ids.shuffle(using: &dice)
    var outcome = ids.isEmpty ? batch.outcome : nil
    for id in ids {
      #expect(outcome == nil, "not all images have arrived")
      outcome = batch.end(id, isStored: !missing.contains(id.piece))
    }
    return outcome ?? CaptureBatch.Outcome()
  }

  /// The number of the batch's pieces of a window that contain a pixel.
  func readCount(of window: UInt32, _ pixel: Rect) -> Int {
    batch.pieces.count { $0.source.window == window && $0.rect.contains(pixel) }
  }
}

private func pixels(of region: Region) -> [Rect] {
  region.rects.flatMap { rect in
    rect.rows.flatMap { y in rect.columns.map { Rect(x: $0, y: y, width: 1, height: 1) } }
  }
}

@Suite struct CaptureBatchTests {
  @Test(arguments: 0..<300)
  func pixelThatSeveralViewsShowIsReadOnce(seed: Int) {
    var dice = Dice(seed: seed)
    let random = RandomBatch(using: &dice)
    for (view, layers) in random.layers {
      for layer in layers {
        for pixel in pixels(of: layer.region) {
          let found = random.batch.layers(in: pixel, of: view).first { $0.layer == layer }
          let pieces = random.batch.pieces[found?.pieces ?? 0..<0]
          let piece = pieces.first { $0.rect.contains(pixel) }
          #expect(piece.map { random.readCount(of: $0.source.window, pixel) } == 1)
        }
      }
    }
    var end = 0
    for piece in random.batch.pieces {
      #expect(piece.range.lowerBound == end, "pieces follow each other in the store")
      end = piece.range.upperBound
    }
    #expect(random.batch.pixelCount == end)
  }

  @Test(arguments: 0..<300)
  func missingPieceFailsWhereViewsShowIt(seed: Int) {
    var dice = Dice(seed: seed)
    var random = RandomBatch(using: &dice)
    let missing = random.batch.pieces.indices.filter { _ in dice.roll(0...3) == 0 }
    let outcome = random.read(missing: Set(missing), using: &dice)
    for (view, layers) in random.layers {
      var expected = Region()
      for layer in layers {
        for pixel in pixels(of: layer.region) {
          let pieces = random.batch.layers(in: pixel, of: view).first { $0.layer == layer }?.pieces
          let isMissing = missing.contains { index in
            pieces?.contains(index) == true && random.batch.pieces[index].rect.contains(pixel)
          }
          if isMissing { expected.form(union: pixel) }
        }
      }
      #expect(outcome.failed[view, default: Region()] == expected)
    }
    let windows = missing.map { random.batch.pieces[$0].source }.filter { !$0.isWallpaper }
    #expect(Set(outcome.windows.map(\.id)) == Set(windows.map(\.window)))
  }

  /// Without shared memory in bands of at most 64 KiB, or one row.
  @Test(arguments: 0..<100, [false, true])
  func imagesHaveEachRowOfEachPieceOnce(seed: Int, isShared: Bool) {
    var dice = Dice(seed: seed)
    var batch = someBatch(&dice)
    var rows: [Int: [Int]] = [:]
    for request in batch.requestImages(isShared: isShared) {
      let piece = batch.pieces[request.id.piece]
      let (whole, part) = (piece.rectInWindow, request.rect)
      #expect(part.columns == whole.columns && whole.contains(part))
      #expect(isShared ? part == whole : part.height == 1 || 4 * part.area <= 1 << 16)
      #expect(request.id.row == part.y - whole.y)
      #expect(request.index == piece.index + request.id.row * part.width)
      #expect(request.window == piece.source.window && request.clears == piece.source.isWallpaper)
      rows[request.id.piece, default: []] += part.rows
    }
    for (number, piece) in batch.pieces.enumerated() {
      let rect = piece.rectInWindow
      let isReadable = Int16(exactly: rect.x) != nil && Int16(exactly: rect.y) != nil
      #expect(piece.isMissing != isReadable)
      #expect(rows[number] == (isReadable ? Array(rect.rows) : nil))
    }
  }

  /// Large regions, of a window that may be larger than the coordinates of the protocol.
  private func someBatch(_ dice: inout Dice) -> CaptureBatch {
    let rects = (0..<dice.roll(1...4)).map { _ in
      Rect(
        x: dice.roll(0...6000), y: dice.roll(0...6000), width: dice.roll(1...4000),
        height: dice.roll(1...300))
    }
    let layers = WindowStack().layers(in: Region(rects), of: .wallpaper, inFront: [])
    let origin = dice.roll(0...2) == 0 ? (x: -30_000, y: 0) : (x: 0, y: 0)
    return CaptureBatch(number: 7, [.wallpaper: layers]) { _ in
      CaptureBatch.Source(
        window: 101, isWallpaper: Bool.random(using: &dice), origin: origin, hasAlpha: false,
        changeCount: 0)
    }
  }

  @Test(arguments: 0..<300)
  func singlePieceIsThatOfTheOnlyOpaqueLayer(seed: Int) {
    var dice = Dice(seed: seed)
    let random = RandomBatch(using: &dice)
    for view in random.layers.keys {
      let rect = dice.rect(in: smallScreen)
      guard let piece = random.batch.single(in: rect, of: view) else { continue }
      for pixel in pixels(of: Region(rect)) {
        let layers = random.batch.layers(in: pixel, of: view)
        #expect(layers.count == 1 && layers.first?.layer.isTranslucent == false)
        #expect(piece.rect.contains(pixel))
      }
    }
  }
}
