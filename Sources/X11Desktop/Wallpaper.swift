import CXCB
import Raster

/// What lies below all windows.
///
/// Without a compositor it is the root's background, of any kind: a window of ours, lowest, whose
/// background is the parent's and which is redirected by hand so that it never shows, holds it. A
/// compositor paints the pixmap that a property of the root names, and gray when there is none; and
/// it alone may redirect by hand.
struct Wallpaper: Sendable {
  enum Source: Equatable, Sendable {
    /// A window that has the root's background.
    case mirror(UInt32)
    /// A pixmap, repeated from (0, 0) when it is smaller than the screen.
    case pixmap(UInt32, width: Int, height: Int)
    /// What compositors (picom, xcompmgr) paint when they find no pixmap.
    case gray
  }

  private var mirror: UInt32?
  private var known: Source?

  static let gray: UInt32 = 0xff80_8080

  /// To be called when it may have changed, or a compositor came or went.
  mutating func forget() { known = nil }

  mutating func source(
    _ x: borrowing XConnection, _ names: Names, screen: Rect, hasCompositor: Bool
  ) -> Source {
    if let known { return known }
    let found = hasCompositor ? compositorSource(x, names) : .mirror(makeMirror(x, screen))
    if hasCompositor { removeMirror(x) }
    known = found
    return found
  }

  private func compositorSource(_ x: borrowing XConnection, _ names: Names) -> Source {
    for name in names.wallpapers {
      guard let pixmap = x.propertyWord(x.root, name, type: XCB_ATOM_PIXMAP.rawValue),
        let geometry = x.pixmapGeometry(pixmap), geometry.depth == 24 || geometry.depth == 32
      else { continue }
      return .pixmap(pixmap, width: geometry.width, height: geometry.height)
    }
    return .gray
  }

  private mutating func makeMirror(_ x: borrowing XConnection, _ screen: Rect) -> UInt32 {
    if let mirror { return mirror }
    let window = x.createWindow(XConnection.NewWindow(rect: screen, isParentRelative: true))
    x.setProperty(
      window, XCB_ATOM_WM_CLASS.rawValue, type: XCB_ATOM_STRING.rawValue,
      text: "backdropd\0backdropd\0")
    x.setProperty(
      window, XCB_ATOM_WM_NAME.rawValue, type: XCB_ATOM_STRING.rawValue,
      text: "backdropd wallpaper")
    x.setClickThrough(window, true)
    x.redirect(window, isManual: true)
    x.lower(window)
    x.map(window)
    mirror = window
    return window
  }

  mutating func removeMirror(_ x: borrowing XConnection) {
    guard let window = mirror else { return }
    x.destroyWindow(window)
    mirror = nil
    known = nil
  }
}
