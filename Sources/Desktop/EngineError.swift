package import Panes

/// Why the engine did not do what it was asked for.
package enum EngineError: Error, Equatable, Sendable {
  /// The request was wrong; nothing has changed.
  case pane(PaneError)
  /// The display server failed.
  case desktop(DesktopError)
}
