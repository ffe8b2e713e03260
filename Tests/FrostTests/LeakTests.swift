import Raster
import TestDice
import Testing

@testable import Frost

/// Overlays that let some of their backdrop through, and the backdrop that is computed from it.
@Suite struct LeakTests {
  /// A part of an output with layouts of its own for each picture, and random pictures.
  private struct Sample {
    let target: Rect
    let layouts: [PixelLayout]
    /// Opaque, translucent and transparent pixels.
    var wanted: [UInt32]
    var backdrop: [UInt32]

    init(using dice: inout Dice) {
      let target = Rect(
        x: dice.roll(0...40), y: dice.roll(0...40), width: dice.roll(0...40),
        height: dice.roll(0...20))
      self.target = target
      layouts = (0..<3).map { _ in
        let bounds = target.grown(by: dice.roll(0...3))
        return PixelLayout(bounds, stride: bounds.width + dice.roll(0...3))
      }
      let isOpaque = dice.roll(0...1) == 0
      wanted = (0..<layouts[0].pixelCount).map { _ in
        let alpha: UInt32 = isOpaque || dice.roll(0...2) > 0 ? 255 : UInt32(dice.roll(0...255))
        return (0..<3).reduce(alpha << 24) {
          $0 | UInt32(dice.roll(0...Int(alpha))) << (8 * UInt32($1))
        }
      }
      backdrop = (0..<layouts[1].pixelCount).map { _ in UInt32(truncatingIfNeeded: dice.next()) }
    }

    /// The overlay that is drawn.
    func overlay() -> [UInt32] {
      var pixels = [UInt32](repeating: 0x1234_5678, count: layouts[2].pixelCount)
      var span = pixels.mutableSpan
      drawLeakyOverlay(
        target, of: wanted.span, layouts[0], over: backdrop.span, layouts[1], into: &span,
        layouts[2])
      return pixels
    }

    func forEachPixel(_ body: (_ x: Int, _ y: Int, _ wanted: UInt32, _ below: UInt32) -> Void) {
      for y in target.rows {
        for x in target.columns {
          body(
            x, y, wanted[layouts[0].index(x: x, y: y)], backdrop[layouts[1].index(x: x, y: y)])
        }
      }
    }
  }

  /// As a compositor shows a premultiplied pixel over an opaque one.
  private func composed(_ pixel: UInt32, over below: UInt32) -> UInt32 {
    (0..<3).reduce(0) { result, channel in
      let shift = 8 * UInt32(channel)
      let product = Double(below >> shift & 255) * Double(255 - pixel >> 24) / 255
      let sum = (pixel >> shift & 255) + UInt32(product.rounded())
      return result | min(255, sum) << shift
    }
  }

  /// What is recovered twice from the same screen, or from the overlay that is drawn over it, does not change again: a
  /// change would be drawn, captured and recovered for ever.
  @Test(arguments: 0..<500)
  func recoveryEnds(seed: Int) {
    var dice = Dice(seed: seed)
    var sample = Sample(using: &dice)
    let truth = sample.backdrop.map { _ in UInt32(truncatingIfNeeded: dice.next()) }
    func recover(below overlay: [UInt32]) -> [Rect] {
      var screen = overlay
      sample.forEachPixel { x, y, _, _ in
        let (own, below) = (
          sample.layouts[2].index(x: x, y: y), sample.layouts[1].index(x: x, y: y)
        )
        screen[own] = composed(overlay[own], over: truth[below])
      }
      var backdrop = sample.backdrop
      var span = backdrop.mutableSpan
      let changed = recoverBackdrop(
        sample.target, fromScreen: screen.span, sample.layouts[2], below: overlay.span,
        sample.layouts[2], into: &span, sample.layouts[1]
      ).changed
      sample.backdrop = backdrop
      return changed
    }
    // Of nearly white glass the screen shows at most 255 levels, so that a leak is found a level at a time.
    let rounds = Int(LeakShare.range.upperBound) + 2
    for round in 0...rounds {
      let overlay = sample.overlay()
      let changed = recover(below: overlay)
      #expect(changed.isEmpty || round < rounds, "\(changed)")
      #expect(recover(below: overlay).isEmpty)
    }
  }

  /// Every share is used, and each half of them in each quarter of 8x8 pixels.
  @Test func sharesAreSpreadEvenly() {
    var counts: [UInt8: Int] = [:]
    for y in 0..<8 { for x in 0..<8 { counts[LeakShare.at(x: x, y: y), default: 0] += 1 } }
    #expect(Set(counts.keys) == Set(LeakShare.range))
    #expect(counts.values.allSatisfy { (3...4).contains($0) })
    let middle = 16
    for (left, top) in [(0, 0), (4, 0), (0, 4), (4, 4)] {
      let high = (0..<16).count { LeakShare.at(x: left + $0 % 4, y: top + $0 / 4) > middle }
      #expect((6...9).contains(high), "\(left),\(top): \(high)")
    }
  }

  /// What the screen shows is what is wanted, except where the leak alone is lighter.
  @Test(arguments: 0..<300)
  func screenShowsWhatIsWanted(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = Sample(using: &dice)
    let overlay = sample.overlay()
    sample.forEachPixel { x, y, wanted, below in
      let drawn = overlay[sample.layouts[2].index(x: x, y: y)]
      let share = UInt32(LeakShare.at(x: x, y: y))
      #expect(255 - drawn >> 24 >= share || drawn == wanted)
      #expect(255 - drawn >> 24 == max(share, 255 - wanted >> 24))
      let (shown, expected) = (composed(drawn, over: below), composed(wanted, over: below))
      for shift: UInt32 in [0, 8, 16] {
        let leak = composed(drawn & 0xff00_0000, over: below) >> shift & 255
        #expect(shown >> shift & 255 == max(expected >> shift & 255, leak), "\(x),\(y)")
      }
    }
  }

