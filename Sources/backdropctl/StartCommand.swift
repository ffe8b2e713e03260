import ArgumentParser
import Control
import Linux
import Panes

/// The command `start`.
struct Start: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Starts backdropd for this session, if none serves its display.",
    discussion: """
      Where a user manager of systemd runs and the unit is installed, it tells the manager the display of this session and \
      starts the unit. Otherwise, and for a display on another host, backdropd is a process of this session and ends with \
      its display. The autostart of the desktop runs this command at each login. Two of them never serve one display.
      """)

  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let displays: [DisplayName]
    do { displays = try DisplayName.candidates(daemon.display) } catch { throw Failure(error) }
    if isServed(displays) { return }
    // The unit may use no network.
    if displays.contains(where: \.isOnOtherHost) { return try startProcess(displays) }
    switch UserUnit().start() {
    case .masked:
      throw Failure(
        .unavailable,
        "the unit is masked, so backdropd is not wanted; see 'systemctl --user unmask'")
    case .started where isServed(displays): return
    case .started, .unavailable: try startProcess(displays)
    }
  }

  /// Whether a daemon serves one of the displays, and has a connection to it.
  private func isServed(_ displays: [DisplayName]) -> Bool {
    do throws(ControlError) {
      var client = try ControlClient.connect(to: displays)
      guard case .status(let status) = try client.ask(.status).reply else { return false }
      return status.connected
    } catch {
      return false
    }
  }

  /// Starts a daemon that ends with its display, and waits until it serves it.
  private func startProcess(_ displays: [DisplayName]) throws(Failure) {
    let display = daemon.display.map { ["--display", $0] } ?? []
    let process: ChildProcess
    do throws(SystemError) {
      process = try ChildProcess(
        programPath("backdropd"), ["backdropd", "--exit-with-display"] + display,
        ChildProcess.Options(startsSession: true))
    } catch {
      throw Failure(.unavailable, "cannot run backdropd: \(error)")
    }
    let end = ContinuousClock.now + Self.patience
    while !isServed(displays) {
      // It has told the reason.
      if process.update() { throw Failure(.unavailable, "backdropd has ended") }
      if .now > end {
        throw Failure(.unavailable, "backdropd does not serve the display yet; see its messages")
      }
      _ = awaitReadable(process.descriptor, within: .milliseconds(20))
    }
  }

  /// A daemon that starts needs some hundredths of a second.
  private static let patience = Duration.seconds(20)
}

/// `backdropd.service` of this user.
struct UserUnit {
  /// What has become of an attempt to start it.
  enum Outcome {
    case started
    /// The user does not want it.
    case masked
    /// There is no user manager, or no unit.
    case unavailable
  }

  private static let name = "backdropd.service"
  /// What the daemon must know of the session.
  private static let variables = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "GDK_SCALE",
    "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_STATE_HOME",
  ]

  /// Starts it with the display of this session. Returns when it serves the display, or not. One that serves another
  /// display goes on.
  func start() -> Outcome {
    guard let state = property("LoadState") else { return .unavailable }
    if state == "masked" { return .masked }
    if state != "loaded" { return .unavailable }
    let set = Self.variables.filter { environmentVariable($0).map { !$0.isEmpty } ?? false }
    if !set.isEmpty { _ = systemctl(["import-environment"] + set) }
    let isServing = property("StatusText")?.contains("serving display") == true
    let verb = isServing && property("ActiveState") == "active" ? "start" : "restart"
    return systemctl([verb, Self.name]) == nil ? .unavailable : .started
  }

  /// A property of the unit; nil if no user manager answers.
  private func property(_ name: String) -> String? {
    systemctl(["show", "--value", "--property=\(name)", Self.name])?
      .split(separator: "\n").first.map(String.init)
  }

  /// What `systemctl` printed; nil if it failed or takes long.
  private func systemctl(_ arguments: [String]) -> String? {
    guard let helper = try? HelperProcess("systemctl", ["--user"] + arguments) else { return nil }
    _ = awaitReadable(helper.descriptor, within: .seconds(30))
    helper.update()
    return helper.hasSucceeded ? helper.outputText : nil
  }
}
