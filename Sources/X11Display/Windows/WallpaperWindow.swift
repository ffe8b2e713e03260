import CXCB
import Raster

/// A window of the daemon that contains the pixels below all windows, so that they can be read like
/// those of other windows.
///
/// Without a compositor its background is that of the root, of any kind. A compositor paints the
/// pixmap from a property of the root, tiled, or gray or black if there is none. The server keeps a pixmap
/// as long as it is the background of a window, even if its owner ends. A background must have the
/// depth of its window, so the window has that of the pixmap.
///
/// The window is not visible, because its parent is outside the screen. It has all its pixels
/// nevertheless, because it is redirected. The redirection is automatic, and the window is not a
/// child of the root; otherwise no compositor could start.
struct WallpaperWindow {
  /// The background of the window.
  enum Background: Equatable {
    case root
    case pixmap(WallpaperPixmap.Usable)
    case gray, black
  }

  private var windows: (outer: UInt32, inner: UInt32)?
  private var depth: UInt8 = 0
  private var background: Background?
  /// The colormap of the inner window, if its depth is not that of the root.
  private var colormap: XConnection.Colormap?

  /// The colour that most compositors (picom, xcompmgr) paint without a pixmap.
  private static let gray: UInt32 = 0x80_8080

  /// The window to read; its origin is that of the screen. It must be cleared before each read so
  /// that its background is painted again, because no event reports a new background of the root.
  mutating func window(
    _ x: inout XConnection, screen: Rect, background wanted: Background
  ) -> UInt32 {
    let depth = if case .pixmap(let pixmap) = wanted { pixmap.depth } else { x.screen.rootDepth }
    if depth != self.depth { remove(&x) }
    self.depth = depth
    let inner = windows?.inner ?? make(&x, screen)
    if background != wanted { setBackground(&x, inner, wanted) }
    return inner
  }

  private mutating func setBackground(
    _ x: inout XConnection, _ window: UInt32, _ new: Background
  ) {
    background = new
    switch new {
    case .root:
      let parentRelative = XCB_BACK_PIXMAP_PARENT_RELATIVE.rawValue
      x.setBackground(window, XCB_CW_BACK_PIXMAP, parentRelative, about: window)
    case .pixmap(let pixmap):
      x.setBackground(window, XCB_CW_BACK_PIXMAP, pixmap.id, about: pixmap.id)
    case .gray, .black:
      let pixel = x.screen.rootFormat.pixel(new == .gray ? Self.gray : 0)
      x.setBackground(window, XCB_CW_BACK_PIXEL, pixel, about: window)
    }
  }

  /// Must be called when a pixmap identifier may refer to another pixmap.
  mutating func forgetBackground() { background = nil }

  private mutating func make(_ x: inout XConnection, _ screen: Rect) -> UInt32 {
    var new = XConnection.NewWindow(rect: .outsideScreen, isParentRelative: true)
    let outer = x.createWindow(new)
    x.setProperty(
      outer, XCB_ATOM_WM_CLASS.rawValue, type: XCB_ATOM_STRING.rawValue,
      text: "backdropd\0backdropd\0")
    x.setProperty(
      outer, XCB_ATOM_WM_NAME.rawValue, type: XCB_ATOM_STRING.rawValue, text: "backdropd wallpaper")
    x.setInputRegion(outer, Region())
    new.rect = screen.translated(x: -Rect.outsideScreen.x, y: -Rect.outsideScreen.y)
    new.parent = outer
    if depth != x.screen.rootDepth { colormap = x.createColormap(depth: depth) }
    new.colormap = colormap
    let inner = x.createWindow(new)
    x.redirect(inner)
    x.map(inner)
    x.lower(outer)
    x.map(outer)
    windows = (outer, inner)
    background = nil
    return inner
  }

  /// Handles that another client destroyed, unmapped or reparented a window. If it is this one, it is made again
  /// when it is needed. Returns the windows that do not exist any more.
  mutating func handleLoss(of window: UInt32, _ x: inout XConnection) -> [UInt32] {
    guard let windows, windows.outer == window else { return [] }
    remove(&x)
    return [windows.outer, windows.inner]
  }

  mutating func remove(_ x: inout XConnection) {
    guard let windows else { return }
    x.destroyWindow(windows.outer)
    if let colormap { x.freeColormap(colormap) }
    colormap = nil
    self.windows = nil
    background = nil
  }
}

extension Rect {
  /// One pixel outside the screen.
  fileprivate static let outsideScreen = Rect(x: -1, y: -1, width: 1, height: 1)
}
