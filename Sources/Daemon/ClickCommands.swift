import Control
import Engine
import Glibc
import Linux
import Logging

/// Runs the commands of clicks on panes. They outlive the daemon.
///
/// A unit confines the daemon and its children, which cannot write files, for example. Commands of the user must not be
/// confined. So in a unit systemd starts them.
struct ClickCommands {
  private let display: DisplayName
  private let logger: Logger
  private var running: [(pane: String, process: ChildProcess)] = []

  /// The largest number of commands that run at the same time.
  private static let limit = 64

  init(display: DisplayName, logger: Logger) {
    self.display = display
    self.logger = logger
  }

  /// Become readable when `update` must be called.
  var descriptors: [Int32] { running.map(\.process.descriptor) }

  /// Runs the command of a click.
  mutating func run(_ click: PaneClick) {
    let name = "the command for clicks on '\(click.pane)'"
    if running.count >= Self.limit {
      return logger.warning("cannot run \(name): \(Self.limit) such commands are running already")
    }
    let variables = environment(
      changing: variables(for: click).merging(Self.serviceVariables) { $1 })
    let command =
      isUnit
      ? serviceCommand(for: click, variables) : ["/bin/sh", "-c", click.command.text]
    let options = ChildProcess.Options(environment: variables, startsSession: true)
    do throws(SystemError) {
      running.append((click.pane, try ChildProcess(command[0], command, options)))
    } catch {
      logger.warning("cannot run \(name): \(command[0]): \(error)")
    }
  }

  /// Forgets the commands that have ended. Does nothing if none of their descriptors is ready.
  mutating func update(ready: [Int32]) {
    if !descriptors.contains(where: ready.contains) { return }
    for (pane, process) in running where process.update() {
      if case .exited(let status) = process.end, isUnit ? status != 0 : [126, 127].contains(status)
      {
        logger.warning("cannot run the command for clicks on '\(pane)': exit status \(status)")
      }
    }
    running.removeAll { $0.process.end != nil }
  }

  /// The variables that the command gets in its environment.
  private func variables(for click: PaneClick) -> [String: String?] {
    let name =
      switch display {
      case .x11: "DISPLAY"
      case .wayland: "WAYLAND_DISPLAY"
      }
    return [name: display.text, "BACKDROPD_PANE": click.pane]
  }

  /// The variables of a service manager for this process alone. Commands do not get them.
  private static let serviceVariables: [String: String?] = [
    "NOTIFY_SOCKET": nil, "WATCHDOG_USEC": nil, "WATCHDOG_PID": nil, "SYSTEMD_EXEC_PID": nil,
    "INVOCATION_ID": nil, "JOURNAL_STREAM": nil,
  ]

  /// Whether systemd has started this process (systemd.exec(5)).
  private var isUnit: Bool { environmentVariable("SYSTEMD_EXEC_PID") == "\(getpid())" }

  /// Starts the command as a unit of its own. Systemd takes `$$` for a dollar.
  private func serviceCommand(for click: PaneClick, _ variables: [String]) -> [String] {
    let passed = variables.filter { variable in
      ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "BACKDROPD_PANE"].contains { name in
        variable.hasPrefix("\(name)=")
      }
    }
    let text = click.command.text.split(separator: "$", omittingEmptySubsequences: false)
      .joined(separator: "$$")
    return [
      "systemd-run", "--user", "--collect", "--quiet", "--description=backdropd: \(click.pane)",
    ]
      + passed.map { "--setenv=\($0)" } + ["--", "/bin/sh", "-c", text]
  }
}
