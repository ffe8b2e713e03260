import Control
import Doctor
import Engine
import X11Display

extension DaemonOptions {
  /// Warns of what hinders glass behind windows, and tells what to do: once for each pane and reason.
  func warnOfObstacles(_ status: StatusReport) {
    if status.obstructed.isEmpty { return }
    let programs = (try? DesktopPrograms(of: status.display)) ?? DesktopPrograms()
    for glass in status.obstructed.compactMap({ ObstructedGlass($0, on: programs) }) {
      let remedy = glass.remedy.map { "; \($0)" } ?? ""
      warn("the glass of '\(glass.pane)' is not shown: \(glass.finding)\(remedy)")
    }
  }

  /// The daemon's state.
  func status() throws(Failure) -> StatusReport {
    guard case .status(let status) = try ask(.status).reply else {
      throw Failure(.unreadableReply)
    }
    return status
  }
}
