import Control
import Engine
import Linux
import WaylandDisplay
import X11Display

/// Checks everything that backdropd needs on this machine and in this session, and the daemon if one runs. Changes nothing. Waits
/// for display servers and other programs, at most some seconds for one that does not answer.
///
/// - Parameters:
///   - display: The display that is meant; nil for those of the environment.
///   - speed: The measured speed of the glass.
package func diagnose(
  display: String?, speed: GlassSpeed,
  environment: (String) -> String? = environmentVariable
) -> DoctorReport {
  let manager = ManagerSurvey()
  let served = servedDisplays(runtimeDirectory: environment("XDG_RUNTIME_DIR"))
  var answer = DaemonAnswer.notAsked
  var considered: [ConsideredDisplay] = []
  var displayGroups: [CheckGroup]
  do throws(ControlError) {
    let candidates = try DisplayName.candidates(display, environment: environment)
    answer = DaemonAnswer(at: candidates)
    let servedDisplay = answer.status.map { DisplayName($0.display) }
    for candidate in candidates {
      let variable = candidate.server == .x11 ? "DISPLAY" : "WAYLAND_DISPLAY"
      let next = ConsideredDisplay(
        candidate, from: display == nil ? variable : "--display", survey(candidate, environment))
      considered.append(next)
      // Later candidates do not matter.
      if servedDisplay.map({ $0 == candidate }) ?? next.isUsable { break }
    }
    displayGroups = displayChecks(considered, answer)
  } catch {
    displayGroups = [missingDisplayCheck(served: served)]
  }
  let known = considered.map(\.name)
  // A server that does not answer is not waited for again.
  let glass = considered.last?.hasAnsweringServer == true ? answer.glassWindows() : nil
  let programs = daemonChecks(
    answer, version: ProgramVersion.text,
    served: served.filter { !known.contains(DisplayName($0)) },
    display: display)
  return DoctorReport(
    version: ProgramVersion.text,
    groups: [programs] + displayGroups + [glass?.checks].compactMap(\.self) + [
      sessionChecks(environment, manager: manager.survey?.environment),
      permissionChecks(considered, environment),
      configurationChecks(ConfigurationSurvey(answer.status, environment)),
      unitChecks(
        manager, isRunning: answer.status != nil, autostart: autostartEntry(environment)),
      machineChecks(ProcessorSurvey(), speed, build: .current, best: .best),
    ])
}

/// The survey of a display.
private func survey(
  _ display: DisplayName, _ environment: (String) -> String?
) -> DisplaySurvey {
  let scale = toolkitScale(environment("GDK_SCALE"))
  let hasServer = display.server == .x11 && display.hasListeningServer()
  return answerInTime { _ in
    do throws(DisplayError) {
      return switch display {
      case .x11(let name): .x11(try ServerSurvey(of: name, toolkitScale: scale))
      case .wayland(let name): .wayland(try CompositorSurvey(of: name))
      }
    } catch {
      if case .unreachable = error, hasServer { return .refused }
      return .failed(error)
    }
  } ?? .silent
}

private func permissionChecks(
  _ considered: [ConsideredDisplay], _ environment: (String) -> String?
) -> CheckGroup {
  var checks: [Check] = []
  if let path = environment("XDG_RUNTIME_DIR"), path.isAbsolutePath {
    checks.append(runtimeDirectoryCheck(path, FileSurvey(path)))
  }
  if let server = considered.first(where: { $0.name.server == .x11 }) {
    let path =
      environment("XAUTHORITY").flatMap { $0.isEmpty ? nil : $0 }
      ?? (environment("HOME") ?? "") + "/.Xauthority"
    checks.append(authorityCheck(path, FileSurvey(path), isAccepted: !server.isRefused))
  }
  return CheckGroup("permissions", checks)
}
