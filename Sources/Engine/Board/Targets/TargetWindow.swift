package import Frost
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
  /// The client; nil if no overlay can be over it.
  package var client: Client?

  /// The client in a window: the window of the program itself.
  package struct Client: Equatable, Sendable {
    /// Its place on the screen, without a border. The frame may cover parts of it.
    package var rect: Rect
    /// Whether its pixels have alpha.
    package var hasAlpha: Bool
    /// Whether it asks to fill the screen, or covers an output and no window manager manages it.
    package var isFullscreen: Bool
    /// The alpha of its background, 1 to 255, if it leaves parts of itself free; nil if it does not, or if that is not known.
    package var backgroundAlpha: UInt8?

    package init(
      rect: Rect, hasAlpha: Bool = false, isFullscreen: Bool = false, backgroundAlpha: UInt8? = nil
    ) {
      (self.rect, self.hasAlpha, self.isFullscreen) = (rect, hasAlpha, isFullscreen)
      self.backgroundAlpha = backgroundAlpha
    }
  }

  package init(
    id: WindowID, properties: WindowProperties, frame: Rect, shape: Region,
    requested: Region? = nil, isTranslucent: Bool, client: Client? = nil
  ) {
    self.id = id
    self.properties = properties
    self.frame = frame
    self.shape = shape
    self.requested = requested
    self.isTranslucent = isTranslucent
    self.client = client
  }
}

extension TargetWindow {
  /// The window, translucent if that is declared.
  func declared(_ translucency: Translucency?) -> TargetWindow {
    var window = self
    if translucency == .always { window.isTranslucent = true }
    return window
  }

  /// Whether glass belongs over it, in place of its background, and not beneath it. `blends` is whether the display blends
  /// windows with alpha.
  package func takesGlassOver(_ choice: BackgroundChoice, blends: Bool) -> Bool {
    if client == nil { return false }
    return switch choice {
    case .none: false
    // Below the window of a desktop is nothing.
    case .auto: !(blends && isTranslucent) && properties.type != .desktop
    case .color: true
    }
  }
}

/// A window and the glass behind it.
package struct TargetState: Equatable, Sendable {
  package let target: TargetWindow
  /// The pane that matches it, or may match it if the obstacle is `costlyTitle`; nil if there is none.
  package let pane: String?
  /// Why the pane is not shown; nil if it is.
  package let obstacle: Obstacle?
  /// Whether the glass is over the window, in place of its background.
  package let isOver: Bool
  /// That background, as far as it is known, also if it was refused.
  package let background: Background?

  init(
    _ target: TargetWindow, pane: String?, obstacle: Obstacle?, isOver: Bool = false,
    background: Background? = nil
  ) {
    (self.target, self.pane, self.obstacle) = (target, pane, obstacle)
    (self.isOver, self.background) = (isOver, background)
  }

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
    /// The glass would be over the window, and its background is not even.
    case uneven = "uneven-background"
    /// The glass would be over the window, and that fills the screen.
    case fullscreen
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
      [.noWindows, .noCompositor, .opaque, .costlyTitle, .uneven].contains(self)
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
