import Control
import Linux

/// The state of `backdropd.service` of this user, by systemd.
package struct UnitSurvey: Equatable, Sendable {
  /// The properties of the unit, and of the target that starts it, as `systemctl show` prints them.
  package var unit, target: [String: String]
  /// The environment with which units start.
  package var environment: [String: String]
  /// The last line of the unit's log; nil if it is unknown.
  package var lastMessage: String?

  package init(
    unit: [String: String], target: [String: String] = [:], environment: [String: String] = [:],
    lastMessage: String? = nil
  ) {
    self.unit = unit
    self.target = target
    self.environment = environment
    self.lastMessage = lastMessage
  }

  static let unitName = "backdropd.service"
  static let targetName = "graphical-session.target"

  var isInstalled: Bool { unit["LoadState"] == "loaded" }
  var isEnabled: Bool { unit["UnitFileState"]?.hasPrefix("enabled") == true }
  var isTargetReached: Bool { target["ActiveState"] == "active" }
}

/// Whether a user manager of systemd answers, and what it says.
package enum ManagerSurvey: Equatable, Sendable {
  case answers(UnitSurvey)
  /// There is no `systemctl`.
  case absent
  /// `systemctl --user` says why it cannot.
  case unreachable(String)

  /// Runs `systemctl` and `journalctl`.
  package init() {
    let unit = UnitSurvey.unitName
    let properties = [
      "Id", "LoadState", "UnitFileState", "ActiveState", "Result", "StatusText", "MainPID",
    ]
    let shown = outcome(
      of: "systemctl",
      [
        "--user", "show", unit, UnitSurvey.targetName,
        "--property=" + properties.joined(separator: ","),
      ])
    guard let shown else {
      self = .absent
      return
    }
    let blocks = assignmentBlocks(shown.output)
    guard let own = blocks.first(where: { $0["Id"] == unit }) else {
      self = .unreachable(firstLine(shown.errors) ?? "it prints nothing")
      return
    }
    var survey = UnitSurvey(unit: own)
    survey.target = blocks.first { $0["Id"] == UnitSurvey.targetName } ?? [:]
    let environment = outcome(of: "systemctl", ["--user", "show-environment"])
    survey.environment = assignmentBlocks(environment?.output ?? "").first ?? [:]
    if survey.isInstalled, own["ActiveState"] != "active" {
      let log = outcome(
        of: "journalctl",
        ["--user", "--unit", unit, "--lines=1", "--output=cat", "--no-pager", "--quiet"])
      survey.lastMessage = log.flatMap { firstLine($0.output) }
    }
    self = .answers(survey)
  }

  /// Nil if no manager answers.
  package var survey: UnitSurvey? {
    if case .answers(let survey) = self { survey } else { nil }
  }
}

/// Lines such as `Id=a.service` in blocks between empty lines.
func assignmentBlocks(_ text: String) -> [[String: String]] {
  var blocks: [[String: String]] = [[:]]
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.isEmpty {
      blocks.append([:])
    } else if let sign = line.firstIndex(of: "=") {
      blocks[blocks.count - 1][String(line[..<sign])] = String(line[sign...].dropFirst())
    }
  }
  return blocks.filter { !$0.isEmpty }
}

private func firstLine(_ text: String) -> String? {
  text.split(separator: "\n").first.map(String.init)
}

/// The entry that starts backdropd with the autostart of the desktop; nil if there is none, or if it is hidden.
func autostartEntry(_ environment: (String) -> String?) -> String? {
  let files = configurationFiles(environment: environment).map { file in
    String(file.dropLast("backdropd/backdropd.conf".count)) + "autostart/backdropd.desktop"
  }
  guard let file = firstExisting(files), let bytes = bytesOfFile(file, followsLinks: true) else {
    return nil
  }
  let isHidden = String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains(
    "Hidden=true")
  return isHidden ? nil : file
}

/// The checks of the unit. `isRunning` is whether a daemon answers, whatever started it. `autostart` is the entry of the
/// autostart; nil if there is none.
package func unitChecks(
  _ manager: ManagerSurvey, isRunning: Bool, autostart: String? = nil
) -> CheckGroup {
  let name = "systemd user unit"
  switch manager {
  case .absent:
    return CheckGroup(
      name,
      [
        Check(
          "systemd", .note,
          "not here; the autostart of the desktop starts a process: backdropctl start")
      ])
  case .unreachable(let text):
    return CheckGroup(
      name,
      [
        Check(
          "systemd", .note, "no user manager answers: \(text)",
          remedy: "in the autostart of the desktop: backdropctl start")
      ])
  case .answers(let survey):
    let states = [
      survey.installationCheck(autostart), survey.activityCheck(isRunning),
      survey.targetCheck(autostart),
    ]
    return CheckGroup(name, survey.isInstalled ? states : [states[0]])
  }
}

extension UnitSurvey {
  fileprivate func installationCheck(_ autostart: String?) -> Check {
    if !isInstalled {
      let state = unit["LoadState"] ?? "unknown"
      return Check(
        "unit", .note, state == "not-found" ? "not installed" : "its file is \(state)",
        remedy: "sudo make install; systemctl --user daemon-reload")
    }
    if isEnabled { return Check("unit", .good, "installed and enabled") }
    if autostart != nil {
      return Check("unit", .good, "installed; not enabled, because the autostart starts it")
    }
    return Check(
      "unit", .note, "installed, but not enabled: it does not start with the session",
      remedy: "systemctl --user enable --now backdropd")
  }

  fileprivate func activityCheck(_ isRunning: Bool) -> Check {
    let state = unit["ActiveState"] ?? "unknown"
    let message = lastMessage.map { "; its last message: \($0)" } ?? ""
    let status = unit["StatusText"].flatMap { $0.isEmpty ? nil : "; it says: \($0)" } ?? ""
    switch state {
    case "active": return Check("state", .good, "active\(status)")
    case "failed":
      return Check(
        "state", .problem, "failed (\(unit["Result"] ?? "unknown"))\(message)",
        remedy:
          "systemctl --user restart backdropd; if it fails again: journalctl --user -u backdropd")
    case "activating", "reloading":
      return Check(
        "state", .warning, "\(state)\(status)\(message)", remedy: "journalctl --user -u backdropd")
    default:
      if isRunning {
        return Check("state", .note, "\(state); the daemon was started in another way")
      }
      return Check(
        "state", isEnabled ? .problem : .note, "\(state)\(message)",
        remedy: "backdropctl start")
    }
  }

  fileprivate func targetCheck(_ autostart: String?) -> Check {
    if isTargetReached { return Check("target", .good, "\(Self.targetName) is reached") }
    if let autostart { return Check("autostart", .good, "\(autostart) starts it with the session") }
    return Check(
      "target", isEnabled && unit["ActiveState"] != "active" ? .warning : .note,
      "this session has not reached \(Self.targetName), so it does not start the unit",
      remedy: "in the autostart of the desktop: backdropctl start")
  }
}
