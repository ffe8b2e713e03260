import Control
import Engine
import Panes

/// The reports of the daemon.
extension DaemonOptions {
  /// The state of the daemon.
  func status() throws(Failure) -> StatusReport {
    guard case .status(let status) = try ask(.status).reply else {
      throw Failure(.unreadableReply)
    }
    return status
  }

  /// The scale factor of the display: the number of pixels per 1/96 inch.
  func scale() throws(Failure) -> Double { try status().scale }

  /// The outputs of the display.
  func outputs() throws(Failure) -> [OutputReport] {
    guard case .outputs(let outputs) = try ask(.outputs).reply else {
      throw Failure(.unreadableReply)
    }
    return outputs
  }

  /// The panes.
  func panes() throws(Failure) -> [PaneReport] {
    guard case .panes(let panes) = try ask(.list).reply else { throw Failure(.unreadableReply) }
    return panes
  }

  /// The windows that may have glass behind them, after all that was asked before is on the screen. A window is repeated if
  /// searches in its title gave up.
  func windows() throws(Failure) -> [WindowReport] {
    guard case .windows(let windows) = try ask(.windows).reply else {
      throw Failure(.unreadableReply)
    }
    return windows
  }

  /// The windows that fulfil conditions, each once, and those for which a search in the title gives up.
  func windows(
    fulfilling match: WindowMatch
  ) throws(Failure) -> (found: [WindowReport], undecided: [WindowReport]) {
    let windows = try windows().filter {
      $0.obstacle != TargetState.Obstacle.costlyTitle.rawValue
    }
    let findings = windows.map { $0.properties.map { match.search($0) } ?? .absent }
    func those(_ wanted: TextPattern.Finding) -> [WindowReport] {
      zip(windows, findings).filter { $1 == wanted }.map(\.0)
    }
    return (those(.found), those(.tooCostly))
  }

  /// Warns of outputs that are not there: panes wait for them, unless a name is wrong.
  func warnOfAbsentOutputs(of choices: [OutputChoice?]) {
    var named: [String] = []
    for case .named(let name) in choices where !named.contains(name) { named.append(name) }
    guard !named.isEmpty, let names = try? outputs().map(\.name) else { return }
    for name in named where !names.contains(name) {
      let meant = name.nearest(
        in: names.filter { $0 != "screen" } + ["primary", "pointer", "all", "screen"])
      warn(
        "output '\(name)' is not there; the pane waits for it. "
          + (meant.isEmpty
            ? "There are: \(names.joined(separator: ", "))"
            : "Did you mean \(meant.joined(separator: ", "))?"))
    }
  }
}
