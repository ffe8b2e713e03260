package import Raster

/// The pixels of some overlays (premultiplied BGRA) that cover each other in a rectangle, the lowest first.
package struct OverlayPixels: Sendable {
  package let bounds: Rect
  /// The pixels of each overlay, without gaps between rows.
  private var overlays: [[UInt32]] = []

  package init(_ bounds: Rect) { self.bounds = bounds }

  /// Adds an overlay above the others. Traps if its layout does not cover the rectangle.
  package mutating func append(_ pixels: Span<UInt32>, _ layout: PixelLayout) {
    var overlay = [UInt32](repeating: 0, count: bounds.area)
    var span = overlay.mutableSpan
    copyPixels(of: bounds, from: pixels, layout, to: &span, PixelLayout(bounds))
    overlays.append(overlay)
  }

  /// The backdrop colours that explain a pixel of the screen; nil if one of the overlays hides the backdrop, or if something else
  /// is above the overlays.
  func range(ofBackdrop shown: UInt32, x: Int, y: Int) -> LeakRange? {
    let i = (y - bounds.y) * bounds.width + x - bounds.x
    var range = LeakRange(only: shown)
    for overlay in overlays.reversed() {
      guard let below = range.belowOverlay(overlay[i]) else { return nil }
      range = below
    }
    return range
  }

  /// The pixel of the screen that shows the overlays over a pixel (BGRX).
  func shown(over pixel: UInt32, x: Int, y: Int) -> UInt32 {
    let i = (y - bounds.y) * bounds.width + x - bounds.x
    return overlays.reduce(pixel) { blended($1[i], over: $0) }
  }

  /// The share of what is below that all overlays let through together, in 255ths.
  func share(x: Int, y: Int) -> Int {
    let i = (y - bounds.y) * bounds.width + x - bounds.x
    return overlays.reduce(255) { $0 * Int(255 - $1[i] >> 24) / 255 }
  }

  /// Whether a screen does not show the overlays at a pixel over anything: something else is above them.
  func isCovered(_ shown: UInt32, x: Int, y: Int) -> Bool {
    let (least, most) = (self.shown(over: 0, x: x, y: y), self.shown(over: 0xff_ffff, x: x, y: y))
    for shift: UInt32 in [0, 8, 16] {
      let value = shown >> shift & 255
      if value < least >> shift & 255 || value > most >> shift & 255 { return true }
    }
    return false
  }

  /// For each pixel, whether a screen (BGRX) may show the overlay `lower` directly below these overlays, with nothing between
  /// them.
  package func showThrough(
    _ lower: OverlayPixels, onScreen screen: Span<UInt32>, _ layout: PixelLayout
  ) -> [Bool] {
    precondition(lower.bounds == bounds && lower.overlays.count == 1)
    return bounds.rows.flatMap { y in
      bounds.columns.map { x in
        let shown = screen[layout.index(x: x, y: y)]
        let pixel = lower.overlays[0][(y - bounds.y) * bounds.width + x - bounds.x]
        return range(ofBackdrop: shown, x: x, y: y)?.isPossible(withOverlay: pixel) == true
      }
    }
  }

  /// These overlays above other ones in the same rectangle.
  package func above(_ lower: OverlayPixels) -> OverlayPixels {
    precondition(lower.bounds == bounds)
    var all = lower
    all.overlays += overlays
    return all
  }
}

/// A pixel (premultiplied BGRA) over an opaque one (BGRX), as compositors blend.
private func blended(_ pixel: UInt32, over below: UInt32) -> UInt32 {
  let share = 255 - pixel >> 24
  var result: UInt32 = 0
  for shift: UInt32 in [0, 8, 16] {
    let product = (below >> shift & 255) * share + 128
    let sum = (pixel >> shift & 255) + (product + product >> 8) >> 8
    result |= min(255, sum) << shift
  }
  return result
}

extension LeakRange {
  /// A pixel alone.
  fileprivate init(only pixel: UInt32) {
    self.init()
    let values = Self.channels(pixel)
    restrict(low: values, high: values)
  }

  fileprivate static func channels(_ pixel: UInt32) -> SIMD4<Int32> {
    SIMD4(
      Int32(pixel & 255), Int32(pixel >> 8 & 255), Int32(pixel >> 16 & 255), 0)
  }

  /// The range below an overlay that produces this range above it; nil if there is none, or if the overlay hides it.
  fileprivate func belowOverlay(_ pixel: UInt32) -> LeakRange? {
    let share = Int32(255 - pixel >> 24)
    if share == 0 || !isPossible(withOverlay: pixel) { return nil }
    let own = Self.channels(pixel)
    // A channel of 255 may be a larger sum that was limited, so its leak may be up to `share`.
    let highest = (high &- own).replacing(with: share, where: high .== 255)
    return LeakRange(ofLeaks: low &- own, to: highest, share: share)
  }

  /// Whether one of these colours may be that of an overlay over some backdrop.
  fileprivate func isPossible(withOverlay pixel: UInt32) -> Bool {
    let share = Int32(255 - pixel >> 24)
    let own = Self.channels(pixel)
    for i in 0..<3 where high[i] < own[i] || low[i] > own[i] + share { return false }
    return true
  }

