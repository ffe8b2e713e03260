import Panes

/// What a compositor does with the windows of a pane, which leaves no trace on them.
package enum CompositorHint: Equatable, Sendable {
  /// These settings make some windows translucent, and the glass of the pane is over its windows.
  case translucency(String, [String])
  /// It rounds the corners of windows, with a radius in pixels, and the glass of the pane beneath its windows is square.
  case corner(String, Int)

  package var pane: String {
    switch self {
    case .translucency(let pane, _), .corner(let pane, _): pane
    }
  }

  /// What the compositor does.
  package var finding: String {
    switch self {
    case .translucency(let pane, let settings):
      "\(settings.joined(separator: " and ")) of picom may make windows of '\(pane)' translucent, whose glass is over them"
    case .corner(let pane, let radius):
      "picom rounds the corners of the windows of '\(pane)' (corner-radius \(radius)), and not those of the glass"
    }
  }

  /// The command that suits it.
  package var remedy: String {
    switch self {
    case .translucency(let pane, _): "backdropctl set \(shellWord(pane)) --translucent always"
    case .corner(let pane, let radius): "backdropctl set \(shellWord(pane)) --corner \(radius)"
    }
  }

  var check: Check { Check(pane, .note, finding, remedy: remedy) }
}
