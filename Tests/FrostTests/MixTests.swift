@testable import Frost
import Raster
import TestDice
import Testing

/// The mixture of two pictures of a pane.
@Suite struct MixTests {
  @Test func equalsScalarTwin() {
    var dice = Dice(seed: 1101)
    for _ in 0..<300 {
      let scene = MixScene(using: &dice)
      var (mixed, faded) = (scene.below, scene.below)
      var pixels = mixed.pixels.mutableSpan
      mix(
        scene.target, of: scene.above.pixels.span, PixelLayout(scene.aboveBounds),
        weight: scene.weight, into: &pixels, PixelLayout(scene.belowBounds))
      var fadedPixels = faded.pixels.mutableSpan
      fade(
        scene.target, of: &fadedPixels, PixelLayout(scene.belowBounds), to: scene.weight)
      let isRight =
        mixed == scene.expected { scene.mean($0, $1) }
        && faded == scene.expected { below, _ in scene.mean(0, below) }
      #expect(isRight, "\(dice): \(scene.target), \(scene.weight)")
    }
  }

  /// For every two levels: the error is at most half a level plus 1/64, equal levels stay, and no level is beyond
  /// those of which it is the mean.
  @Test func meansAreAccurate() {
    var dice = Dice(seed: 1102)
    for weight in [0, 1, 0.5] + (0..<8).map({ _ in Double.random(in: 0...1, using: &dice) }) {
      var worst = 0.0
      var isBetween = true
      for other in 0..<256 {
        var picture = Bitmap(width: 256, height: 1)
        for own in 0..<256 { picture.pixels[own] = UInt32(own) }
        let above = Bitmap(width: 256, height: 1, filledWith: UInt32(other))
        var pixels = picture.pixels.mutableSpan
        mix(
          above.bounds, of: above.pixels.span, PixelLayout(above.bounds), weight: weight,
          into: &pixels, PixelLayout(above.bounds))
        for own in 0..<256 {
          let mean = Int(pixels[own])
          worst = max(
            worst, abs(Double(mean) - (Double(own) * (1 - weight) + Double(other) * weight)))
          if mean < min(own, other) || mean > max(own, other) { isBetween = false }
        }
      }
      #expect(worst <= 0.5 + 1.0 / 64 && isBetween, "\(dice): \(weight), \(worst)")
    }
  }

  /// Colours of premultiplied pixels stay within alpha.
  @Test func coloursStayWithinAlpha() {
    var dice = Dice(seed: 1103)
    for _ in 0..<50 {
      let scene = MixScene(using: &dice)
      var mixed = scene.below
      var pixels = mixed.pixels.mutableSpan
      mix(
        scene.target, of: scene.above.pixels.span, PixelLayout(scene.aboveBounds),
        weight: scene.weight, into: &pixels, PixelLayout(scene.belowBounds))
      let isWithin = mixed.pixels.allSatisfy { pixel in
        [0, 8, 16].allSatisfy { pixel >> $0 & 255 <= pixel >> 24 }
      }
      #expect(isWithin, "\(dice)")
    }
  }
}

/// Two premultiplied pictures at random places.
private struct MixScene {
  let target, aboveBounds, belowBounds: Rect
  let above, below: Bitmap
  let weight: Double

  init(using dice: inout Dice) {
    let (width, height) = (
      Int.random(in: 0...40, using: &dice), Int.random(in: 0...5, using: &dice)
    )
    target = Rect(x: 3, y: -2, width: width, height: height)
    func around(_ target: Rect) -> Rect {
      let (left, top) = (Int.random(in: 0...9, using: &dice), Int.random(in: 0...3, using: &dice))
      return Rect(
        x: target.x - left, y: target.y - top, width: target.width + left + 2,
        height: target.height + top + 1)
    }
    (aboveBounds, belowBounds) = (around(target), around(target))
    above = .anything(
      width: aboveBounds.width, height: aboveBounds.height, isOpaque: false, using: &dice)
    below = .anything(
      width: belowBounds.width, height: belowBounds.height, isOpaque: false, using: &dice)
    weight = [0, 1, Double.random(in: 0...1, using: &dice)].randomElement(using: &dice) ?? 0
  }

  func expected(_ combine: (_ below: UInt32, _ above: UInt32) -> UInt32) -> Bitmap {
    var expected = below
    for y in target.rows {
      for x in target.columns {
        let (column, row) = (x - belowBounds.x, y - belowBounds.y)
        expected[column, row] = combine(
          below[column, row], above[x - aboveBounds.x, y - aboveBounds.y])
      }
    }
    return expected
  }

  func mean(_ one: UInt32, _ other: UInt32) -> UInt32 {
    let share = min(32767, Int((weight * 32768).rounded()))
    return [0, 8, 16, 24].reduce(0) { pixel, shift in
      let (a, b) = (Int(one >> shift & 255), Int(other >> shift & 255))
      let product = ((b - a) * 128 * share) >> 16
      return pixel | UInt32((64 * a + product + 32) >> 6) << UInt32(shift)
    }
  }
}
