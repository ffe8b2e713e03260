import Panes
import Raster

/// The position of a window among others. Panes of each layer are between two classes.
enum WindowClass: Int, Comparable {
  /// Shows the wallpaper or the icons of the desktop.
  case desktop
  case ordinary
  /// A dock, a panel, or a window that is always on top.
  case dock
  /// A fullscreen window, a menu, a tooltip, a notification, or a window that raises itself each time that a
  /// pane is raised above it.
  case front
  /// Covers an output, and no window manager manages it.
  case locker

  static func < (one: WindowClass, other: WindowClass) -> Bool { one.rawValue < other.rawValue }

  /// Whether panes of a layer are below windows of this class.
  func isInFront(of layer: StackingLayer) -> Bool {
    switch layer {
    case .desktop: self > .desktop
    case .belowDocks: self > .ordinary
    case .normal: self > .dock
    case .top: self > .front
    }
  }
}

/// The properties of a client about its window (EWMH).
struct WindowHints: Equatable, Sendable {
  /// `_NET_WM_WINDOW_TYPE`, as far as the stacking order depends on it.
  enum Kind: Sendable {
    case ordinary, desktop, dock
    /// A menu, a tooltip, a notification or the like.
    case popup
  }

  var kind = Kind.ordinary
  /// Whether the window is the frame of a client that a window manager manages. Frames of i3 are override-redirect.
  var isFrame = false
  /// `_NET_WM_STATE_FULLSCREEN`.
  var isFullscreen = false
  /// `_NET_WM_STATE_ABOVE`.
  var isAbove = false
  /// The space that it reserves at the edges of the screen.
  var strut: Strut?
}

extension WindowStack.Window {
  /// The class of a shown window on a screen with these outputs.
  func ownClass(outputs: [Rect]) -> WindowClass {
    if hints.kind == .desktop { return .desktop }
    if isUnmanaged {
      if outputs.contains(where: { covers($0) }) || hasCovered {
        return isBackground ? .desktop : .locker
      }
      return hints.kind == .dock ? .dock : .front
    }
    if hints.isFullscreen || hints.kind == .popup { return .front }
    return hints.isAbove || hints.kind == .dock ? .dock : .ordinary
  }
}
