package import Raster

/// Draws the part `target` of an overlay that shows `wanted` over a backdrop, with the leaks of `LeakShare` where it would be
/// more opaque. Colours are premultiplied BGRA, those of the backdrop BGRX; positions are those of an output. The
/// compositor shows `wanted` exactly, as long as the backdrop is the given one; except where its leak is lighter than what is
/// wanted. Traps if a layout does not cover `target`.
@_lifetime(pixels: copy pixels)
package func drawLeakyOverlay(
  _ target: Rect, of wanted: Span<UInt32>, _ wantedLayout: PixelLayout,
  over backdrop: Span<UInt32>, _ backdropLayout: PixelLayout,
  into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout, threads: Int = 1
) {
  if target.isEmpty { return }
  precondition(wantedLayout.bounds.contains(target) && wanted.count >= wantedLayout.pixelCount)
  precondition(backdropLayout.bounds.contains(target))
  precondition(backdrop.count >= backdropLayout.pixelCount)
  precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
  _ = forEachBand(
    of: target.rows, threads: threads, in: &pixels,
    at: layout.index(x: layout.bounds.x, y: target.y), stride: layout.stride
  ) { rows, band in
    drawRows(
      Rect(target.columns, rows), of: wanted, wantedLayout, over: backdrop, backdropLayout,
      into: &band, layout.from(row: rows.lowerBound))
  }
}

@_lifetime(pixels: copy pixels)
private func drawRows(
  _ target: Rect, of wanted: Span<UInt32>, _ wantedLayout: PixelLayout,
  over backdrop: Span<UInt32>, _ backdropLayout: PixelLayout,
  into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
) {
  for y in target.rows {
    let own = wantedLayout.index(x: 0, y: y)
    let below = backdropLayout.index(x: 0, y: y)
    let to = layout.index(x: 0, y: y)
    let shares = LeakShare.lanes(inRow: y)
    var x = target.x
    while x < target.maxX {
      if x & 7 == 0, x &+ 8 <= target.maxX {
        let eight: Lanes = wanted.load(at: own &+ x)
        pixels.store(leaky(eight, over: backdrop.load(at: below &+ x), shares), at: to &+ x)
        x &+= 8
      } else {
        pixels[to &+ x] = leaky(
          wanted[own &+ x], over: backdrop[below &+ x], share: LeakShare.at(x: x, y: y))
        x &+= 1
      }
    }
  }
}

/// A pixel of an overlay that shows `wanted` over `below`.
func leaky(_ wanted: UInt32, over below: UInt32, share: UInt8) -> UInt32 {
  var (pixel, shares) = (Lanes(), Lanes())
  var backdrop = Lanes()
  for i in 0..<2 {
    pixel[i] = UInt16(truncatingIfNeeded: wanted &>> (16 * UInt32(i)))
    backdrop[i] = UInt16(truncatingIfNeeded: below &>> (16 * UInt32(i)))
    shares[i] = UInt16(share)
  }
  let result = leaky(pixel, over: backdrop, shares)
  return UInt32(result[0]) | UInt32(result[1]) << 16
}

/// Eight pixels, each in two lanes: blue and green, red and alpha.
@inline(__always)
private func leaky(_ wanted: Lanes, over below: Lanes, _ shares: Lanes) -> Lanes {
  if isOpaque(wanted) {
    let even = difference(wanted & 0xff, leak(shares, of: below & 0xff))
    let odd = difference(wanted &>> 8, leak(shares, of: below &>> 8))
    return even | odd.replacing(with: 255 &- shares, where: alphaLanes) &<< 8
  }
  let alphas = alphas(of: wanted)
  let own = 255 &- alphas
  @inline(__always)
  func channels(_ wanted: Lanes, _ below: Lanes) -> Lanes {
    difference(wanted &+ leak(own, of: below), leak(shares, of: below))
  }
  let even = channels(wanted & 0xff, below & 0xff)
  let odd = channels(wanted &>> 8, below &>> 8)
  // The alpha is in the odd lanes' high byte.
  let isAlpha = alphaLanes
  let drawn = even | odd.replacing(with: 255 &- shares, where: isAlpha) &<< 8
  return drawn.replacing(with: wanted, where: own .>= shares)
}

/// The difference of each lane; 0 if it would be negative.
@inline(__always)
private func difference(_ lanes: Lanes, _ taken: Lanes) -> Lanes {
  (lanes &- taken).replacing(with: 0, where: lanes .< taken)
}

/// Whether all eight pixels are opaque.
@inline(__always)
private func isOpaque(_ pixels: Lanes) -> Bool {
  let words = unsafe unsafeBitCast(pixels, to: SIMD4<UInt64>.self)
  let half = words.lowHalf & words.highHalf
  let alphas: UInt64 = 0xff00_0000_ff00_0000
  return half[0] & half[1] & alphas == alphas
}

/// The alpha of each pixel, in both of its lanes.
@inline(__always)
func alphas(of pixels: Lanes) -> Lanes {
  let alphas = unsafe unsafeBitCast(pixels, to: SIMD8<UInt32>.self) &>> 24
  return unsafe unsafeBitCast(alphas | alphas &<< 16, to: Lanes.self)
}

/// The lanes with the alpha of a pixel.
let alphaLanes: SIMDMask<SIMD16<Int16>> = {
  var mask = SIMDMask<SIMD16<Int16>>(repeating: false)
  for i in 0..<8 { mask[2 * i + 1] = true }
  return mask
}()
