import Raster
import TestDice
import Testing

@testable import Frost

/// Overlays that let some of their backdrop through, and the backdrop that is computed from it.
@Suite struct LeakTests {
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

  /// The screen shows the wanted pixels, except where the leak alone is lighter.
  @Test(arguments: 0..<300)
  func screenShowsWhatIsWanted(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = LeakSample(using: &dice)
    let overlay = sample.overlay()
    sample.forEachPixel { x, y, wanted, below in
      let drawn = overlay[sample.layouts[2].index(x: x, y: y)]
      let share = UInt32(LeakShare.at(x: x, y: y))
      #expect(255 - drawn >> 24 >= share || drawn == wanted)
      #expect(255 - drawn >> 24 == max(share, 255 - wanted >> 24))
      let shown = LeakSample.composed(drawn, over: below)
      let expected = LeakSample.composed(wanted, over: below)
      for shift: UInt32 in [0, 8, 16] {
        let leak = LeakSample.composed(drawn & 0xff00_0000, over: below) >> shift & 255
        #expect(shown >> shift & 255 == max(expected >> shift & 255, leak), "\(x),\(y)")
      }
    }
  }

  /// The fast path and that for one pixel draw the same.
  @Test(arguments: 0..<300)
  func vectorsDrawLikeSinglePixels(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = LeakSample(using: &dice)
    let overlay = sample.overlay()
    sample.forEachPixel { x, y, wanted, below in
      let drawn = overlay[sample.layouts[2].index(x: x, y: y)]
      #expect(drawn == leaky(wanted, over: below, share: LeakShare.at(x: x, y: y)))
    }
  }

  /// Each block of 8x8 pixels has the values that a search among all of them finds.
  @Test(arguments: 0..<500)
  func recoveredPixelsEqualThoseOfASearch(seed: Int) {
    var dice = Dice(seed: seed)
    var sample = LeakSample(using: &dice)
    if seed % 2 == 0 { sample.wanted = sample.wanted.map { $0 | 0xff00_0000 } }
    var overlay = sample.overlay()
    // Opaque marks, another backdrop in places, flat or nearly, and foreign pixels.
    if dice.roll(0...1) == 0 {
      for i in overlay.indices where dice.roll(0...60) == 0 { overlay[i] |= 0xff00_0000 }
    }
    let (changesAll, hasForeign) = (dice.roll(0...2) > 0, dice.roll(0...3) == 0)
    let (flat, noise) = (UInt32(dice.roll(0...0xff_ffff)), dice.roll(0...2))
    let (old, layout) = (sample.backdrop, sample.layouts[1])
    var screen = sample.screen(overlay) { x, y in
      let other: UInt32 =
        switch noise {
        case 0: flat
        case 1: flat ^ UInt32(dice.roll(0...3)) &* 0x1_0101
        default: dice.roll(0...1) == 0 ? flat : UInt32(dice.roll(0...0xff_ffff))
        }
      return changesAll || dice.roll(0...20) == 0 ? other : old[layout.index(x: x, y: y)]
    }
    if hasForeign {
      for i in screen.indices where dice.roll(0...50) == 0 {
        screen[i] = UInt32(truncatingIfNeeded: dice.next())
      }
    }
    let search = LeakSearch(sample: sample, overlay: overlay, screen: screen)
    let (expected, changedBlocks) = search.recovered()
    let result = sample.recover(fromScreen: screen, below: overlay)
    #expect(sample.backdrop == expected)
    let changed = Region(result)
    #expect(changed.area == result.reduce(0) { $0 + $1.area })
    #expect(changedBlocks.allSatisfy { changed.contains($0) })
    #expect(result.isEmpty == changedBlocks.isEmpty)
    for rect in result {
      #expect(changedBlocks.contains { $0.x == rect.x && $0.y == rect.y })
      #expect(changedBlocks.contains { $0.maxX == rect.maxX && $0.y == rect.y })
    }
    // Now it explains the screen.
    let again = sample.recover(fromScreen: screen, below: overlay)
    #expect(again.isEmpty && sample.backdrop == expected)
  }

