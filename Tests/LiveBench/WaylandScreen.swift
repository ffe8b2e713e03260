import Raster
import TestSupport

/// A compositor with one output in memory, and a client that draws below its panes, or over them. Both end with their owner.
final class WaylandScreen: MeasuredDisplay {
  let server: WaylandServer
  let scene: SceneClient

  /// An output of 1920x1080, with a surface of the client over all of it.
  convenience init() throws { try self.init(surface: (1920, 1080), layer: 1) }

  /// The same, with a surface of 800x600 in the middle that covers the panes of the desktop.
  static func withWindow() throws -> WaylandScreen {
    try WaylandScreen(surface: (800, 600), layer: 2)
  }

  private init(surface: (width: Int, height: Int), layer: Int) throws {
    let wallpaper = Bitmap(
      width: 1920, height: 1080, pixels: Array(repeating: 0xFF40_6080, count: 1920 * 1080))
    server = try WaylandServer(wallpaper: wallpaper)
    scene = try SceneClient(
      server, width: surface.width, height: surface.height, layer: layer)
  }

  var bounds: Rect { Rect(x: 0, y: 0, width: 1920, height: 1080) }

  /// A place for a pane of this size in the middle.
  func middle(width: Int, height: Int) -> Rect {
    Rect(
      x: (bounds.width - width) / 2, y: (bounds.height - height) / 2, width: width, height: height)
  }
}

/// The drawing of a client below panes.
enum SceneChange {
  /// Nothing.
  case none
  /// A square in another place of a rectangle, at the rate of the output.
  case box(in: Rect)
  /// All of the output, 30 times a second.
  case full
}
