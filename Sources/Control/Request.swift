package import Panes

/// What a client may ask of the daemon. On the wire it is a line of JSON, see `Request+Line.swift`; the
/// pixels of what a pane is to hold are in a file that comes with the line, see `makeContents`.
package enum Request: Equatable, Sendable {
  case add(name: String, PaneChange, Fade = .none)
  case set(name: String, PaneChange, Fade = .none)
  case remove(name: String)
  case show(name: String, Fade = .none)
  case hide(name: String, Fade = .none)
  case toggle(name: String, Fade = .none)
  case list
  case status
  /// Answered when all that was asked before has reached the screen.
  case sync
  /// The pixels of a pane as it was last drawn, or those of what lies behind it.
  case snapshot(name: String, isBackdrop: Bool)
  case quit

  /// What it has a pane hold.
  package var contents: [PaneContent] {
    switch self {
    case .add(_, let change, _), .set(_, let change, _): change.contents ?? []
    default: []
    }
  }
}

/// The value of the key `request`.
enum Verb: String, CaseIterable {
  case add, set, remove, show, hide, toggle, list, status, sync, snapshot, quit

  /// What may stand beside `request`.
  var keys: [Key] {
    switch self {
    case .add, .set:
      [
        .name, .geometry, .material, .sigma, .saturation, .brightness, .contrast, .noise, .blend,
        .tint, .corner, .border, .shadow, .sees, .input, .content, .fade,
      ]
    case .show, .hide, .toggle: [.name, .fade]
    case .remove: [.name]
    case .snapshot: [.name, .backdrop]
    case .list, .status, .sync, .quit: []
    }
  }
}

/// Every key that a request may have.
enum Key: String, CodingKey {
  case request, name, geometry, material, sigma, saturation, brightness, contrast, noise, blend
  case tint, corner, border, shadow, sees, input, content, fade, backdrop
}
