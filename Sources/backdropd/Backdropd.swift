import ArgumentParser
import Control
import Glibc
import Logging

@main
struct Backdropd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backdropd",
    abstract: "Live frosted glass for X11 desktops without a GPU.",
    discussion: """
      Runs in the foreground and serves one display; 'backdropctl' tells it what to show. As a \
      systemd user unit it is started by 'systemctl --user enable --now backdropd'.

      Exit status: 0 ended as asked; 64 wrong use; 69 the display cannot be reached or cannot show \
      glass, or another backdropd serves it; 75 the display was lost; 78 wrong environment.
      """)

  @Option(help: "The display to serve, as :0. (default: $DISPLAY)")
  var display: String?

  @Option(help: "Frames a second at most, 1 to 1000.")
  var rate = 60.0

  @Flag(help: "Take over from a backdropd that serves the display already.")
  var replace = false

  @Flag(help: "Log what is of use in development, too.")
  var verbose = false

  func validate() throws {
    guard (1...1000).contains(rate) else {
      throw ValidationError("rate: \(rate) is out of range; it takes 1 to 1000 frames a second")
    }
  }

  static func main() { Glibc.exit(run()) }

  /// Returns the exit status; what was thrown on the way is released by then.
  private static func run() -> Int32 {
    do {
      let command = try parse()
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

  /// Returns the exit status. When it does, all that the daemon held is released.
  private static func serve(_ command: Backdropd) -> Int32 {
    var logger = Logger(label: "backdropd")
    logger.logLevel = command.verbose ? .debug : .info
    do {
      let display = command.display ?? environmentVariable("DISPLAY") ?? ""
      var daemon = try Daemon.start(
        display: display, framesPerSecond: command.rate, replacesOther: command.replace,
        logger: logger)
      try daemon.run()
      return 0
    } catch {
      logger.error("\(error)")
      return error.exitStatus
    }
  }
}
