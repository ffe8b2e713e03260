import Control
import Doctor
import Panes

extension DaemonOptions {
  /// The windows that may have glass behind them.
  func windows() throws(Failure) -> [WindowReport] {
    guard case .windows(let windows) = try ask(.windows).reply else {
      throw Failure(.unreadableReply)
    }
    return windows
  }

  /// The windows that glass is behind.
  func glassWindows() throws(Failure) -> GlassWindows {
    GlassWindows(try windows(), onServer: try status().display)
  }

  /// The windows that glass of a new pane is behind.
  func glassWindows(
    of pane: String, _ match: WindowMatch
  ) throws(Failure) -> GlassWindows {
    GlassWindows(of: pane, matching: match, onServer: try status().display)
  }

  /// The daemon's state.
  func status() throws(Failure) -> StatusReport {
    guard case .status(let status) = try ask(.status).reply else {
      throw Failure(.unreadableReply)
    }
    return status
  }
}

extension GlassWindows {
  /// Warns of what hinders the glass, and tells what to do: once for each pane and reason.
  func warnOfObstacles() {
    for glass in obstructed {
      let remedy = glass.remedy.map { "; \($0)" } ?? ""
      warn("the glass of '\(glass.pane)' is not seen: \(glass.finding)\(remedy)")
    }
  }
}
