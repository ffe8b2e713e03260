import Control
import Panes

/// What the daemon tells.
extension DaemonOptions {
  /// Its state.
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

  /// The windows that may have glass behind them, after all that was asked before is on the screen.
  func windows() throws(Failure) -> [WindowReport] {
    guard case .windows(let windows) = try ask(.windows).reply else {
      throw Failure(.unreadableReply)
    }
    return windows
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
