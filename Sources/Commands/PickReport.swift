import Control
import Engine
import Panes
import X11Display

/// The rule for a window that was picked.
struct PickReport: Encodable {
  /// The command that adds the pane, quoted for a shell.
  let command: String
  /// The words of that command.
  let arguments: [String]
  let window: WindowReport
  /// The number of shown windows that fulfil the conditions.
  let matches: Int
  /// Why glass behind the window would not be seen, and what to do; nil if it would.
  let hindrance: String?

  /// `settings` have the conditions. Without a name the pane is called like the window.
  init(
    _ chosen: TargetWindow, of survey: WindowSurvey, _ settings: PaneSettings, pane: String?,
    display: String?
  ) throws(Failure) {
    let properties = chosen.properties
    arguments =
      ["backdropctl", "behind", "add", pane ?? Self.paneName(for: properties)]
      + settings.arguments + (display.map { ["--display", $0] } ?? [])
    command = arguments.map(shellWord).joined(separator: " ")
    let obstacle = survey.obstacle(of: chosen)
    var window = WindowReport(
      properties, rect: "\(chosen.frame)", obstacle: obstacle?.rawValue)
    if survey.takesGlassOver(chosen) {
      let background = survey.background(of: chosen)
      window.markOver(color: background?.color, share: background?.near)
    }
    self.window = window
    hindrance = obstacle?.advice(for: properties, on: survey.programs)
    do throws(PaneError) {
      let match = try settings.placement().behind?.match
      matches = survey.windows.count { match?.includes($0.properties) == true }
    } catch {
      throw Failure(error)
    }
  }

  /// How many windows would have glass, and where.
  var summary: String {
    let count =
      matches == 1
      ? "1 shown window fulfils the conditions"
      : "\(matches) shown windows fulfil the conditions"
    guard hindrance == nil, let background = window.background else { return count }
    return "\(count); its background \(background) becomes glass"
  }

  /// A name for a pane: the class of its window, or the type.
  private static func paneName(for window: WindowProperties) -> String {
    for text in [window.windowClass, window.instance] {
      let name = text.lowercased().filter { character in
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
      }
      if let first = name.first, first != "-", name.count <= 64 { return name }
    }
    return window.type.rawValue
  }
}
