package import Panes
package import Raster

/// A window of another client that may have glass right beneath it. Regions are in the coordinates of the display.
package struct TargetWindow: Equatable, Sendable {
  /// The top-level window, right beneath which the glass belongs.
  package var id: WindowID
  package var properties: WindowProperties
  /// The outer rectangle without a shadow that the client draws itself.
  package var frame: Rect
  /// The part of the frame in which it is visible.
  package var shape: Region
  /// Where the client asks for blur; nil if it asks for none.
  package var requested: Region?
  /// Whether what is below it may be visible through it.
  package var isTranslucent: Bool

  package init(
    id: WindowID, properties: WindowProperties, frame: Rect, shape: Region,
    requested: Region? = nil, isTranslucent: Bool
  ) {
    self.id = id
    self.properties = properties
    self.frame = frame
    self.shape = shape
    self.requested = requested
    self.isTranslucent = isTranslucent
  }
}

/// A window and the glass behind it.
package struct TargetState: Equatable, Sendable {
  package let target: TargetWindow
  /// The pane that matches it, or may match it if the obstacle is `costlyTitle`; nil if there is none.
  package let pane: String?
  /// Why the pane is not shown; nil if it is.
  package let obstacle: Obstacle?

  /// The reasons.
  package enum Obstacle: String, Sendable {
    /// Its pane is hidden.
    case hidden
    /// The display does not report windows.
    case noWindows = "no-windows"
    /// Nothing blends windows.
    case noCompositor = "no-compositor"
    /// Nothing is visible through the window.
    case opaque
    /// The screen is locked.
    case locked
    /// The window is outside of the screen.
    case outside
    /// Its backdrop is not captured yet.
    case pending
    /// A search in the title of the window gave up, so it is unknown whether the pane matches it.
    case costlyTitle = "costly-title"

    /// Whether the user must remove it.
    package var isLasting: Bool {
      [.noWindows, .noCompositor, .opaque, .costlyTitle].contains(self)
    }
  }
}

extension TargetState {
  /// The obstacle, if the user must remove it.
  var lastingObstacle: PaneObstacle? {
    guard let pane, let obstacle, obstacle.isLasting else { return nil }
    return PaneObstacle(pane: pane, reason: obstacle)
  }
}

/// The kinds of windows that a display reports as targets.
package struct TargetInterest: Equatable, Sendable {
  /// Whether shown windows are reported.
  package var isActive: Bool
  /// Whether applications are told that their requests for blur are fulfilled.
  package var announcesBlur: Bool

  package init(isActive: Bool, announcesBlur: Bool) {
    self.isActive = isActive
    self.announcesBlur = announcesBlur
  }

  /// No window is reported.
  package static let none = TargetInterest(isActive: false, announcesBlur: false)
}
