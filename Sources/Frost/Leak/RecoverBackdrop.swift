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
/// where the screen is what it would be over the same backdrop.
///
/// A leak is a whole number of levels, so a small change of the backdrop changes only some leaks. If the others kept their
/// backdrop, the mean would follow too little. So eight pixels, from a multiple of 8 on, stay or change together.
/// Traps if a layout does not cover `target`.
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
    let row = LeakRow(
      y: y, screen: screenLayout.index(x: 0, y: y), overlay: overlayLayout.index(x: 0, y: y),
      backdrop: layout.index(x: 0, y: y))
    var changed = 0..<0
    var x = target.x
    while x < target.maxX {
      let end = min((x & ~7) &+ 8, target.maxX)
      if row.recover(x..<end, screen, overlay, &backdrop, foreignCount: &result.foreignCount) {
        changed = (changed.isEmpty ? x : changed.lowerBound)..<end
      }
      x = end
    }
    if !changed.isEmpty { band = band.hull(Rect(changed, y..<y + 1)) }
    if !band.isEmpty, (y + 1) % bandHeight == 0 || y + 1 == target.maxY {
      result.changed.append(band)
      band = .zero
    }
  }
  return result
}

/// One row of a backdrop that is recovered, and the index of the pixel in column 0 in each memory.
private struct LeakRow {
  let y: Int
  let screen, overlay, backdrop: Int

  /// Recovers up to eight pixels. Returns whether they changed.
  @inline(__always)
  func recover(
    _ columns: Range<Int>, _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>,
    _ pixels: inout MutableSpan<UInt32>, foreignCount: inout Int
  ) -> Bool {
    let x = columns.lowerBound
    if columns.count == 8 {
      let (above, old): (Lanes, Lanes) = (
        overlayPixels.load(at: overlay &+ x), pixels.load(at: backdrop &+ x)
      )
      let leaks = Leaks(screenPixels.load(at: screen &+ x), above, old)
      if leaks.isSame { return false }
      if !leaks.isForeign, leaks.shares == LeakShare.lanes(inRow: y) {
        let new = leaks.backdrop(old, LeakFactors.lanes(inRow: y))
        pixels.store(new, at: backdrop &+ x)
        return union(new ^ old) != 0
      }
    }
    let outcomes = columns.map {
      recovered(
        screenPixels[screen &+ $0], overlayPixels[overlay &+ $0], pixels[backdrop &+ $0])
    }
    foreignCount += outcomes.count { $0 == .foreign }
    guard outcomes.contains(where: \.isChanged) else { return false }
    for (x, outcome) in zip(columns, outcomes) {
      if let pixel = outcome.backdrop { pixels[backdrop &+ x] = pixel }
    }
    return true
  }
}

/// The number of rows whose changes are one rectangle.
private let bandHeight = 8

/// The outcome for one pixel.
enum RecoveredPixel: Equatable {
  /// The overlay is opaque.
  case hidden
  /// Something else is above the overlay.
  case foreign
  /// The backdrop may be what it was, or what is computed from its leak.
  case same(UInt32)
  case changed(UInt32)

  var isChanged: Bool { if case .changed = self { true } else { false } }

  /// The backdrop that is computed from the leak.
  var backdrop: UInt32? {
    switch self {
    case .hidden, .foreign: nil
    case .same(let pixel), .changed(let pixel): pixel
    }
  }
}

/// The backdrop of one pixel.
func recovered(_ screen: UInt32, _ overlay: UInt32, _ old: UInt32) -> RecoveredPixel {
  let share = 255 - overlay >> 24
  if share == 0 { return .hidden }
  var (pixel, isSame) = (old & 0xff00_0000, true)
  for shift: UInt32 in [0, 8, 16] {
    let (shown, own) = (screen >> shift & 255, overlay >> shift & 255)
    guard shown >= own, shown - own <= share else { return .foreign }
    let before = SIMD2<UInt16>(repeating: UInt16(old >> shift & 255))
    let expected = UInt32(leak(SIMD2(repeating: UInt16(share)), of: before)[0])
    if shown - own != expected { isSame = false }
    let channel = ((shown - own) * LeakFactors.factor(ofShare: share) + 128) >> 8
    pixel |= channel << shift
  }
  // Of a large share a leak may not be that of the colour that is computed from it. The next capture gives the same colour.
  return isSame || pixel == old ? .same(pixel) : .changed(pixel)
}

/// The leaks of eight pixels.
private struct Leaks {
  /// The share of each pixel, in both of its lanes.
  let shares: Lanes
  /// Whether no pixel changed, and whether one may be foreign.
  let isSame, isForeign: Bool
  /// The leaks of two channels each: blue and red, green. The others are as expected.
  private let even, odd: Lanes

  @inline(__always)
  init(_ screen: Lanes, _ overlay: Lanes, _ old: Lanes) {
    shares = 255 &- alphas(of: overlay)
    let expected = leak(shares, of: old &>> 8)
    even = (screen & 0xff) &- (overlay & 0xff)
    odd = ((screen &>> 8) &- (overlay &>> 8)).replacing(with: expected, where: alphaLanes)
    isSame = union((even ^ leak(shares, of: old & 0xff)) | (odd ^ expected)) == 0
    // Negative, or larger than the share: then a difference has its highest bit set.
    let outside = union(even | (shares &- even) | odd | (shares &- odd))
    isForeign = outside & 0x8000_8000_8000_8000 != 0
  }

  /// The backdrop that these leaks are of.
  @inline(__always)
  func backdrop(_ old: Lanes, _ factors: Lanes) -> Lanes {
    let (low, high) = ((even &* factors &+ 128) &>> 8, (odd &* factors &+ 128) &>> 8)
    return low | high.replacing(with: old &>> 8, where: alphaLanes) &<< 8
  }
}

/// The bits that are set in any four lanes. Unlike `any` and `all` of masks it needs no loop.
@inline(__always)
private func union(_ lanes: Lanes) -> UInt64 {
  let words = unsafe unsafeBitCast(lanes, to: SIMD4<UInt64>.self)
  let half = words.lowHalf | words.highHalf
  return half[0] | half[1]
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
