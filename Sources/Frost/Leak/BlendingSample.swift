package import Raster

/// Two pictures, of which one is shown above the other. A compositor that blends as `recoverBackdrop` assumes shows them as a
/// third picture, the wanted one.
///
/// All of their pixels are known, so only the compositor decides what the screen shows of them; except where something else
/// is above both. A quarter of the pixels of the upper picture, the controls, is opaque: they look the same on any
/// compositor. Where the screen shows the controls, nothing is above the sample, or something that changes no pixel of it.
package struct BlendingSample: Sendable {
  /// The rectangle of the pictures on an output.
  package let layout: PixelLayout
  /// Opaque BGRA.
  package private(set) var lower: [UInt32] = []
  /// Premultiplied BGRA.
  package private(set) var upper: [UInt32] = []
  /// BGRX.
  package private(set) var wanted: [UInt32] = []

  /// A sample that can hardly be seen on a screen that shows `picture` (BGRX), because the wanted pixels differ from it by 1 to 4
  /// levels. They are not equal to it, so that a screen without the sample is not taken for one with it. Traps if
  /// `pictureLayout` does not cover `rect`.
  package init(
    _ rect: Rect, near picture: Span<UInt32>, _ pictureLayout: PixelLayout, seed: UInt64
  ) {
    layout = PixelLayout(rect)
    var random = SplitMix(state: seed)
    for y in rect.rows {
      for x in rect.columns {
        append(
          near: picture[pictureLayout.index(x: x, y: y)], isControl: Self.isControl(x, y),
          share: LeakShare.at(x: x, y: y), &random)
      }
    }
  }

  /// The largest difference between the lower picture and the screen, in levels. With a smaller one, the leaks of dark pixels are
  /// too small to distinguish one rounding from another.
  private static let distance: UInt32 = 32

  private static func isControl(_ x: Int, _ y: Int) -> Bool { (x + y) & 3 == 0 }

  private mutating func append(
    near pixel: UInt32, isControl: Bool, share: UInt8, _ random: inout SplitMix
  ) {
    var (own, below, shown) = (UInt32(0), UInt32(0), UInt32(0))
    for shift: UInt32 in [0, 8, 16] {
      let level = pixel >> shift & 255
      let offset = 1 + random.next(below: 4)
      let value = level < 128 ? level + offset : level - offset
      // A leak must not be lighter than what is wanted. The lower picture may be seen for a moment if it is above the other.
      let lightest = min(value * 255 / UInt32(share), level + Self.distance, 255)
      let darkest = min(max(level, Self.distance) - Self.distance, lightest)
      let background = darkest + random.next(below: lightest - darkest + 1)
      let product = background * UInt32(share) + 128
      let leak = isControl ? 0 : (product + product >> 8) >> 8
      own |= (value - leak) << shift
      below |= background << shift
      shown |= value << shift
    }
    upper.append(own | (isControl ? 255 : 255 - UInt32(share)) << 24)
    lower.append(below | 0xff00_0000)
    wanted.append(shown)
  }

  // MARK: The verdict

  /// How a compositor shows a sample.
  package enum Verdict: Equatable, Sendable {
    /// All pixels are as expected.
    case exact
    /// `different` of the `count` pixels that were compared are not as expected.
    case other(different: Int, count: Int)
  }

  /// Fewer pixels do not count.
  private static let smallestCount = 64

  /// The verdict by what a screen (BGRX) shows; nil if it does not show the sample, or too little of it. Blocks of 8x8 pixels from
  /// multiples of 8 on are compared if the screen shows all of their controls.
  package func verdict(
    onScreen screen: Span<UInt32>, _ screenLayout: PixelLayout
  ) -> Verdict? {
    let seen = layout.bounds.intersection(screenLayout.bounds)
    var (count, exactCount) = (0, 0)
    for top in stride(from: seen.y & ~7, to: seen.maxY, by: 8) {
      for left in stride(from: seen.x & ~7, to: seen.maxX, by: 8) {
        let block = Rect(x: left, y: top, width: 8, height: 8).intersection(seen)
        let result = compare(block, onScreen: screen, screenLayout)
        guard result.areControlsShown else { continue }
        count += result.count
        exactCount += result.exactCount
      }
    }
    if count < Self.smallestCount { return nil }
    // The hardware may round a few products to the other side.
    return 4 * exactCount >= 3 * count
      ? .exact : .other(different: count - exactCount, count: count)
  }

  /// Whether a screen (BGRX) shows the lower picture, so that it is above the other one.
  package func isLowerAbove(onScreen screen: Span<UInt32>, _ screenLayout: PixelLayout) -> Bool {
    let seen = layout.bounds.intersection(screenLayout.bounds)
    var count = 0
    for y in seen.rows {
      for x in seen.columns {
        let shown = screen[screenLayout.index(x: x, y: y)]
        if (shown ^ lower[layout.index(x: x, y: y)]) & 0x00ff_ffff == 0 { count += 1 }
      }
    }
    return count >= Self.smallestCount && 2 * count > seen.area
  }

  private func compare(
    _ block: Rect, onScreen screen: Span<UInt32>, _ screenLayout: PixelLayout
  ) -> (areControlsShown: Bool, count: Int, exactCount: Int) {
    var (controls, count, exactCount) = (0, 0, 0)
    for y in block.rows {
      for x in block.columns {
        let shown = screen[screenLayout.index(x: x, y: y)]
        let isExact = (shown ^ wanted[layout.index(x: x, y: y)]) & 0x00ff_ffff == 0
        if Self.isControl(x, y) {
          controls += 1
          if !isExact { return (false, 0, 0) }
        } else {
          count += 1
          if isExact { exactCount += 1 }
        }
      }
    }
    return (controls > 0, count, exactCount)
  }
}

/// The generator of Steele, Lea and Flood (2014).
private struct SplitMix {
  var state: UInt64

  mutating func next(below bound: UInt32) -> UInt32 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return UInt32((mixed ^ mixed >> 31) % UInt64(bound))
  }
}
