import Engine
import Raster

/// The pixels below all windows: the pixmap that the root names, and the window from which they are read.
struct Wallpaper {
  private var pixmap: WallpaperPixmap
  private var window = WallpaperWindow()

  init(_ x: inout XConnection, _ atoms: Atoms) { pixmap = WallpaperPixmap(&x, atoms) }

  var isSearching: Bool { pixmap.isSearching }
  /// The state of the pixmap that the properties of the root name.
  var rootPixmap: RootPixmap {
    if pixmap.pixmap != nil { return .usable }
    return pixmap.fault.map { .unusable($0) } ?? .none
  }

  /// Requests the pixmap. Called again after a change of its properties.
  mutating func search(_ x: inout XConnection) { pixmap.search(&x) }

  /// Handles the value of a property. Returns whether the wallpaper is known now.
  mutating func apply(_ value: PropertyValue?, _ x: inout XConnection) -> Bool {
    pixmap.apply(value, &x)
  }

  /// Handles the depth of a pixmap; nil if it does not exist. Returns whether the wallpaper is known now.
  mutating func apply(depth: UInt8?, of candidate: UInt32, _ x: inout XConnection) -> Bool {
    pixmap.apply(depth: depth, of: candidate, &x)
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
