package import Raster

/// Whether a screen shows glass through a translucent window and nowhere else. It is here because tests of programs are not
/// optimized.
///
/// The window lets a part t of what is below it through: then the screen with glass is t (G - B) brighter than the one
/// without it, for glass G and backdrop B, with the same t in all channels.
package struct BlendCheck {
  private let shown, hidden, glass, backdrop: Bitmap
  /// The place of the glass on the screen.
  private let rect: Rect
  private var translucent = 0
  private var telling = 0

  /// Screenshots with the glass and without it, and the pictures of the glass and of its backdrop, which is at `rect`.
  package init(shown: Bitmap, hidden: Bitmap, glass: Bitmap, backdrop: Bitmap, at rect: Rect) {
    (self.shown, self.hidden, self.glass, self.backdrop) = (shown, hidden, glass, backdrop)
    self.rect = rect
  }

  /// The first fault; nil if there is none.
  package mutating func fault() -> String? {
    for y in 0..<shown.height {
      for x in 0..<shown.width {
        if let fault = fault(x, y) { return fault }
      }
    }
    if telling > 0, 2 * translucent > telling { return nil }
    return "glass is seen at \(translucent) of \(telling) pixels"
  }

  private mutating func fault(_ x: Int, _ y: Int) -> String? {
    let change = Self.channels(shown[x, y]) - Self.channels(hidden[x, y])
    guard rect.contains(x: x, y: y) else {
      return change == .zero ? nil : "outside of the glass, \(x),\(y) changes by \(change)"
    }
    let (column, row) = (x - rect.x, y - rect.y)
    let effect = Self.effect(of: glass[column, row], on: backdrop[column, row])
    let square = (effect * effect).sum()
    let share = square == 0 ? 0 : (effect * change).sum() / square
    let t = min(1, max(0, share))
    let rest = change - t * effect
    if rest.max() > 3 || rest.min() < -3 {
      return "inside, \(x),\(y) changes by \(change), not by \(t) of \(effect)"
    }
    if square > 400 {
      telling += 1
      if t > 0.1 { translucent += 1 }
    }
    return nil
  }

  /// Blue, green and red of a pixel.
  private static func channels(_ pixel: UInt32) -> SIMD3<Double> {
    SIMD3(Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255))
  }

  /// The change of a pixel by a premultiplied pixel above it.
  private static func effect(of upper: UInt32, on lower: UInt32) -> SIMD3<Double> {
    channels(upper) - Double(upper >> 24) / 255 * channels(lower)
  }
}
