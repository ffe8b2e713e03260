package import Raster

/// Lays the part `target` of a picture, premultiplied BGRA, over a backdrop, in place: what a compositor
/// would show of it, for where there is none. The backdrop's colours are premultiplied as well; one
/// whose fourth byte is anything gives a fourth byte that is anything.
///
/// Both pictures lie in screen coordinates and must hold `target`.
package func compose(
  _ target: Rect, of pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout,
  over backdrop: Span<UInt32>, _ backdropLayout: PixelLayout
) {
  if target.isEmpty { return }
  precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
  precondition(backdropLayout.bounds.contains(target))
  precondition(backdrop.count >= backdropLayout.pixelCount)
  for y in target.rows {
    let to = layout.index(x: target.x, y: y)
    let from = backdropLayout.index(x: target.x, y: y)
    var x = 0
    while x &+ 8 <= target.width {
      let eight: Lanes = pixels.load(at: to &+ x)
      pixels.store(over(eight, backdrop.load(at: from &+ x)), at: to &+ x)
      x &+= 8
    }
    while x < target.width {
      pixels[to &+ x] = over(pixels[to &+ x], backdrop[from &+ x])
      x &+= 1
    }
  }
}

/// Eight pixels at once, each as one.
@inline(__always)
private func over(_ pixels: Lanes, _ below: Lanes) -> Lanes {
  let alphas = unsafe unsafeBitCast(pixels, to: SIMD8<UInt32>.self) &>> 24
  let twice = unsafe unsafeBitCast(alphas | alphas &<< 16, to: Lanes.self)
  let rest = twice ^ 255
  @inline(__always)
  func channels(_ own: Lanes, _ below: Lanes) -> Lanes {
    let product = below &* rest &+ 128
    let sum = own &+ (product &+ product &>> 8) &>> 8
    return (sum | (Lanes() &- sum &>> 8)) & 0xff
  }
  return channels(pixels & 0xff, below & 0xff) | channels(pixels &>> 8, below &>> 8) &<< 8
}
