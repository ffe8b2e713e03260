package import Panes

/// The reason why the engine did not perform a request.
package enum EngineError: Error, Equatable, Sendable {
  /// The request was wrong; nothing has changed.
  case pane(PaneError)
  /// A pane in the list of `apply` was wrong; nothing has changed.
  case paneNamed(String, PaneError)
  /// A lock screen covers the output of this pane.
  case locked(String)
  /// The backdrop of this pane changed each time it was read.
  case unreadable(String)
  /// There is no connection to this display.
  case away(String)
  /// This display does not report the windows of other programs.
  case noWindows(String)
  /// The windows above this pane hide it.
  case obstructed(String, TargetState.Obstacle)
}

extension EngineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .pane(let error): "\(error)"
    case .paneNamed(let name, let error): "pane '\(name)': \(error)"
    case .locked(let name): "pane '\(name)' is not shown while the screen is locked"
    case .unreadable(let name):
      "the backdrop of pane '\(name)' cannot be read now: windows behind it come and go too fast; "
        + "try again"
    case .away(let name):
      "there is no connection to display \(name); panes are shown when the daemon has connected again"
    case .noWindows(let name):
      "display \(name) does not tell of other programs' windows; glass behind windows needs an X server"
    case .obstructed(let name, .noCompositor):
      "the glass '\(name)' is not shown, because no compositor blends windows"
    case .obstructed(let name, .costlyTitle):
      "the glass '\(name)' is not shown, because \(TargetState.Obstacle.costlyTitle.finding)"
    case .obstructed(let name, _): "the glass '\(name)' is not shown, because its window hides it"
    }
  }
}

extension PaneError {
  /// The error of a pane outside an output. `isScreen` is whether this is the whole screen.
  static func offScreen(_ pane: Pane, on output: Output, isScreen: Bool) -> PaneError {
    let size = "\(output.bounds.width)x\(output.bounds.height)"
    let setting = pane.settings.geometry == nil ? "size" : "geometry"
    return .offScreen(
      setting: setting, place: pane.placement.text,
      output: isScreen ? "the screen" : "output '\(output.name)'", size: size)
  }
}
