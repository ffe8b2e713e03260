package import Raster

/// Composes the part `target` of a picture over a backdrop, in place, as a compositor does
/// (source-over). Both are premultiplied BGRA. If the fourth byte of the backdrop has no meaning,
/// that of the result has none. Traps if one of the layouts does not cover `target`.
@_lifetime(pixels: copy pixels)
package func compose(
  _ target: Rect, of pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout,
  over backdrop: Span<UInt32>, _ backdropLayout: PixelLayout
) {
  if target.isEmpty { return }
  precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
  precondition(backdropLayout.bounds.contains(target))
  precondition(backdrop.count >= backdropLayout.pixelCount)
  for y in target.rows {
    composeRow(
      of: &pixels, at: layout.index(x: target.x, y: y), over: backdrop,
      at: backdropLayout.index(x: target.x, y: y), count: target.width)
  }
}

/// Composes `count` pixels from index `to` on over those of the backdrop from index `from` on. Both
/// must have so many.
@inline(__always)
@_lifetime(pixels: copy pixels)
func composeRow(
  of pixels: inout MutableSpan<UInt32>, at to: Int, over backdrop: Span<UInt32>, at from: Int,
  count: Int
) {
  var x = 0
  while x &+ 8 <= count {
    let eight: Lanes = pixels.load(at: to &+ x)
    pixels.store(over(eight, backdrop.load(at: from &+ x)), at: to &+ x)
    x &+= 8
  }
  if x &+ 4 <= count {
    let four: FourPixels = pixels.load(at: to &+ x)
    pixels.store(over(four, backdrop.load(at: from &+ x)), at: to &+ x)
    x &+= 4
  }
  while x < count {
    pixels[to &+ x] = over(pixels[to &+ x], backdrop[from &+ x])
    x &+= 1
  }
}

/// Composes the part `target` of a picture, premultiplied BGRA, onto a backdrop, as a compositor does with a window.
/// `opacity` multiplies the picture: 255 leaves it unchanged. Without alpha, its fourth byte has no meaning and counts as
/// 255. Traps if one of the layouts does not cover `target`.
@_lifetime(backdrop: copy backdrop)
package func compose(
  _ target: Rect, of picture: Span<UInt32>, _ layout: PixelLayout, opacity: UInt8 = 255,
  hasAlpha: Bool = true, onto backdrop: inout MutableSpan<UInt32>, _ backdropLayout: PixelLayout
) {
  if target.isEmpty { return }
  precondition(layout.bounds.contains(target) && picture.count >= layout.pixelCount)
  precondition(backdropLayout.bounds.contains(target))
  precondition(backdrop.count >= backdropLayout.pixelCount)
  let filter = LayerFilter(opacity: opacity, hasAlpha: hasAlpha)
  for y in target.rows {
    let from = layout.index(x: target.x, y: y)
    let to = backdropLayout.index(x: target.x, y: y)
    var x = 0
    while x &+ 8 <= target.width {
      let eight: Lanes = picture.load(at: from &+ x)
      backdrop.store(over(filter.applied(to: eight), backdrop.load(at: to &+ x)), at: to &+ x)
      x &+= 8
    }
    if x &+ 4 <= target.width {
      let four: FourPixels = picture.load(at: from &+ x)
      backdrop.store(over(filter.applied(to: four), backdrop.load(at: to &+ x)), at: to &+ x)
      x &+= 4
    }
    while x < target.width {
      backdrop[to &+ x] = over(filter.applied(to: picture[from &+ x]), backdrop[to &+ x])
      x &+= 1
    }
  }
}

/// The changes that a compositor makes to the pixels of a window before it composes them.
private struct LayerFilter {
  /// The opacity, if it changes pixels.
  let opacity: UInt16?
  /// The bits that are set in each pixel.
  let opaqueBits: UInt32

  init(opacity: UInt8, hasAlpha: Bool) {
    self.opacity = opacity == 255 ? nil : UInt16(opacity)
    opaqueBits = hasAlpha ? 0 : 0xff00_0000
  }

  @inline(__always)
  func applied(to pixels: Lanes) -> Lanes {
    let bits = SIMD8<UInt32>(repeating: opaqueBits)
    let complete = unsafe pixels | unsafeBitCast(bits, to: Lanes.self)
    guard let opacity else { return complete }
    let low = shares(of: complete & 0xff, Lanes(repeating: opacity))
    return low | shares(of: complete &>> 8, Lanes(repeating: opacity)) &<< 8
  }

  /// Each result equals that for a single pixel.
  @inline(__always)
  func applied(to pixels: FourPixels) -> FourPixels {
    applied(to: Lanes(lowHalf: pixels, highHalf: pixels)).lowHalf
  }

  @inline(__always)
  func applied(to pixel: UInt32) -> UInt32 {
    let complete = pixel | opaqueBits
    guard let opacity else { return complete }
    return share(of: complete, UInt32(opacity))
  }
}

/// Channels multiplied by `share / 255`, each rounded to the nearest as pixman does.
@inline(__always)
private func shares(of channels: Lanes, _ share: Lanes) -> Lanes {
  let product = channels &* share &+ 128
  return (product &+ product &>> 8) &>> 8
}

/// Two channels of four pixels.
private typealias FourPixels = SIMD8<UInt16>

/// Composes four pixels; each result equals that of the scalar `over`.
@inline(__always)
private func over(_ pixels: FourPixels, _ below: FourPixels) -> FourPixels {
  over(Lanes(lowHalf: pixels, highHalf: pixels), Lanes(lowHalf: below, highHalf: below)).lowHalf
}

/// Composes eight pixels; each result equals that of the scalar `over`.
@inline(__always)
private func over(_ pixels: Lanes, _ below: Lanes) -> Lanes {
  let alphas = unsafe unsafeBitCast(pixels, to: SIMD8<UInt32>.self) &>> 24
  let twice = unsafe unsafeBitCast(alphas | alphas &<< 16, to: Lanes.self)
  let rest = twice ^ 255
  @inline(__always)
  func channels(_ own: Lanes, _ below: Lanes) -> Lanes {
    let sum = own &+ shares(of: below, rest)
    return (sum | (Lanes() &- sum &>> 8)) & 0xff
  }
  return channels(pixels & 0xff, below & 0xff) | channels(pixels &>> 8, below &>> 8) &<< 8
}
