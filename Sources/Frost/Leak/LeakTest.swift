package import Raster

/// Tests whether a compositor blends overlays as `recoverBackdrop` assumes, by the first captures that show an overlay whose
/// backdrop is known from before.
package struct LeakTest: Equatable, Sendable {
  /// The pixels that were compared, and those of them that were as predicted, or within one level of it.
  package private(set) var count = 0, exactCount = 0, nearCount = 0
  /// Those that no backdrop can cause.
  package private(set) var foreignCount = 0

  package init() {}

  /// The result.
  package enum Verdict: Sendable {
    /// The pixels are as predicted.
    case exact
    /// The compositor blends in another way.
    case different
    /// No backdrop causes the pixels: the compositor blends in another way, or something else was captured.
    case foreign
    /// What is behind the overlay may have changed, or something covers it.
    case unknown
  }

  /// Few pixels do not count.
  private static let smallestCount = 64

  package var verdict: Verdict {
    if count < Self.smallestCount { return .unknown }
    // Something may cover a part of the overlay.
    if exactCount >= Self.smallestCount, 4 * exactCount >= 3 * (count - foreignCount) {
      return .exact
    }
    // Another rounding is wrong by one level in many pixels; a change of the backdrop is not so small everywhere.
    if 20 * nearCount >= 19 * count { return .different }
    // Other blending leaves hardly a pixel as it was predicted.
    return 2 * foreignCount >= count && 10 * exactCount <= count ? .foreign : .unknown
  }

  /// Compares the pixels of `target`: those of a screen (BGRX), on which an overlay (premultiplied BGRA) is over a backdrop
  /// (BGRX). Pixels where the overlay is opaque are ignored. Traps if a layout does not cover `target`.
  package mutating func compare(
    _ target: Rect, ofScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
    overlay: Span<UInt32>, _ overlayLayout: PixelLayout, over backdrop: Span<UInt32>,
    _ backdropLayout: PixelLayout
  ) {
    for y in target.rows {
      for x in target.columns {
        compare(
          screen[screenLayout.index(x: x, y: y)], overlay[overlayLayout.index(x: x, y: y)],
          over: backdrop[backdropLayout.index(x: x, y: y)])
      }
    }
  }

  private mutating func compare(_ shown: UInt32, _ overlay: UInt32, over backdrop: UInt32) {
    let share = Int(255 - overlay >> 24)
    if share == 0 { return }
    count += 1
    var (difference, isForeign) = (0, false)
    for shift: UInt32 in [0, 8, 16] {
      let own = Int(overlay >> shift & 255)
      let product = Int(backdrop >> shift & 255) * share + 128
      let predicted = min(255, own + (product + product >> 8) >> 8)
      let value = Int(shown >> shift & 255)
      difference = max(difference, abs(value - predicted))
      // Light pixels of an overlay may saturate.
      if value < own || value > min(255, own + share) { isForeign = true }
    }
    if difference == 0 { exactCount += 1 }
    if difference <= 1 { nearCount += 1 }
    if isForeign { foreignCount += 1 }
  }
}
