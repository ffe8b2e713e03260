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
    for index in missing { random.batch.markMissing(index) }
    let outcome = random.batch.outcome
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
