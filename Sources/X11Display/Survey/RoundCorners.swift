import Engine
import Raster

/// The radius of the round corners that a program paints into a window with alpha; nil if it paints none. `top` contains the
/// alpha values of the highest row of the window, from the left to the right.
func cornerRadius(ofTopRow top: [UInt8]) -> Int? {
  guard let strongest = top.max(), strongest >= 16 else { return nil }
  func isVisible(_ alpha: UInt8) -> Bool { 2 * Int(alpha) >= Int(strongest) }
  guard let left = top.firstIndex(where: isVisible), let last = top.lastIndex(where: isVisible)
  else { return nil }
  let right = top.count - 1 - last
  // Other shapes have no round corners. Corners of less than 4 pixels are hardly seen.
  guard left >= 2, abs(left - right) <= 1, top[left...last].allSatisfy(isVisible) else {
    return nil
  }
  return (4...1024).first { freePixels(ofRadius: Double($0)) >= left }
}

/// The pixels of the highest row that a round corner leaves free: those whose centres are outside of the circle.
private func freePixels(ofRadius radius: Double) -> Int {
  Int((radius - 0.5 - (radius - 0.25).squareRoot()).rounded(.up))
}

extension X11Display {
  /// The radius of the round corners that a program paints into a window; nil if it paints none, or if they are not visible now.
  /// Waits for the server.
  mutating func paintedCornerRadius(of target: TargetWindow) -> Int? {
    guard target.isTranslucent, let window = tracker.stack[target.id.number] else { return nil }
    let (place, origin) = (target.frame, window.geometry.origin)
    let row = Rect(x: place.x, y: place.y, width: place.width, height: 1)
    guard screen.bounds.contains(row), target.shape.contains(row),
      let image = x.image(of: window.id, row.translated(x: -origin.x, y: -origin.y)),
      image.depth == 32
    else { return nil }
    return cornerRadius(ofTopRow: image.words.map { UInt8($0 >> 24) })
  }
}
