package import Control

/// The answer of the daemon of a display.
package enum DaemonAnswer: Equatable, Sendable {
  case status(StatusReport)
  /// No daemon listens.
  case absent
  /// No display is named, so it is not known which daemon is meant.
  case notAsked
  /// It listens, and answers with the reason why it cannot tell its status.
  case refused(String)
  /// Its answer is that of another version.
  case otherVersion
  /// It cannot be asked; the reason.
  case unreachable(String)

  /// Asks the daemon of the first display that has one, and waits for it.
  package init(at displays: [DisplayName]) {
    do throws(ControlError) {
      var client = try ControlClient.connect(to: displays)
      switch try client.ask(.status).reply {
      case .status(let status): self = .status(status)
      case .failure(_, let text): self = .refused(text)
      default: self = .otherVersion
      }
    } catch {
      switch error {
      case .noDaemon: self = .absent
      case .unreadableReply: self = .otherVersion
      default: self = .unreachable("\(error)")
      }
    }
  }

  /// The windows that it has glass behind; nil if it does not tell them. Waits for it, and for its display.
  func glassWindows() -> GlassWindows? {
    guard let display = status?.display,
      var client = try? ControlClient.connect(to: [DisplayName(display)]),
      case .windows(let windows) = try? client.ask(.windows).reply,
      case .panes(let panes) = try? client.ask(.list).reply
    else { return nil }
    return GlassWindows(windows, of: panes, onServer: display)
  }

  /// Nil if it did not tell it.
  package var status: StatusReport? {
    if case .status(let status) = self { status } else { nil }
  }
}

/// The checks of the two programs. `version` is that of this program. `served` are the displays that other daemons of this
/// user serve, and `display` is the one that the user named; nil if none.
package func daemonChecks(
  _ answer: DaemonAnswer, version: String, served: [String], display: String?
) -> CheckGroup {
  let (start, restart) = (
    backdropctlCommand("start", on: display), backdropctlCommand("restart", on: display)
  )
  func daemon(_ state: Check.State, _ found: String, _ remedy: String? = nil) -> Check {
    Check("backdropd", state, found, remedy: remedy)
  }
  var checks = [Check("backdropctl", .good, "version \(version)")]
  switch answer {
  case .status(let status):
    let process = "process \(status.pid)"
    if status.version != version {
      checks.append(
        daemon(
          .problem, "\(process) is version \(status.version), which is not that of backdropctl",
          restart))
    } else if !status.connected {
      checks.append(
        daemon(
          .problem, "\(process) waits for the lost display \(status.display)",
          "log in, or: \(start), which replaces it if the display is there"))
    } else {
      let panes = "\(status.panes) pane\(status.panes == 1 ? "" : "s")"
      checks.append(
        daemon(.good, "\(process) of the same version for \(status.build), with \(panes)"))
    }
    if status.locked {
      let reason = status.lockReason.map { ", because \($0)" } ?? ""
      checks.append(daemon(.note, "panes are hidden\(reason)"))
    }
  case .absent:
    let other = served.first.map {
      "; one serves \(served.joined(separator: ", ")): backdropctl --display \($0)"
    }
    checks.append(daemon(.warning, "does not run here\(other ?? "")", start))
  case .notAsked: checks.append(daemon(.note, "not asked, because no display is known"))
  case .refused(let text): checks.append(daemon(.problem, text, restart))
  case .otherVersion:
    checks.append(daemon(.problem, "answers in the protocol of another version", restart))
  case .unreachable(let text): checks.append(daemon(.problem, text))
  }
  return CheckGroup("programs", checks)
}
