import Engine
import Raster
import TestDice
import Testing

@testable import X11Display

/// The bands of an update of an overlay are its parts, each pixel once, and its images have a place each in the buffer.
@Suite struct OverlayUpdateTests {
  private func update(_ parts: [Rect], in rect: Rect) -> OverlayUpdate {
    let state = OverlayState(
      rect: rect, hasAlpha: false, opaque: Region(rect), inputRegion: Region())
    return OverlayUpdate(OverlayID(number: 1), state, parts, usesSecondBuffer: false)
  }

  /// Takes all bands. Returns them with their images.
  private func bands(
    of update: inout OverlayUpdate, ofPixels pixelCount: Int
  ) -> [(image: OverlayUpdate.Image, band: Rect, isLast: Bool)] {
    var bands: [(image: OverlayUpdate.Image, band: Rect, isLast: Bool)] = []
    while !update.isDrawn { bands.append(update.takeBand(ofPixels: pixelCount)) }
    return bands
  }

  @Test(arguments: 0..<200)
  func bandsAreThePartsAndImagesDoNotOverlap(seed: Int) throws {
    var dice = Dice(seed: seed)
    let rect = Rect(
      x: dice.roll(-50...50), y: dice.roll(-50...50), width: dice.roll(1...3000),
      height: dice.roll(1...3000))
    let parts = Region((0..<dice.roll(0...6)).map { _ in dice.rect(in: rect) }).rects
    var update = update(parts, in: rect)
    let pixelCount = dice.roll(1...3_000_000)
    let bands = bands(of: &update, ofPixels: pixelCount)
    #expect(Region(bands.map(\.band)) == Region(parts))
    #expect(bands.reduce(0) { $0 + $1.band.area } == parts.reduce(0) { $0 + $1.area })
    for (image, band, _) in bands {
      #expect(image.rect.contains(band))
      #expect(band.area <= pixelCount || band.height == 1)
    }
    #expect(bands.filter(\.isLast).map(\.image.rect) == update.images.map(\.rect))
    var end = 0
    for image in update.images {
      #expect(image.start == end)
      end += image.rect.area
    }
    #expect(end == parts.reduce(0) { $0 + $1.area })
  }

  @Test func partsThatFillARectangleAreOneImage() {
    let rect = Rect(x: 10, y: 20, width: 100, height: 80)
    let halves = [
      Rect(x: 10, y: 20, width: 100, height: 30), Rect(x: 10, y: 50, width: 100, height: 50),
    ]
    #expect(update(halves, in: rect).images.map(\.rect) == [rect])
  }

  @Test func largeUpdateIsSentInBands() {
    let rect = Rect(x: 0, y: 0, width: 3000, height: 2000)
    let update = update([rect], in: rect)
    #expect(update.isLarge)
    #expect(update.images.count == 3)
    #expect(update.images.allSatisfy { $0.rect.area <= largePixelCount })
  }

  @Test func restartedUpdateBeginsWithItsFirstBand() {
    let rect = Rect(x: 0, y: 0, width: 100, height: 100)
    var update = update([rect], in: rect)
    let first = update.takeBand(ofPixels: 1000).band
    _ = update.takeBand(ofPixels: 1000)
    update.restart()
    #expect(update.takeBand(ofPixels: 1000).band == first)
  }
}
