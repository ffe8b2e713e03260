import Raster

// Composes layers pixel by pixel. Rectangles are in the coordinates of the screen and must be
// inside both layouts.

/// Blends the pixels of a layer in `rect` with those below, as compositors do.
func blend(
  _ source: Span<UInt32>, _ from: PixelLayout, onto target: inout MutableSpan<UInt32>,
  _ layout: PixelLayout, _ rect: Rect, _ layer: WindowLayer
) {
  // Rounded as in picom; xcompmgr may be larger by one.
  let opacity = UInt32(UInt64(layer.opacity) * 255 / UInt64(UInt32.max))
  let opaque: UInt32 = layer.hasAlpha ? 0 : 0xff00_0000
  for y in rect.rows {
    let start = layout.index(x: rect.x, y: y)
    let first = from.index(x: rect.x, y: y)
    for i in 0..<rect.width {
      target[start &+ i] = over(source[first &+ i] | opaque, target[start &+ i], opacity)
    }
  }
}

/// Source-over with the rounding of pixman: x * y / 255 to the nearest.
private func over(_ source: UInt32, _ target: UInt32, _ opacity: UInt32) -> UInt32 {
  func product(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let t = a &* b &+ 128
    return (t &+ (t >> 8)) >> 8
  }
  let alpha = product(source >> 24, opacity)
  var result: UInt32 = 0
  for shift: UInt32 in [0, 8, 16, 24] {
    let below = product(target >> shift & 255, 255 &- alpha)
    let above = product(source >> shift & 255, opacity)
    result |= min(255, above &+ below) << shift
  }
  return result
}
