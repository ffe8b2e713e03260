/// The output to which a pane belongs, as users write it.
package enum OutputChoice: Hashable, Sendable {
  /// The whole screen, across all monitors.
  case screen
  /// The main monitor; the first one if none is declared as the main one.
  case primary
  /// The monitor with the pointer when the pane appears.
  case pointer
  /// All monitors: the pane is shown once on each of them.
  case all
  /// The monitor with this name. The pane waits while there is none.
  case named(String)

  /// Parses one of the words, or the name of an output. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    switch text {
    case "screen": self = .screen
    case "primary": self = .primary
    case "pointer": self = .pointer
    case "all": self = .all
    default:
      guard (1...255).contains(text.utf8.count) else {
        throw .unreadable(
          setting: "output", text: text,
          expected: "the name of an output, such as HDMI-1, or primary, pointer, all or screen")
      }
      self = .named(text)
    }
  }

  /// The text that `init(parsing:)` reads.
  package var text: String {
    switch self {
    case .screen: "screen"
    case .primary: "primary"
    case .pointer: "pointer"
    case .all: "all"
    case .named(let name): name
    }
  }
}
