import Raster
import TestDice

@testable import Frost

/// A part of an output with layouts of its own for each picture, and random pictures.
struct LeakSample {
  let target: Rect
  let layouts: [PixelLayout]
  /// Opaque, translucent and transparent pixels.
  var wanted: [UInt32]
  var backdrop: [UInt32]

  init(using dice: inout Dice) {
    let target = Rect(
      x: dice.roll(0...40), y: dice.roll(0...40), width: dice.roll(0...40),
      height: dice.roll(0...20))
    self.target = target
    layouts = (0..<3).map { _ in
      let bounds = target.grown(by: dice.roll(0...3))
      return PixelLayout(bounds, stride: bounds.width + dice.roll(0...3))
    }
    let isOpaque = dice.roll(0...1) == 0
    wanted = (0..<layouts[0].pixelCount).map { _ in
      let alpha: UInt32 = isOpaque || dice.roll(0...2) > 0 ? 255 : UInt32(dice.roll(0...255))
      return (0..<3).reduce(alpha << 24) {
        $0 | UInt32(dice.roll(0...Int(alpha))) << (8 * UInt32($1))
      }
    }
    backdrop = (0..<layouts[1].pixelCount).map { _ in UInt32(truncatingIfNeeded: dice.next()) }
  }

  /// An opaque overlay of one colour over a black backdrop.
  init(_ target: Rect, wanted: UInt32) {
    self.target = target
    layouts = Array(repeating: PixelLayout(target), count: 3)
    self.wanted = Array(repeating: wanted, count: target.area)
    backdrop = Array(repeating: 0xff00_0000, count: target.area)
  }

  /// The overlay that is drawn.
  func overlay(threads: Int = 1) -> [UInt32] {
    var pixels = [UInt32](repeating: 0x1234_5678, count: layouts[2].pixelCount)
    var span = pixels.mutableSpan
    drawLeakyOverlay(
      target, of: wanted.span, layouts[0], over: backdrop.span, layouts[1], into: &span,
      layouts[2], threads: threads)
    return pixels
  }

  /// The screen when other pixels are behind an overlay.
  func screen(_ overlay: [UInt32], _ behind: (_ x: Int, _ y: Int) -> UInt32) -> [UInt32] {
    var screen = [UInt32](repeating: 0, count: layouts[0].pixelCount)
    forEachPixel { x, y, _, _ in
      let pixel = overlay[layouts[2].index(x: x, y: y)]
      screen[layouts[0].index(x: x, y: y)] = Self.composed(pixel, over: behind(x, y))
    }
    return screen
  }

  /// Recovers a part of the backdrop, or all of it.
  mutating func recover(
    _ part: Rect? = nil, fromScreen screen: [UInt32], below overlay: [UInt32], threads: Int = 1
  ) -> [Rect] {
    let (target, layouts) = (part ?? target, layouts)
    var span = backdrop.mutableSpan
    return recoverBackdrop(
      target, fromScreen: screen.span, layouts[0], below: overlay.span, layouts[2], into: &span,
      layouts[1], threads: threads)
  }

  /// Recovers the backdrop from the screen, and draws the overlay again, as a display does.
  mutating func follow(_ behind: (_ x: Int, _ y: Int) -> UInt32) -> [Rect] {
    let overlay = overlay()
    return recover(fromScreen: screen(overlay, behind), below: overlay)
  }

  func forEachPixel(_ body: (_ x: Int, _ y: Int, _ wanted: UInt32, _ below: UInt32) -> Void) {
    for y in target.rows {
      for x in target.columns {
        body(x, y, wanted[layouts[0].index(x: x, y: y)], backdrop[layouts[1].index(x: x, y: y)])
      }
    }
  }

  /// A premultiplied pixel over an opaque one, as a compositor shows it.
  static func composed(_ pixel: UInt32, over below: UInt32) -> UInt32 {
    (0..<3).reduce(0) { result, channel in
      let shift = 8 * UInt32(channel)
      let leak = leak(UInt32(below >> shift & 255), share: 255 - pixel >> 24)
      return result | min(255, (pixel >> shift & 255) + leak) << shift
    }
  }

  static func leak(_ channel: UInt32, share: UInt32) -> UInt32 {
    UInt32((Double(channel) * Double(share) / 255).rounded())
  }
}
