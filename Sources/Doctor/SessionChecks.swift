import Control

/// The variables of a session that matter to backdropd.
package enum SessionVariable: String, CaseIterable, Sendable {
  case display = "DISPLAY"
  case waylandDisplay = "WAYLAND_DISPLAY"
  case authority = "XAUTHORITY"
  case runtimeDirectory = "XDG_RUNTIME_DIR"
  case bus = "DBUS_SESSION_BUS_ADDRESS"
  case desktop = "XDG_CURRENT_DESKTOP"

  /// The variables that the unit needs from the user manager.
  static let ofDisplay: [SessionVariable] = [.display, .waylandDisplay, .authority]
}

/// The checks of the environment. `manager` is the environment of the user manager of systemd, with which it starts units;
/// nil if there is none.
package func sessionChecks(
  _ environment: (String) -> String?, manager: [String: String]?
) -> CheckGroup {
  func value(_ variable: SessionVariable) -> String? {
    environment(variable.rawValue).flatMap { $0.isEmpty ? nil : $0 }
  }
  var checks = SessionVariable.allCases.map { variable -> Check in
    guard let value = value(variable) else { return missing(variable) }
    if variable == .runtimeDirectory, !value.isAbsolutePath {
      return runtimeDirectoryProblem("'\(value)' is not an absolute path")
    }
    return Check(variable.rawValue, .good, value)
  }
  if let manager {
    let different = SessionVariable.ofDisplay.filter { variable in
      value(variable).map { $0 != manager[variable.rawValue] } ?? false
    }
    checks.append(managerCheck(different, manager))
  }
  return CheckGroup("session", checks)
}

private func missing(_ variable: SessionVariable) -> Check {
  switch variable {
  case .runtimeDirectory: runtimeDirectoryProblem("not set")
  case .authority:
    Check(variable.rawValue, .good, "not set: the X authority is ~/.Xauthority")
  case .bus:
    Check(variable.rawValue, .good, "not set: the bus is $XDG_RUNTIME_DIR/bus, if there is one")
  case .display, .waylandDisplay, .desktop: Check(variable.rawValue, .good, "not set")
  }
}

private func runtimeDirectoryProblem(_ text: String) -> Check {
  Check(
    SessionVariable.runtimeDirectory.rawValue, .problem,
    "\(text); the control socket is in this folder",
    remedy: "export XDG_RUNTIME_DIR=/run/user/$(id -u)")
}

private func managerCheck(_ different: [SessionVariable], _ manager: [String: String]) -> Check {
  let name = "user manager"
  if different.isEmpty {
    return Check(name, .good, "systemd knows the display variables of this session")
  }
  let names = different.map(\.rawValue).joined(separator: " ")
  let unset = different.allSatisfy { manager[$0.rawValue] == nil }
  return Check(
    name, .warning,
    "systemd \(unset ? "does not know" : "has other values of") \(names); the unit starts without them",
    remedy: "systemctl --user import-environment \(names)")
}
