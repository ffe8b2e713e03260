package import Raster

/// What `recoverBackdrop` found.
package struct RecoveredBackdrop: Equatable, Sendable {
  /// Rectangles that contain every pixel of the backdrop which changed. They are disjoint.
  package var changed: [Rect] = []
  /// The number of pixels that cannot be those of the overlay over any backdrop: something else is above it.
  package var foreignCount = 0
}

/// Updates the part `target` of a backdrop (BGRX) from the screen (BGRX), on which a compositor shows an overlay
/// (premultiplied BGRA) over it. Pixels stay as they are where the overlay is opaque, where something else is above it, and
/// where the screen is what it would be over the same backdrop. Traps if a layout does not cover `target`.
package func recoverBackdrop(
  _ target: Rect, fromScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
  below overlay: Span<UInt32>, _ overlayLayout: PixelLayout,
  into backdrop: inout MutableSpan<UInt32>, _ layout: PixelLayout
) -> RecoveredBackdrop {
  var result = RecoveredBackdrop()
  if target.isEmpty { return result }
  precondition(screenLayout.bounds.contains(target) && screen.count >= screenLayout.pixelCount)
  precondition(overlayLayout.bounds.contains(target) && overlay.count >= overlayLayout.pixelCount)
  precondition(layout.bounds.contains(target) && backdrop.count >= layout.pixelCount)
  var band = Rect.zero
  for y in target.rows {
    let shown = screenLayout.index(x: 0, y: y)
    let own = overlayLayout.index(x: 0, y: y)
    let below = layout.index(x: 0, y: y)
    let shares = LeakShare.lanes(inRow: y)
    let factors = LeakFactors.lanes(inRow: y)
    var changed = 0..<0
    var x = target.x
    while x < target.maxX {
      var count = 1
      var isChanged = false
      if x & 7 == 0, x &+ 8 <= target.maxX {
        count = 8
        let (above, old): (Lanes, Lanes) = (
          overlay.load(at: own &+ x), backdrop.load(at: below &+ x)
        )
        let seen: Lanes = screen.load(at: shown &+ x)
        let leaks = Leaks(seen, above, old)
        if !leaks.isSame {
          if !leaks.isForeign, leaks.shares == shares {
            backdrop.store(leaks.backdrop(old, factors), at: below &+ x)
            isChanged = true
          } else {
            for i in x..<x &+ 8 {
              let outcome = recovered(
                screen[shown &+ i], overlay[own &+ i], backdrop[below &+ i])
              result.foreignCount += outcome == .foreign ? 1 : 0
              if case .changed(let pixel) = outcome {
                backdrop[below &+ i] = pixel
                isChanged = true
              }
            }
          }
        }
      } else {
        let outcome = recovered(screen[shown &+ x], overlay[own &+ x], backdrop[below &+ x])
        result.foreignCount += outcome == .foreign ? 1 : 0
        if case .changed(let pixel) = outcome {
          backdrop[below &+ x] = pixel
          isChanged = true
        }
      }
      if isChanged { changed = (changed.isEmpty ? x : changed.lowerBound)..<x &+ count }
      x &+= count
    }
    if !changed.isEmpty { band = band.hull(Rect(changed, y..<y + 1)) }
    if !band.isEmpty, (y + 1) % bandHeight == 0 || y + 1 == target.maxY {
      result.changed.append(band)
      band = .zero
    }
  }
  return result
}

/// The number of rows whose changes are one rectangle.
private let bandHeight = 8

/// The outcome for one pixel.
enum RecoveredPixel: Equatable {
  /// The backdrop is what it was, or is unknown because the overlay is opaque.
  case same
  case foreign
  case changed(UInt32)
}

/// The backdrop of one pixel.
func recovered(_ screen: UInt32, _ overlay: UInt32, _ old: UInt32) -> RecoveredPixel {
  let share = 255 - overlay >> 24
  if share == 0 { return .same }
  var (pixel, isSame): (UInt32, Bool) = (old & 0xff00_0000, true)
  for shift: UInt32 in [0, 8, 16] {
    let (shown, own) = (screen >> shift & 255, overlay >> shift & 255)
    let before = SIMD2<UInt16>(repeating: UInt16(old >> shift & 255))
    let expected = UInt32(leak(SIMD2(repeating: UInt16(share)), of: before)[0])
    if shown == own + expected {
      pixel |= old & (255 << shift)
      continue
    }
    guard shown >= own, shown - own <= share else { return .foreign }
    isSame = false
    let channel = ((shown - own) * LeakFactors.factor(ofShare: share) + 128) >> 8
    pixel |= channel << shift
  }
  return isSame ? .same : .changed(pixel)
}

/// The leaks of eight pixels.
private struct Leaks {
  /// The share of each pixel, in both of its lanes.
  let shares: Lanes
  /// Whether no pixel changed, and whether one may be foreign.
  let isSame, isForeign: Bool
  /// The leaks of two channels each: blue and red, green. The others are as expected.
  private let even, odd: Lanes
  /// Where they are those of the former backdrop.
  private let isEvenSame, isOddSame: SIMDMask<SIMD16<Int16>>

  @inline(__always)
  init(_ screen: Lanes, _ overlay: Lanes, _ old: Lanes) {
    shares = 255 &- alphas(of: overlay)
    let expected = leak(shares, of: old &>> 8)
    even = (screen & 0xff) &- (overlay & 0xff)
    odd = ((screen &>> 8) &- (overlay &>> 8)).replacing(with: expected, where: alphaLanes)
    isEvenSame = even .== leak(shares, of: old & 0xff)
    isOddSame = odd .== expected
    isSame = all(isEvenSame .& isOddSame)
    // Negative, or larger than the share: then a difference has its highest bit set.
    let outside = even | (shares &- even) | odd | (shares &- odd)
    isForeign = any((outside & 0x8000) .!= 0)
  }

  /// The backdrop that these leaks are of.
  @inline(__always)
  func backdrop(_ old: Lanes, _ factors: Lanes) -> Lanes {
    let low = ((even &* factors &+ 128) &>> 8).replacing(with: old & 0xff, where: isEvenSame)
    let high = ((odd &* factors &+ 128) &>> 8).replacing(with: old &>> 8, where: isOddSame)
    return low | high &<< 8
  }
}

/// The factors that make leaks colours, in units of 1/256: 255 / share.
enum LeakFactors {
  /// The factor of a share, 1 to 255.
  static func factor(ofShare share: UInt32) -> UInt32 { (65280 + share / 2) / share }

  /// Those of the shares of a row of an output, each twice, for pixels from a multiple of 8 on.
  static func lanes(inRow y: Int) -> Lanes { rows[y & 7] }

  private static let rows: [Lanes] = (0..<8).map { y in
    let shares = LeakShare.lanes(inRow: y)
    var lanes = Lanes()
    for i in lanes.indices { lanes[i] = UInt16(factor(ofShare: UInt32(shares[i]))) }
    return lanes
  }
}
