import Panes
import Raster
import TestDice
import Testing

@testable import WaylandDisplay

/// The places of surfaces on outputs with a scale.
@Suite struct SurfacePlaceTests {
  /// At the usual scales some edge near each pixel is between two pixels, where compositors do not differ.
  @Test(arguments: [1, 1.25, 1.5, 1.75, 2])
  func edgesAreBetweenPixels(scale: Double) {
    let output = Rect(x: 300, y: 40, width: 1400, height: 700)
    var dice = Dice(seed: 11)
    for _ in 0..<1000 {
      let rect = Rect(
        x: dice.roll(300...1600), y: dice.roll(40...650), width: dice.roll(1...70),
        height: dice.roll(1...60))
      let place = SurfacePlace(covering: rect, on: output, scale: scale)
      #expect(place.rect.contains(rect) && output.contains(place.rect), "\(rect)")
      let edges = [
        (place.logical.x, place.rect.x - 300), (place.logical.y, place.rect.y - 40),
        (place.logical.maxX, place.rect.maxX - 300), (place.logical.maxY, place.rect.maxY - 40),
      ]
      for (logical, pixel) in edges {
        #expect(Double(logical) * scale == Double(pixel), "\(rect): \(logical), \(pixel)")
      }
    }
  }
}
