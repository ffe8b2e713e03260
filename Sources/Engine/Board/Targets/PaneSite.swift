import Panes

/// Where an entry of a pane belongs.
enum PaneSite: Hashable {
  /// On an output; never `all`.
  case output(OutputChoice)
  /// Right beneath a window.
  case window(WindowID)
  /// Beneath a window that is not there.
  case noWindow

  /// The window; nil if there is none.
  var window: WindowID? { if case .window(let id) = self { id } else { nil } }

  /// The output as it was declared, or the window.
  var text: String {
    switch self {
    case .output(let choice): choice.text
    case .window(let id): WindowNumber(id.number).text
    case .noWindow: "none"
    }
  }
}