  /// Whether a pixel (BGRX) is one of these colours.
  fileprivate func contains(_ pixel: UInt32) -> Bool {
    let values = Self.channels(pixel)
    for i in 0..<3 where values[i] < low[i] || values[i] > high[i] { return false }
    return true
  }
}

/// Updates the part `target` of a backdrop (BGRX) from the screen (BGRX), as the function for one overlay, below several. If
/// `isUsed` is given, it says for each pixel of the overlays, without gaps between rows, whether it may be used. Returns
/// rectangles that contain every pixel which changed. Traps if the overlays or a layout do not cover `target`.
@_lifetime(backdrop: copy backdrop)
package func recoverBackdrop(
  _ target: Rect, fromScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
  below overlays: OverlayPixels, where isUsed: [Bool]? = nil,
  into backdrop: inout MutableSpan<UInt32>, _ layout: PixelLayout
) -> [Rect] {
  var changed: [Rect] = []
  for top in stride(from: target.y & ~7, to: target.maxY, by: 8) {
    for left in stride(from: target.x & ~7, to: target.maxX, by: 8) {
      let block = Rect(x: left, y: top, width: 8, height: 8).intersection(target)
      let pixels = StackedBlock(block, screen, screenLayout, overlays, isUsed)
      if pixels.update(&backdrop, layout) { changed.append(block) }
    }
  }
  return changed
}

/// A block of pixels of which all are recovered if one has changed.
private struct StackedBlock {
  /// The colours that each pixel may have. Pixels that are not used, or whose colours are unknown, are left out.
  private var pixels: [(x: Int, y: Int, range: LeakRange)] = []
  /// The colours that all pixels of the block may have, or else those that all pixels of each quarter may have.
  private var quarters = InlineArray<4, LeakRange>(repeating: LeakRange())

  init(
    _ block: Rect, _ screen: Span<UInt32>, _ layout: PixelLayout, _ overlays: OverlayPixels,
    _ isUsed: [Bool]?
  ) {
    let bounds = overlays.bounds
    for y in block.rows {
      for x in block.columns {
        if let isUsed, !isUsed[(y - bounds.y) * bounds.width + x - bounds.x] { continue }
        let shown = screen[layout.index(x: x, y: y)]
        guard let range = overlays.range(ofBackdrop: shown, x: x, y: y) else { continue }
        pixels.append((x, y, range))
        quarters[Self.quarter(x, y)].formIntersection(range)
      }
    }
    var all = LeakRange()
    for i in quarters.indices { all.formIntersection(quarters[i]) }
    for i in quarters.indices { quarters[i] = all.orWhereEmpty(quarters[i]) }
  }

  private static func quarter(_ x: Int, _ y: Int) -> Int { (x >> 2 & 1) | (y >> 1 & 2) }

  /// Assigns a colour from its range to each pixel. Does nothing if all pixels are in range. Returns whether they changed.
  ///
  /// The range of a pixel depends on what the overlays show there. So a colour that was chosen from one range may be a little
  /// outside of another one, although the backdrop is the same. If few pixels are far outside, each pixel gets the nearest colour
  /// of its range; otherwise each update of the overlays would cause the next one.
  func update(_ backdrop: inout MutableSpan<UInt32>, _ layout: PixelLayout) -> Bool {
    var (isSame, farCount) = (true, 0)
    for (x, y, range) in pixels {
      let pixel = backdrop[layout.index(x: x, y: y)]
      if range.contains(pixel) { continue }
      isSame = false
      if range.isFar(from: pixel) { farCount += 1 }
    }
    if isSame { return false }
    let isOther = farCount >= max(4, pixels.count / 4)
    for (x, y, range) in pixels {
      let i = layout.index(x: x, y: y)
      let color =
        isOther
        ? range.color(inQuarter: quarters[Self.quarter(x, y)], isOdd: (x ^ y) & 1 == 1)
        : range.nearestColor(to: backdrop[i])
      backdrop[i] = backdrop[i] & 0xff00_0000 | color
    }
    return true
  }
}

extension LeakRange {
  /// The colour of a pixel with this range in a quarter: one that all may have, else the middle of its own range.
  fileprivate func color(inQuarter quarter: LeakRange, isOdd: Bool) -> UInt32 {
    Self.color(
      of: quarter.value(isOdd: isOdd).replacing(with: (low &+ high) &>> 1, where: quarter.isEmpty))
  }

  private static func color(of values: SIMD4<Int32>) -> UInt32 {
    UInt32(values[0] | values[1] << 8 | values[2] << 16)
  }

  /// The colour of this range that is nearest to a pixel (BGRX).
  fileprivate func nearestColor(to pixel: UInt32) -> UInt32 {
    Self.color(of: pointwiseMin(pointwiseMax(Self.channels(pixel), low), high))
  }

  /// Whether a pixel (BGRX) is farther from this range than the middle of another one of its size that overlaps with it.
  fileprivate func isFar(from pixel: UInt32) -> Bool {
    let values = Self.channels(pixel)
    for i in 0..<3 {
      let margin = (high[i] - low[i]) / 2 + 2
      if values[i] < low[i] - margin || values[i] > high[i] + margin { return true }
    }
    return false
  }
}
