import Raster
import Testing

@testable import WaylandDisplay

@Suite struct BackdropLevelTests {
  /// A pixel of a backdrop is changed where it is: the whole backdrop is not copied for it.
  @Test(arguments: BackdropLevel.allCases)
  func pixelsOfALevelAreChangedInPlace(level: BackdropLevel) {
    let bounds = Rect(x: 0, y: 0, width: 128, height: 128)
    let owner = LevelOwner()
    for level in BackdropLevel.allCases { owner.levels[level].watch(Region(bounds), on: bounds) }
    let before = owner.pixelAddress(of: level)
    for x in 0..<100 {
      owner.levels[level].backdrop.fill(x: x, y: 5, from: x + 1)
      #expect(owner.pixelAddress(of: level) == before)
    }
  }
}

/// Has its levels in a property, as an output has.
private final class LevelOwner {
  var levels = ByLevel(repeating: WatchedBackdrop())

  func pixelAddress(of level: BackdropLevel) -> Int {
    unsafe levels[level].backdrop.pixels.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
  }
}
