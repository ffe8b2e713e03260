import Control
import Linux

/// `backdropd.service` of this user.
struct UserUnit {
  /// The outcome of an attempt to start the unit.
  enum Outcome {
    case started
    /// The user does not want it.
    case masked
    /// There is no user manager, or no unit, or it serves another display.
    case unavailable
  }

  private static let name = "backdropd.service"

  /// Starts the unit with the display of this session, which no daemon serves. Returns when the unit serves the display, or has
  /// failed.
  func start() -> Outcome {
    guard let state = property("LoadState") else { return .unavailable }
    if state == "masked" { return .masked }
    if state != "loaded" { return .unavailable }
    let isServing = property("StatusText")?.contains("serving display") == true
    // The unit that serves another display goes on, and keeps its environment.
    if isServing, property("ActiveState") == "active" { return .unavailable }
    let set = sessionVariables.filter { environmentVariable($0).map { !$0.isEmpty } ?? false }
    if !set.isEmpty { _ = systemctl(["import-environment"] + set) }
    return systemctl(["restart", Self.name]) == nil ? .unavailable : .started
  }

  /// A property of the unit; nil if no user manager answers.
  private func property(_ name: String) -> String? {
    systemctl(["show", "--value", "--property=\(name)", Self.name])?
      .split(separator: "\n").first.map(String.init)
  }

  /// The output of `systemctl`; nil if it failed or takes long.
  private func systemctl(_ arguments: [String]) -> String? {
    guard let helper = try? HelperProcess("systemctl", ["--user"] + arguments) else { return nil }
    _ = awaitReadable(helper.descriptor, within: .seconds(30))
    helper.update()
    return helper.hasSucceeded ? helper.outputText : nil
  }
}
