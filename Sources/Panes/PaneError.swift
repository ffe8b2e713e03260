/// An error in a request about panes.
package enum PaneError: Error, Equatable, Sendable {
  /// The text is not in the syntax of the setting.
  case unreadable(setting: String, text: String, expected: String)
  /// The value is outside the range of the setting.
  case outOfRange(setting: String, text: String, expected: String)
  /// A new pane has none of two settings.
  case missing(setting: String, other: String)
  /// A setting has no meaning together with another one.
  case contradiction(setting: String, other: String)
  /// A setting has no meaning without another one.
  case needless(setting: String, without: String)
  /// The name has invalid characters or an invalid length.
  case badName(String)
  /// A pane with this name exists.
  case duplicateName(String)
  /// No pane has this name.
  case unknownName(String, known: [String])
  /// No setting has this name.
  case unknownSetting(String, all: [String])
  /// No material has this name.
  case unknownMaterial(String, nearest: [String])
  /// No shadow has this name, but others have similar ones.
  case unknownShadow(String, nearest: [String])
  /// No vibrancy style has this name.
  case unknownVibrancy(String, nearest: [String], all: [String])
  /// The number of panes is at its limit.
  case tooMany(limit: Int)
  /// The pane must be shown for the request.
  case hidden(String)
  /// No pixel of an image or a label is on its pane.
  case contentOutside(content: String, at: String, pane: String)
  /// The images and labels of a pane are not those that were drawn.
  case otherContent(String)
  /// No pixel of the pane is on the screen, or on its output.
  case offScreen(
    setting: String = "geometry", place: String, output: String = "the screen", size: String)
  /// No output has this name.
  case unknownOutput(String, all: [String])
  /// The pane is on other outputs.
  case notOnOutput(String, String, all: [String])
  /// The output of a pane is not there.
  case waiting(String, output: String)
  /// No window fulfils the conditions of the pane.
  case noWindow(String)
  /// The pane is no drawer.
  case noDrawer(String)
  /// The drawer must be open, at least in part, for the request.
  case closed(String)
}

extension PaneError: CustomStringConvertible {
  /// One line that names the error and the correction.
  package var description: String {
    switch self {
    case .unreadable(let setting, let text, let expected):
      "\(setting): cannot read '\(text)'; it takes \(expected)"
    case .outOfRange(let setting, let text, let expected):
      "\(setting): \(text) is out of range; it takes \(expected)"
    case .missing(let setting, let other):
      "\(setting) is missing; a new pane needs it or a \(other)"
    case .contradiction(let setting, let other):
      "\(setting): it has no meaning together with \(other); give one of them"
    case .needless(let setting, let other):
      "\(setting): it has no meaning without \(other)"
    case .badName(let name):
      "cannot name a pane '\(name)'; a name is 1 to 64 letters, digits, '.', '_' or '-'"
    case .duplicateName(let name):
      "there is a pane named '\(name)' already; change it with 'set' or 'add --or-set', or choose another name"
    case .unknownName(let name, let known):
      known.isEmpty
        ? "there is no pane named '\(name)'; there are no panes"
        : "there is no pane named '\(name)'; there are: \(known.joined(separator: ", "))"
    case .unknownSetting(let name, let all):
      "there is no setting '\(name)'; there are: \(all.joined(separator: ", "))"
    case .unknownMaterial(let name, let nearest):
      nearest.isEmpty
        ? "there is no material named '\(name)'; 'backdropctl materials' lists all"
        : "there is no material named '\(name)'; did you mean \(nearest.joined(separator: ", "))?"
    case .unknownShadow(let name, let nearest):
      "shadow: there is none named '\(name)'; did you mean \(nearest.joined(separator: ", "))?"
    case .unknownVibrancy(let name, let nearest, let all):
      nearest.isEmpty
        ? "vibrancy: there is no style named '\(name)'; there are: \(all.joined(separator: ", "))"
        : "vibrancy: there is no style named '\(name)'; did you mean "
          + "\(nearest.joined(separator: ", "))?"
    case .tooMany(let limit):
      "there are \(limit) panes already, and no more can be added; remove one first"
    case .hidden(let name):
      "the pane '\(name)' is not shown; show it first with 'show'"
    case .contentOutside(let content, let place, let pane):
      "at: \(content) at \(place) lies outside the pane, which is \(pane)"
    case .otherContent(let name):
      "the pane '\(name)' has other images and labels now"
    case .offScreen(let setting, let place, let output, let size):
      "\(setting): \(place) lies outside \(output), which is \(size)"
    case .unknownOutput(let name, let all):
      "output: there is none named '\(name)'; there are: \(all.joined(separator: ", ")), and primary, pointer, "
        + "all and screen"
    case .notOnOutput(let name, let output, let all):
      "the pane '\(name)' is not on output '\(output)'"
        + (all.isEmpty ? "" : "; it is on: \(all.joined(separator: ", "))")
    case .waiting(let name, let output):
      "the pane '\(name)' waits for output '\(output)', which is not there"
    case .noWindow(let name):
      "no window fulfils the conditions of the pane '\(name)'; 'behind match' lists the windows"
    case .noDrawer(let name):
      "the pane '\(name)' is no drawer; 'set \(name) --edge EDGE' makes it one"
    case .closed(let name):
      "the drawer '\(name)' is closed; open it first with 'drawer open'"
    }
  }
}