  /// Bands equal the whole, and write nothing between the rows.
  @Test(arguments: 0..<300)
  func resultIsIndependentOfThreadCount(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = LeakSample(using: &dice)
    let overlay = sample.overlay()
    let screen = sample.screen(overlay) { x, y in
      let old = sample.backdrop[sample.layouts[1].index(x: x, y: y)]
      return dice.roll(0...9) == 0 ? UInt32(truncatingIfNeeded: dice.next()) : old
    }
    var alone = sample
    let changed = alone.recover(fromScreen: screen, below: overlay)
    for threads in [2, 3, 7] {
      #expect(sample.overlay(threads: threads) == overlay)
      var other = sample
      let parts = other.recover(fromScreen: screen, below: overlay, threads: threads)
      #expect(parts == changed && other.backdrop == alone.backdrop)
    }
  }

  /// A second recovery from the same screen, or from the overlay that is drawn over it, changes nothing: a
  /// change would be drawn, captured and recovered for ever.
  @Test(arguments: 0..<500)
  func recoveryEnds(seed: Int) {
    var dice = Dice(seed: seed)
    var sample = LeakSample(using: &dice)
    let truth = sample.backdrop.map { _ in UInt32(truncatingIfNeeded: dice.next()) }
    let layout = sample.layouts[1]
    // The screen shows nearly white glass with at most 255 levels, so a leak is found a level at a time.
    let rounds = Int(LeakShare.range.upperBound) + 2
    for round in 0...rounds {
      let overlay = sample.overlay()
      let screen = sample.screen(overlay) { x, y in truth[layout.index(x: x, y: y)] }
      let changed = sample.recover(fromScreen: screen, below: overlay)
      #expect(changed.isEmpty || round < rounds, "\(changed)")
      #expect(sample.recover(fromScreen: screen, below: overlay).isEmpty)
    }
  }

  /// A backdrop that stands still is never reported as changed, however often it is recovered.
  @Test(arguments: 0..<100)
  func sameBackdropIsNoChange(seed: Int) {
    var dice = Dice(seed: seed)
    var sample = LeakSample(using: &dice)
    let (before, layout) = (sample.backdrop, sample.layouts[1])
    let result = sample.follow { x, y in before[layout.index(x: x, y: y)] }
    #expect(result.isEmpty && sample.backdrop == before)
  }

  /// For all shares and leaks, the pixel and the vector that lie alone in their block.
  @Test func rangesAreThoseOfAllLeaks() {
    for share: UInt32 in 1...255 {
      for leak in 0...share {
        let values = (0...255).filter { LeakSample.leak(UInt32($0), share: share) == leak }
        let leaks = SIMD4<Int32>(repeating: Int32(leak))
        let range = LeakRange(of: leaks, share: Int32(share))
        guard let low = values.first, let high = values.last else { continue }
        #expect(range.low[0] == low && range.high[2] == high)
        #expect(values.contains(Int(range.value(of: leaks, share: Int32(share))[1])))
      }
    }
    for (i, factors) in LeakFactors.all.enumerated() {
      for x in 0..<4 {
        let share = UInt32(LeakShare.at(x: i % 2 * 4 + x, y: i / 2))
        for leak in 0...share {
          let leaks = SIMD8(repeating: UInt16(leak))
          let values = (0...255).filter { LeakSample.leak(UInt32($0), share: share) == leak }
          for lanes in [factors.even, factors.odd] {
            let products = lanes.products(leaks)
            #expect(max(0, Int(lanes.lowest(products)[2 * x])) / 128 == values.first)
            #expect(255 - max(0, Int(lanes.highest(products)[2 * x])) / 128 == values.last)
            #expect(values.contains(Int(lanes.values(leaks)[2 * x])))
          }
        }
      }
    }
  }
}

