import Engine
import Raster

/// The pixels below all windows: the pixmap that the root names, and the windows from which they are read.
struct Wallpaper {
  private var pixmap: WallpaperPixmap
  /// The window with the pixels below all windows, for `View.belowPanes` and `View.belowWindow`.
  private var below = WallpaperWindow()
  /// The same for `View.wallpaper`: the picture of the wallpaper, even if a window of the desktop
  /// shows it.
  private var picture = WallpaperWindow()

  init(_ x: inout XConnection, _ atoms: Atoms) { pixmap = WallpaperPixmap(&x, atoms) }

  var isSearching: Bool { pixmap.isSearching }
  /// Whether a property of the root names a pixmap of the wallpaper.
  var hasPixmap: Bool { pixmap.pixmap != nil }

  /// Requests the pixmap. Called again after a change of its properties.
  mutating func search(_ x: inout XConnection) { pixmap.search(&x) }

  /// Handles the value of a property. Returns whether the wallpaper is known now.
  mutating func take(pixmap found: UInt32?, _ x: inout XConnection) -> Bool {
    pixmap.take(pixmap: found, &x)
  }

  /// Handles the depth of a pixmap; nil if it does not exist. Returns whether the wallpaper is known now.
  mutating func take(depth: UInt8?, of candidate: UInt32, _ x: inout XConnection) -> Bool {
    pixmap.take(depth: depth, of: candidate, &x)
  }

  /// The window to read for each view. See `WallpaperWindow.window`.
  mutating func windows(
    _ x: inout XConnection, for views: some Sequence<View>, screen: Rect, hasCompositor: Bool
  ) -> [View: UInt32] {
    let named = pixmap.pixmap.map { WallpaperWindow.Background.pixmap($0) }
    let plain: WallpaperWindow.Background = hasCompositor ? .gray : .root
    var windows: [View: UInt32] = [:]
    for view in views {
      windows[view] =
        view == .wallpaper
        ? picture.window(&x, screen: screen, background: named ?? plain)
        : below.window(&x, screen: screen, background: hasCompositor ? named ?? plain : plain)
    }
    return windows
  }

  /// Must be called when a pixmap identifier may refer to another pixmap.
  mutating func forgetBackground() {
    below.forgetBackground()
    picture.forgetBackground()
  }

  /// Removes the windows until they are needed again.
  mutating func removeWindows(_ x: inout XConnection) {
    below.remove(&x)
    picture.remove(&x)
  }

  /// Handles that another client destroyed, unmapped or reparented a window. Returns the windows that do not exist
  /// any more because of that.
  mutating func noteLoss(of window: UInt32, _ x: inout XConnection) -> [UInt32] {
    below.noteLoss(of: window, &x) + picture.noteLoss(of: window, &x)
  }
}
