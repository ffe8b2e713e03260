import Engine
import Raster

/// The pixels below all windows: the pixmap that the root names, and the window from which they are read.
struct Wallpaper {
  private var pixmap: WallpaperPixmap
  private var window = WallpaperWindow()

  init(_ screen: XScreen, _ atoms: Atoms) {
    pixmap = WallpaperPixmap(
      atoms.wallpaperPixmaps, depths: Set(screen.colorVisuals.keys).union([screen.rootDepth]))
  }

  var isSearching: Bool { pixmap.isSearching }
  /// The state of the pixmap that the properties of the root name.
  var rootPixmap: RootPixmap {
    if pixmap.pixmap != nil { return .usable }
    return pixmap.fault.map { .unusable($0) } ?? .none
  }

  /// Searches the pixmap. Must be called again after a change of its properties.
  mutating func search() -> [WallpaperPixmap.Request] { pixmap.search() }

  /// Applies the value of a property. The wallpaper is known when the search has ended.
  mutating func apply(_ value: PropertyValue?) -> WallpaperPixmap.Progress { pixmap.apply(value) }

  /// Applies the depth of a pixmap; nil if it does not exist. The wallpaper is known when the search has ended.
  mutating func apply(depth: UInt8?, of candidate: UInt32) -> WallpaperPixmap.Progress {
    pixmap.apply(depth: depth, of: candidate)
  }

  /// Handles a request that the server refused. Returns whether it changes the wallpaper.
  mutating func handleFailure(_ error: XError) -> Bool {
    error.request == .changeWindowAttributes && pixmap.handleRefusal(of: error.subject)
  }

  /// The window to read, with the background that is seen where the root names no pixmap. See `WallpaperWindow.window`.
  mutating func window(
    _ x: inout XConnection, screen: Rect, without rest: WallpaperWindow.Background
  ) -> UInt32 {
    let named = rest == .root ? nil : pixmap.pixmap.map { WallpaperWindow.Background.pixmap($0) }
    return window.window(&x, screen: screen, background: named ?? rest)
  }

  /// Must be called when a pixmap identifier may refer to another pixmap.
  mutating func forgetBackground() { window.forgetBackground() }

  /// Removes the window until it is needed again.
  mutating func removeWindow(_ x: inout XConnection) { window.remove(&x) }

  /// Handles that another client destroyed, unmapped or reparented a window. Returns the windows that do not exist
  /// any more because of that.
  mutating func handleLoss(of lost: UInt32, _ x: inout XConnection) -> [UInt32] {
    window.handleLoss(of: lost, &x)
  }
}
