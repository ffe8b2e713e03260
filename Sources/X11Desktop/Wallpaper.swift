import CXCB
import Raster

/// What lies below all windows, in a window of ours that is read like the others.
///
/// Without a compositor its background is the root's, of any kind. A compositor paints the pixmap
/// that a property of the root names, repeated, and gray when there is none. The server keeps a
/// pixmap as long as a window has it as its background: its owner may end.
///
/// The window shows nowhere: it is the child of one that lies beyond the screen's corner. It has all
/// its pixels nevertheless, because it is redirected; not by hand, and not as a child of the root,
/// for then no compositor could start.
struct Wallpaper: Sendable {
  private enum Background: Equatable {
    case root
    case pixmap(UInt32)
    case gray
  }

  private let prefersPixmap: Bool
  private var windows: (outer: UInt32, inner: UInt32)?
  private var background: Background?

  /// `prefersPixmap` reads the pixmap that the property names, if there is one, where the root has the
  /// say: file managers that draw a wallpaper in a window of their own leave the root as it was.
  init(prefersPixmap: Bool = false) { self.prefersPixmap = prefersPixmap }

  /// What compositors (picom, xcompmgr) paint when they find no pixmap.
  private static let gray: UInt32 = 0x80_8080

  /// To be called when it may have changed, or a compositor came or went.
  mutating func forget() { background = nil }

  /// The window to read, at the screen's (0, 0). Its background must be painted before: no event tells
  /// that the root has got another one.
  mutating func window(
    _ x: borrowing XConnection, _ names: Names, screen: Rect, hasCompositor: Bool
  ) -> UInt32 {
    let inner = windows?.inner ?? make(x, screen)
    if background == nil {
      let pixmap = hasCompositor || prefersPixmap ? pixmap(x, names) : nil
      let found = pixmap ?? (hasCompositor ? .gray : .root)
      switch found {
      case .root:
        x.setBackground(inner, XCB_CW_BACK_PIXMAP, XCB_BACK_PIXMAP_PARENT_RELATIVE.rawValue)
      case .pixmap(let pixmap): x.setBackground(inner, XCB_CW_BACK_PIXMAP, pixmap)
      case .gray: x.setBackground(inner, XCB_CW_BACK_PIXEL, Self.gray)
      }
      background = found
    }
    return inner
  }

  private func pixmap(_ x: borrowing XConnection, _ names: Names) -> Background? {
    for name in names.wallpapers {
      if let pixmap = x.propertyWord(x.root, name, type: XCB_ATOM_PIXMAP.rawValue),
        x.depth(ofPixmap: pixmap) == x.rootDepth
      {
        return .pixmap(pixmap)
      }
    }
    return nil
  }

  private mutating func make(_ x: borrowing XConnection, _ screen: Rect) -> UInt32 {
    var new = XConnection.NewWindow(rect: .beyondTheCorner)
    new.isParentRelative = true
    let outer = x.createWindow(new)
    x.setProperty(
      outer, XCB_ATOM_WM_CLASS.rawValue, type: XCB_ATOM_STRING.rawValue,
      text: "backdropd\0backdropd\0")
    x.setProperty(
      outer, XCB_ATOM_WM_NAME.rawValue, type: XCB_ATOM_STRING.rawValue, text: "backdropd wallpaper")
    x.setClickable(outer, Region())
    new.rect = screen.translated(x: -Rect.beyondTheCorner.x, y: -Rect.beyondTheCorner.y)
    new.parent = outer
    let inner = x.createWindow(new)
    x.redirect(inner)
    x.map(inner)
    x.lower(outer)
    x.map(outer)
    windows = (outer, inner)
    background = nil
    return inner
  }

  mutating func remove(_ x: borrowing XConnection) {
    guard let windows else { return }
    x.destroyWindow(windows.outer)
    self.windows = nil
    background = nil
  }
}

extension Rect {
  /// One pixel that no screen shows.
  fileprivate static let beyondTheCorner = Rect(x: -1, y: -1, width: 1, height: 1)
}
