package import Engine
package import Frost
import Panes
import Raster

/// The windows of an X server that may have glass behind them, found as the daemon finds them, which may serve the
/// display meanwhile.
package struct WindowSurvey: Sendable {
  /// The shown windows without those of the daemon, the lowest first.
  package let windows: [TargetWindow]
  /// Whether a compositing manager blends windows with alpha.
  package let blendsAlpha: Bool
  package let programs: DesktopPrograms
  /// The most frequent colour of each inspected window, by the number of the client's window.
  private let backgrounds: [UInt32: Background]

  /// The findings of a survey.
  package init(
    _ windows: [TargetWindow], blendsAlpha: Bool, _ programs: DesktopPrograms,
    backgrounds: [UInt32: Background] = [:]
  ) {
    self.backgrounds = backgrounds
    self.windows = windows
    self.blendsAlpha = blendsAlpha
    self.programs = programs
  }

  /// Asks the server, and waits for it. The windows of clients with these numbers are inspected: they count as opaque if they have
  /// alpha and hardly any of their pixels is translucent. Throws `unreachable`, `unsupported` or `lost`.
  package init(
    of display: String, inspecting numbers: Set<UInt32> = []
  ) throws(DisplayError) {
    let connection = try DisplayConnection(to: display)
    var opened = try X11Display.openUnserved(connection, toolkitScale: nil)
    self = try opened.windowSurvey(inspecting: numbers)
  }

  /// The highest window that is visible at a point of the screen; nil if there is none.
  package func window(atX x: Int, y: Int) -> TargetWindow? {
    windows.last { $0.shape.contains(Rect(x: x, y: y, width: 1, height: 1)) }
  }

  /// The window with a number, or in the frame with it; nil if there is none.
  package func window(numbered number: UInt32) -> TargetWindow? {
    windows.last { $0.properties.id == number || $0.properties.frame == number }
  }

  /// Whether glass belongs over a window, if its pane says nothing else.
  package func takesGlassOver(_ window: TargetWindow) -> Bool {
    window.takesGlassOver(.auto, blends: blendsAlpha)
  }

  /// The background of an inspected window; nil if the glass belongs beneath it.
  package func background(of window: TargetWindow) -> Background? {
    takesGlassOver(window) ? backgrounds[window.properties.id] : nil
  }

  /// Why glass of an inspected window would not be seen; nil if it would.
  package func obstacle(of window: TargetWindow) -> TargetState.Obstacle? {
    guard takesGlassOver(window) else {
      if !blendsAlpha { return .noCompositor }
      return window.isTranslucent ? nil : .opaque
    }
    if window.client?.isFullscreen == true { return .fullscreen }
    return background(of: window)?.isEven == false ? .uneven : nil
  }
}