/// A search for what `recoverBackdrop` computes.
private struct LeakSearch {
  let sample: LeakSample
  let overlay, screen: [UInt32]

  private func pixels(_ x: Int, _ y: Int) -> (shown: UInt32, own: UInt32, old: UInt32) {
    (
      screen[sample.layouts[0].index(x: x, y: y)], overlay[sample.layouts[2].index(x: x, y: y)],
      sample.backdrop[sample.layouts[1].index(x: x, y: y)]
    )
  }

  private func leak(_ x: Int, _ y: Int, _ shift: UInt32) -> Int {
    let pixels = pixels(x, y)
    return Int(pixels.shown >> shift & 255) - Int(pixels.own >> shift & 255)
  }

  private func share(_ x: Int, _ y: Int) -> Int { Int(255 - pixels(x, y).own >> 24) }

  private func isForeign(_ x: Int, _ y: Int) -> Bool {
    let share = share(x, y)
    return share > 0 && [0, 8, 16].contains { !(0...share).contains(leak(x, y, $0)) }
  }

  private func isUsable(_ x: Int, _ y: Int) -> Bool { share(x, y) > 0 && !isForeign(x, y) }

  /// The values of a channel that have the leak of a pixel.
  private func values(_ x: Int, _ y: Int, _ shift: UInt32) -> [Int] {
    (0...255).filter {
      LeakSample.leak(UInt32($0), share: UInt32(share(x, y))) == leak(x, y, shift)
    }
  }

  /// The backdrop, and the blocks that changed.
  func recovered() -> (pixels: [UInt32], changed: [Rect]) {
    var (result, changed) = (sample.backdrop, [Rect]())
    for top in stride(from: 0, to: sample.target.maxY, by: 8) {
      for left in stride(from: 0, to: sample.target.maxX, by: 8) {
        let block = Rect(x: left, y: top, width: 8, height: 8).intersection(sample.target)
        let places = block.rows.flatMap { y in block.columns.map { (x: $0, y: y) } }
          .filter { isUsable($0.x, $0.y) }
        let isChanged = places.contains { x, y in
          let old = pixels(x, y).old
          return [0, 8, 16].contains { (shift: UInt32) in
            let expected = LeakSample.leak(old >> shift & 255, share: UInt32(share(x, y)))
            return Int(expected) != leak(x, y, shift)
          }
        }
        if !isChanged { continue }
        changed.append(block)
        for shift: UInt32 in [0, 8, 16] { recover(places, shift, &result) }
      }
    }
    return (result, changed)
  }

  private func recover(_ places: [(x: Int, y: Int)], _ shift: UInt32, _ result: inout [UInt32]) {
    let candidates = places.map { values($0.x, $0.y, shift) }
    /// The values that all of these places may have.
    func common(_ indices: [Int]) -> [Int] {
      guard let first = indices.first else { return [] }
      return candidates[first].filter { value in
        indices.allSatisfy { candidates[$0].contains(value) }
      }
    }
    let whole = common(Array(places.indices))
    let quarters = Dictionary(grouping: places.indices) { i in
      places[i].y / 4 % 2 * 2 + places[i].x / 4 % 2
    }
    for indices in quarters.values {
      let all = whole.isEmpty ? common(indices) : whole
      for i in indices {
        let (x, y) = places[i]
        let value: Int
        if let low = all.first, let high = all.last {
          value = low == 0 ? 0 : high == 255 ? 255 : (low + high + (x + y) % 2) / 2
        } else {
          let share = share(x, y)
          let near = (leak(x, y, shift) * ((32640 + share / 2) / share) + 64) / 128
          value = min(max(near, candidates[i].first ?? 0), candidates[i].last ?? 255)
        }
        let to = sample.layouts[1].index(x: x, y: y)
        result[to] = result[to] & ~(255 << shift) | UInt32(value) << shift
      }
    }
  }
}