  /// The fast path and that for one pixel draw and recover the same.
  @Test(arguments: 0..<300)
  func vectorsEqualSinglePixels(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = Sample(using: &dice)
    var overlay = sample.overlay()
    sample.forEachPixel { x, y, wanted, below in
      let drawn = overlay[sample.layouts[2].index(x: x, y: y)]
      #expect(drawn == leaky(wanted, over: below, share: LeakShare.at(x: x, y: y)))
    }
    // Opaque marks, another backdrop in places, and foreign pixels.
    for i in overlay.indices where dice.roll(0...60) == 0 { overlay[i] |= 0xff00_0000 }
    var screen = [UInt32](repeating: 0, count: sample.layouts[0].pixelCount)
    let changesAll = dice.roll(0...1) == 0
    let hasForeign = dice.roll(0...1) == 0
    sample.forEachPixel { x, y, _, below in
      let other = UInt32(truncatingIfNeeded: dice.next())
      let isForeign = hasForeign && dice.roll(0...9) == 0
      let behind = changesAll || dice.roll(0...20) == 0 ? other : below
      screen[sample.layouts[0].index(x: x, y: y)] =
        isForeign
        ? other : composed(overlay[sample.layouts[2].index(x: x, y: y)], over: behind)
    }
    var backdrop = sample.backdrop
    var span = backdrop.mutableSpan
    let result = recoverBackdrop(
      sample.target, fromScreen: screen.span, sample.layouts[0], below: overlay.span,
      sample.layouts[2], into: &span, sample.layouts[1])
    var foreignCount = 0
    let changed = Region(result.changed)
    #expect(changed.area == result.changed.reduce(0) { $0 + $1.area })
    // Eight pixels from a multiple of 8 on change together.
    for y in sample.target.rows {
      for group in Dictionary(grouping: sample.target.columns, by: { $0 / 8 }).values {
        let outcomes = group.map { x in
          recovered(
            screen[sample.layouts[0].index(x: x, y: y)],
            overlay[sample.layouts[2].index(x: x, y: y)],
            sample.backdrop[sample.layouts[1].index(x: x, y: y)])
        }
        foreignCount += outcomes.count { $0 == .foreign }
        let isChanged = outcomes.contains(where: \.isChanged)
        for (x, outcome) in zip(group, outcomes) {
          let index = sample.layouts[1].index(x: x, y: y)
          let expected = isChanged ? outcome.backdrop : nil
          #expect(backdrop[index] == expected ?? sample.backdrop[index])
          #expect(!isChanged || changed.contains(Rect(x: x, y: y, width: 1, height: 1)))
        }
      }
    }
    #expect(result.foreignCount == foreignCount)
  }

  /// A backdrop that stands still is never reported as changed, however often it is recovered.
  @Test(arguments: 0..<100)
  func sameBackdropIsNoChange(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = Sample(using: &dice)
    let overlay = sample.overlay()
    var screen = [UInt32](repeating: 0, count: sample.layouts[0].pixelCount)
    sample.forEachPixel { x, y, _, below in
      screen[sample.layouts[0].index(x: x, y: y)] = composed(
        overlay[sample.layouts[2].index(x: x, y: y)], over: below)
    }
    var backdrop = sample.backdrop
    var span = backdrop.mutableSpan
    let result = recoverBackdrop(
      sample.target, fromScreen: screen.span, sample.layouts[0], below: overlay.span,
      sample.layouts[2], into: &span, sample.layouts[1])
    #expect(result == RecoveredBackdrop() && backdrop == sample.backdrop)
  }

  /// Leaks are whole levels, so a flat backdrop is recovered within some. The errors are largest, up to 5, where most of the
  /// shares round in the same direction: near black, white and middle grey.
  @Test func meanOfAFlatBackdropIsRecovered() {
    let target = Rect(x: 0, y: 0, width: 8, height: 8)
    let layout = PixelLayout(target)
    let wanted = [UInt32](repeating: 0xff80_8080, count: 64)
    let before = [UInt32](repeating: 0xff00_0000, count: 64)
    var overlay = wanted
    var span = overlay.mutableSpan
    drawLeakyOverlay(
      target, of: wanted.span, layout, over: before.span, layout, into: &span, layout)
    var errors: [Double] = []
    for level: UInt32 in 0...255 {
      let screen = overlay.map { composed($0, over: level * 0x01_0101) }
      var backdrop = before
      var span = backdrop.mutableSpan
      let result = recoverBackdrop(
        target, fromScreen: screen.span, layout, below: overlay.span, layout, into: &span, layout)
      #expect(result.foreignCount == 0)
      let mean = backdrop.reduce(0.0) { $0 + Double($1 & 255) } / 64
      errors.append(abs(mean - Double(level)))
    }
    #expect(errors.allSatisfy { $0 <= 5 })
    #expect(errors.reduce(0, +) / 256 < 0.9)
    for level in [0x08, 0x1e, 0x64, 0xf5] { #expect(errors[level] < 1.5) }
  }
}
