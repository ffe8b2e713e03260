package import Panes

/// Why the engine did not do what it was asked for.
package enum EngineError: Error, Equatable, Sendable {
  /// The request was wrong; nothing has changed.
  case pane(PaneError)
  /// What lies behind this pane changed whenever it was to be read; later it can be.
  case unreadable(String)
  /// The display server failed.
  case desktop(DesktopError)
}

extension EngineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .pane(let error): "\(error)"
    case .unreadable(let name):
      "the backdrop of pane '\(name)' cannot be read now: windows behind it come and go too fast; "
        + "try again"
    case .desktop(let error): "\(error)"
    }
  }
}
