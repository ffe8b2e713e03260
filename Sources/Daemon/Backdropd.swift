import ArgumentParser
import Control
import Engine
import Glibc
import Linux
import Logging
import Panes
import WaylandDisplay
import X11Display

/// Runs the command line of the daemon, and ends the process.
package func runDaemon() { Backdropd.main() }

/// The daemon's command line.
struct Backdropd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backdropd",
    abstract: "Live frosted glass for Linux desktops without a GPU.",
    discussion: """
      Runs in the foreground and serves one display. Control it with 'backdropctl'. To run it as a \
      systemd user unit: 'systemctl --user enable --now backdropd'.

      Exit status: 0 ended on request; 64 wrong usage; 69 the display cannot be reached or cannot show \
      glass, or another backdropd serves it; 73 cannot create the control socket; 75 the display is not there \
      (with --exit-with-display or --await-display); 78 wrong environment.
      """,
    version: "backdropd \(ProgramVersion.text) for \(ProgramBuild.current.rawValue)")

  @Option(
    help: ArgumentHelp(
      "The display to serve: an X server, such as :0, or a Wayland compositor, such as wayland-1. "
        + "(default: $WAYLAND_DISPLAY if its compositor can show glass, or $DISPLAY)"))
  var display: String?

  @Option(help: "The kind of display: x11, wayland, or auto, which prefers wayland.")
  var server = ServerChoice.auto

  @Option(
    help: ArgumentHelp(
      "How panes show what is behind them: live; still, which is captured when a pane is shown; handed-over, where the "
        + "compositor blurs; or auto, the first of these that works. X servers show live glass only.",
      valueName: "way"))
  var glass = GlassOption.auto

  @Option(
    help: ArgumentHelp(
      "The configuration file. (default: backdropd/backdropd.conf in $XDG_CONFIG_HOME, or in a folder of $XDG_CONFIG_DIRS)",
      valueName: "file"),
    completion: .file())
  var config: String?

  @OptionGroup var settings: DaemonSettingOptions

  @Flag(help: "Replace a backdropd that serves the display, and keep its panes.")
  var replace = false

  @Flag(help: "Forget the panes of the last backdropd on the display.")
  var fresh = false

  @Flag(
    help:
      "End when the connection to the display is lost: the same as --await-display 0s after the start."
  )
  var exitWithDisplay = false

  @Option(
    name: .customLong("await-display"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long to wait for a display that is not there, at the start and after its loss: 0s, 500ms, 15s, 2min. (default: not "
        + "at the start, without a limit after its loss)",
      valueName: "time"),
    transform: displayPatience(parsing:))
  var awaitDisplay: DisplayPatience?

  @Flag(help: "Log debug messages as well.")
  var verbose = false

  func validate() throws {
    _ = try settings.settings()
    if config == "-" {
      throw ValidationError("config: the standard input cannot be followed; name a file")
    }
    if let display, !display.isEmpty, server != .auto, server != DisplayName(display).server {
      let kind = server == .x11 ? "an X server, such as :0" : "a compositor, such as wayland-1"
      throw ValidationError(
        "display: '\(display)' contradicts --server \(server.rawValue), which takes the name of \(kind)"
      )
    }
  }

  static func main() { Glibc.exit(run()) }

  /// Returns the exit status, after all resources are released.
  private static func run() -> Int32 {
    continueInBestBuild()
    denyInspection()
    do {
      let command = try parse(processArguments())
      LoggingSystem.bootstrap { _ in JournalLog() }
      return serve(command)
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        print(fullMessage(for: error))
      } else {
        JournalLog.write(.error, "\(message(for: error)); see 'backdropd --help'")
      }
      return code.rawValue
    }
  }

  /// Returns the exit status.
  private static func serve(_ command: Backdropd) -> Int32 {
    var logger = Logger(label: "backdropd")
    logger.logLevel = command.verbose ? .debug : .info
    let session = UnitSession()
    session?.resume()
    defer { session?.forget() }
    do throws(DaemonError) {
      try serve(command.displays(), command, logger)
      return 0
    } catch {
      logger.error("\(error)")
      return error.exitStatus
    }
  }

  /// Serves the first display that can be opened. Throws the error of the last one.
  private static func serve(
    _ displays: [DisplayName], _ command: Backdropd, _ logger: Logger
  ) throws(DaemonError) {
    for (index, display) in displays.enumerated() {
      var options = command.options(for: display)
      // Another one may be there already.
      if index + 1 < displays.count { options.patience.start = nil }
      do {
        switch display {
        case .x11: try serve(options, logger, on: X11Display.self)
        case .wayland: try serve(options, logger, on: WaylandDisplay.self)
        }
        return
      } catch let error where index + 1 < displays.count && error.allowsOtherDisplay {
        logger.notice("\(error); trying display \(displays[index + 1].text)")
      }
    }
  }

  private static func serve<Server: ServedDisplay & ~Copyable>(
    _ options: Options, _ logger: Logger, on type: Server.Type
  ) throws(DaemonError) {
    guard var daemon = try startDaemon(options, logger, on: type) else { return }
    UnitSession()?.keep(options.display)
    try daemon.run()
  }

  private func displays() throws(DaemonError) -> [DisplayName] {
    do { return try DisplayName.candidates(display, server: server) } catch {
      throw .control(error)
    }
  }

  private var patience: DisplayPatience {
    var patience = awaitDisplay ?? DisplayPatience()
    if exitWithDisplay { patience.loss = .zero }
    return patience
  }

  private func options(for display: DisplayName) -> Options {
    Options(
      display: display, glass: glass.way, settings: (try? settings.settings()) ?? DaemonSettings(),
      configurationFiles: config.map { [absolutePath($0)] } ?? configurationFiles(),
      isConfigurationGiven: config != nil,
      toolkitScale: toolkitScale(environmentVariable("GDK_SCALE")),
      replacesOther: replace, isFresh: fresh, patience: patience)
  }
}

extension ServerChoice: ExpressibleByArgument {}

/// The values of `--glass`.
enum GlassOption: String, CaseIterable, ExpressibleByArgument {
  case auto, live, still
  case handedOver = "handed-over"

  /// Nil for the best way.
  var way: GlassWay? { GlassWay(rawValue: rawValue) }
}

/// Throws a `ValidationError`.
private func displayPatience(parsing text: String) throws -> DisplayPatience {
  if Double(text.prefix { $0.isNumber || $0 == "." }) == 0 {
    return DisplayPatience(start: .zero, loss: .zero)
  }
  do {
    let time = try Lifetime(parsing: text, setting: "await-display").duration
    return DisplayPatience(start: time, loss: time)
  } catch {
    throw ValidationError("\(error)")
  }
}
