/// What can be wrong with what a user asks of a pane.
package enum PaneError: Error, Equatable, Sendable {
  /// A text that is not what the setting takes.
  case unreadable(setting: String, text: String, expected: String)
  /// A value that the setting understands and does not allow.
  case outOfRange(setting: String, text: String, expected: String)
  case missing(setting: String)
  case badName(String)
  case duplicateName(String)
  case unknownName(String, known: [String])
  case unknownMaterial(String, nearest: [String])
  case unknownVibrancy(String, nearest: [String], all: [String])
  case tooMany(limit: Int)
  case hidden(String)
  case offScreen(geometry: String, screen: String)
}

extension PaneError: CustomStringConvertible {
  /// One line: what is wrong, and what would be right.
  package var description: String {
    switch self {
    case .unreadable(let setting, let text, let expected):
      "\(setting): cannot read '\(text)'; it takes \(expected)"
    case .outOfRange(let setting, let text, let expected):
      "\(setting): \(text) is out of range; it takes \(expected)"
    case .missing(let setting):
      "\(setting) is missing; a new pane needs it"
    case .badName(let name):
      "cannot name a pane '\(name)'; a name is 1 to 64 letters, digits, '.', '_' or '-'"
    case .duplicateName(let name):
      "there is a pane named '\(name)' already; change it with 'set', or choose another name"
    case .unknownName(let name, let known):
      known.isEmpty
        ? "there is no pane named '\(name)'; there are none at all"
        : "there is no pane named '\(name)'; there are: \(known.joined(separator: ", "))"
    case .unknownMaterial(let name, let nearest):
      nearest.isEmpty
        ? "there is no material named '\(name)'; 'backdropctl materials' lists all"
        : "there is no material named '\(name)'; did you mean \(nearest.joined(separator: ", "))?"
    case .unknownVibrancy(let name, let nearest, let all):
      nearest.isEmpty
        ? "vibrancy: there is no style named '\(name)'; there are: \(all.joined(separator: ", "))"
        : "vibrancy: there is no style named '\(name)'; did you mean "
          + "\(nearest.joined(separator: ", "))?"
    case .tooMany(let limit):
      "there are \(limit) panes already, and no more can be had; remove one first"
    case .hidden(let name):
      "the pane '\(name)' is not shown; show it first with 'show'"
    case .offScreen(let geometry, let screen):
      "geometry: \(geometry) lies outside the screen, which is \(screen)"
    }
  }
}
