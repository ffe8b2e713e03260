package import Raster

/// Mixes the part `target` of a picture into pixels: `weight`, from 0 to 1, is that of the picture. Both are
/// premultiplied BGRA. The result is at most half a level plus 1/64 from the exact mean; of equal pixels it is the
/// same pixel. Traps if one of the layouts does not cover `target`.
@_lifetime(pixels: copy pixels)
package func mix(
  _ target: Rect, of picture: Span<UInt32>, _ pictureLayout: PixelLayout, weight: Double,
  into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
) {
  if target.isEmpty { return }
  precondition(pictureLayout.bounds.contains(target) && picture.count >= pictureLayout.pixelCount)
  precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
  let weight = MixWeight(weight)
  for y in target.rows {
    let from = pictureLayout.index(x: target.x, y: y)
    let to = layout.index(x: target.x, y: y)
    var x = 0
    while x &+ 4 <= target.width {
      let mean = weight.mean(pixels.load(at: to &+ x), picture.load(at: from &+ x))
      pixels.store(mean, at: to &+ x)
      x &+= 4
    }
    while x < target.width {
      pixels[to &+ x] =
        weight.mean(
          Signed(pixel: pixels[to &+ x]), Signed(pixel: picture[from &+ x])
        ).firstPixel
      x &+= 1
    }
  }
}

/// Multiplies the part `target` of pixels, premultiplied BGRA, by `opacity`, from 0 to 1. Rounded like the result of
/// `mix`. Traps if `layout` does not cover `target`.
package func fade(
  _ target: Rect, of pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout, to opacity: Double
) {
  if target.isEmpty { return }
  precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
  let weight = MixWeight(opacity)
  for y in target.rows {
    let first = layout.index(x: target.x, y: y)
    var x = 0
    while x &+ 4 <= target.width {
      pixels.store(weight.mean(Signed(), pixels.load(at: first &+ x)), at: first &+ x)
      x &+= 4
    }
    while x < target.width {
      pixels[first &+ x] =
        weight.mean(Signed(), Signed(pixel: pixels[first &+ x])).firstPixel
      x &+= 1
    }
  }
}

/// The weight of the second of two pixels, in units of 2^-15, below 1.
private struct MixWeight {
  private let value: Signed

  init(_ weight: Double) {
    value = Signed(repeating: Int16(min(32767, (max(0, weight) * 32768).rounded())))
  }

  /// The means of four pixels, eight channels at a time in units of 1/64 level.
  @inline(__always)
  func mean(_ one: Signed, _ other: Signed) -> Signed {
    @inline(__always)
    func channels(_ one: Signed, _ other: Signed) -> Signed {
      ((one &<< 6) &+ multiplyHigh((other &- one) &<< 7, value) &+ 32) &>> 6
    }
    let even = channels(one & 0xff, other & 0xff)
    let odd = channels(one &>> 8 & 0xff, other &>> 8 & 0xff)
    return even | odd &<< 8
  }
}

extension Signed {
  /// One pixel and zeros.
  fileprivate init(pixel: UInt32) {
    self.init()
    self[0] = Int16(truncatingIfNeeded: pixel)
    self[1] = Int16(truncatingIfNeeded: pixel &>> 16)
  }

  fileprivate var firstPixel: UInt32 {
    UInt32(UInt16(bitPattern: self[1])) &<< 16 | UInt32(UInt16(bitPattern: self[0]))
  }
}
