/// The part of its backdrop that a pane shows.
package enum BackdropSource: String, CaseIterable, Sendable {
  /// Everything below the pane, without other panes.
  case windows
  /// Only the wallpaper, which is below all windows.
  case wallpaper
  /// Everything below the pane, with the panes below it.
  case panes

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "sees")
  }
}

/// The position of a pane in the stacking order of windows, the lowest first.
package enum StackingLayer: String, CaseIterable, Comparable, Sendable {
  /// Above the wallpaper and the window of the desktop's icons, below all other windows.
  case desktop
  /// Above ordinary windows, below docks, panels and windows that are always on top.
  case belowDocks = "below-docks"
  /// Above docks, below fullscreen windows, menus, tooltips and notifications.
  case normal
  /// Above all windows but lock screens.
  case top

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "layer")
  }

  package static func < (one: StackingLayer, other: StackingLayer) -> Bool {
    one.height < other.height
  }

  private var height: Int {
    switch self {
    case .desktop: 0
    case .belowDocks: 1
    case .normal: 2
    case .top: 3
    }
  }
}

/// The handling of clicks on a pane.
package enum InputMode: String, CaseIterable, Sendable {
  /// The window below the pane receives it.
  case pass
  /// The pane receives it.
  case grab

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "input")
  }
}
