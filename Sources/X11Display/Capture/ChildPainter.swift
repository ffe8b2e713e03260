/// Makes the server paint redirected windows into those that they are in.
///
/// X server 21.1 does this when an image of the outer window is asked for, after it has sent the head of the reply. The damage that it
/// reports then comes in the middle of the pixels, and all that follows is read wrongly. So the windows are painted before, while
/// the server is grabbed.
struct ChildPainter {
  /// For each depth, a pixmap for one pixel.
  private var targets: [UInt8: Target] = [:]

  private struct Target {
    let pixmap: UInt32
    /// A graphics context with which windows in the source are copied too.
    let gc: UInt32
  }

  /// Paints the windows in a window of a depth.
  mutating func paintChildren(of window: UInt32, depth: UInt8, _ x: inout XConnection) {
    let target = targets[depth] ?? makeTarget(depth: depth, &x)
    targets[depth] = target
    x.copyPixel(of: window, to: target.pixmap, target.gc)
  }

  private func makeTarget(depth: UInt8, _ x: inout XConnection) -> Target {
    let pixmap = x.createPixmap(width: 1, height: 1, depth: depth)
    return Target(pixmap: pixmap, gc: x.createGC(pixmap, includesInferiors: true))
  }
}
