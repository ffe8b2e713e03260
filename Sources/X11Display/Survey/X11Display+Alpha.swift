import Engine
import Raster

extension X11Display {
  /// The window, marked as opaque if hardly any of its pixels is translucent. A program may ask for alpha and paint opaque
  /// pixels; terminals do this until the user chooses a translucent background. Only the pixels show this, and no event reports a
  /// change of it. Waits for the server.
  mutating func inspected(_ target: TargetWindow) -> TargetWindow {
    guard blendsAlpha, target.isTranslucent, let stacked = tracker.stack[target.id.number],
      tracker.targets.opacity(of: stacked) == .max, paintsOpaque(stacked, in: target.frame)
    else { return target }
    var target = target
    target.isTranslucent = false
    return target
  }

  /// Whether hardly any pixel in `rect`, in the coordinates of the root, has alpha below 255. False if that is not known.
  private mutating func paintsOpaque(_ window: WindowStack.Window, in rect: Rect) -> Bool {
    let inside = Rect(
      x: window.geometry.origin.x, y: window.geometry.origin.y, width: window.geometry.width,
      height: window.geometry.height)
    let part = rect.intersection(inside).intersection(screen.bounds)
    var translucentCount = 0
    for top in stride(from: part.y, to: part.maxY, by: Self.bandHeight) {
      let band = Rect(
        x: part.x - inside.x, y: top - inside.y, width: part.width,
        height: min(Self.bandHeight, part.maxY - top))
      guard let image = x.image(of: window.id, band), image.depth == 32 else { return false }
      translucentCount += image.words.count { $0 >> 24 != 255 }
      if translucentCount * Self.opaqueShare > part.area { return false }
    }
    return !part.isEmpty
  }

  /// The rows of an image. The first ones of a translucent window say enough.
  private static let bandHeight = 64
  /// A window counts as opaque if at most one pixel in this many is translucent: round corners of 12 pixels are one in a thousand
  /// of a window of 400x300.
  private static let opaqueShare = 100
}
