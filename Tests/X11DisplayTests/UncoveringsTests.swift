import Raster
import Testing

@testable import X11Display

/// Which damage the moves of an overlay caused.
@Suite struct UncoveringsTests {
  private let region = Region([
    Rect(x: 10, y: 10, width: 100, height: 4), Rect(x: 10, y: 14, width: 4, height: 80),
  ])
  private let inside = Rect(x: 20, y: 11, width: 30, height: 2)

  private func uncoverings(first: UInt32, last: UInt32) -> Uncoverings {
    var uncoverings = Uncoverings()
    uncoverings.append(
      Uncoverings.Uncovering(windows: [7, 8], region: region, first: first, last: last),
      processed: first &- 1)
    return uncoverings
  }

  /// Also where sequence numbers wrap around.
  @Test(arguments: [100, UInt32.max - 2]) func damageIsIgnoredOnlyAtItsRequests(first: UInt32) {
    let uncoverings = uncoverings(first: first, last: first &+ 5)
    for offset in -3...9 {
      let sequence = first &+ UInt32(truncatingIfNeeded: offset)
      let parts = uncoverings.changedParts(of: 7, damaged: inside, at: sequence)
      #expect(parts == ((0...5).contains(offset) ? [] : [inside]), "\(offset)")
    }
  }

  @Test func damageOfOtherWindowsIsReal() {
    let uncoverings = uncoverings(first: 100, last: 105)
    #expect(uncoverings.changedParts(of: 8, damaged: inside, at: 102) == [])
    #expect(uncoverings.changedParts(of: 9, damaged: inside, at: 102) == [inside])
  }

  @Test func damageBeyondTheRegionMakesAllOfItUncertain() {
    let uncoverings = uncoverings(first: 100, last: 105)
    let beyond = Rect(x: 20, y: 11, width: 30, height: 4)
    let parts = uncoverings.changedParts(of: 7, damaged: beyond, at: 102)
    #expect(Region(parts).subtracting(region.union(Region(beyond))).isEmpty)
    #expect(region.union(Region(beyond)).subtracting(Region(parts)).isEmpty)
  }

  @Test func severalUncoveringsAreKnownUntilTheyAreProcessed() {
    var uncoverings = uncoverings(first: 100, last: 105)
    let other = Region(Rect(x: 300, y: 0, width: 50, height: 50))
    let next = Uncoverings.Uncovering(windows: [7], region: other, first: 110, last: 113)
    uncoverings.append(next, processed: 105)
    #expect(uncoverings.changedParts(of: 7, damaged: inside, at: 105) == [])
    #expect(uncoverings.changedParts(of: 7, damaged: inside, at: 108) == [inside])
    #expect(uncoverings.changedParts(of: 7, damaged: other.bounds, at: 113) == [])
    #expect(uncoverings.changedParts(of: 7, damaged: inside, at: 113).contains(inside))
  }
}
