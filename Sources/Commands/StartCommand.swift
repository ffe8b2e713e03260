import ArgumentParser
import Control
import Glibc
import Linux
import Panes

/// The command `start`.
struct Start: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Starts backdropd for this session, if none serves its display.",
    discussion: """
      Where a user manager of systemd runs and the unit is installed, it tells the manager the display of this session and \
      starts the unit. Otherwise, if the unit serves another display, and for a display on another host, backdropd is a \
      process of this session, which ends with its display; its log is in ~/.local/state/backdropd. The autostart of the \
      desktop runs this command at each login. Two of them never serve one display.
      """)

  @OptionGroup var daemon: DaemonOptions

  func run() throws { try SessionDaemon(given: daemon.display).start() }
}

/// The command `restart`.
struct Restart: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ends backdropd and starts it again with its panes.",
    discussion: """
      It is the same as 'quit' and 'start': after an update of the programs, or to use another environment. Ephemeral panes \
      are gone.
      """)

  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let session = try SessionDaemon(given: daemon.display)
    try session.end()
    try session.start()
  }
}

/// The daemon of the display of this session.
private struct SessionDaemon {
  /// The display that the user gave.
  private let given: String?
  /// The displays that may be meant, the best first.
  private let displays: [DisplayName]

  init(given: String?) throws(Failure) {
    self.given = given
    do { displays = try DisplayName.candidates(given) } catch { throw Failure(error) }
  }

  /// Starts it if none serves the display.
  func start() throws(Failure) {
    if state == .serves { return }
    // The unit may use no network.
    if displays.contains(where: \.isOnOtherHost) { return try startProcess() }
    switch UserUnit().start() {
    case .masked:
      throw Failure(
        .unavailable,
        "the unit is masked, so backdropd is not wanted; see 'systemctl --user unmask'")
    case .started where state == .serves: return
    case .started, .unavailable: try startProcess()
    }
  }

  /// Ends it, if there is one, and waits for its end.
  func end() throws(Failure) {
    guard state != .absent else { return }
    let hasEnded: Bool
    do throws(ControlError) {
      var client = try ControlClient.connect(to: displays)
      _ = try client.ask(.quit)
      // The connection ends with the daemon, which has left the display before.
      hasEnded = awaitReadable(client.descriptor, within: Self.patience)
    } catch .noDaemon {
      return
    } catch {
      throw Failure(error)
    }
    if !hasEnded { throw Failure(.unavailable, "backdropd does not end") }
  }

  /// The state of the daemon of one of the displays.
  private var state: State {
    do throws(ControlError) {
      var client = try ControlClient.connect(to: displays)
      guard case .status(let status) = try client.ask(.status).reply else { return .waits }
      return status.connected ? .serves : .waits
    } catch {
      return .absent
    }
  }

  private enum State {
    case serves
    /// It has no connection to the display.
    case waits
    case absent
  }

  /// Starts a daemon that ends with its display, and waits until it serves it. The daemon keeps no file of the caller open,
  /// because the caller may wait for the end of a pipe. A daemon that waits for the display is replaced: it may have no right to
  /// connect to the display any more.
  private func startProcess() throws(Failure) {
    let arguments =
      ["backdropd", "--exit-with-display"] + (state == .waits ? ["--replace"] : [])
      + (given.map { ["--display", $0] } ?? [])
    let log = LogFile(of: displays[0])
    let process: ChildProcess
    do throws(SystemError) {
      process = try ChildProcess(
        programPath("backdropd"), arguments,
        ChildProcess.Options(
          output: log.descriptor, errors: log.descriptor, startsSession: true))
    } catch {
      throw Failure(.unavailable, "cannot run backdropd: \(error)")
    }
    let end = ContinuousClock.now + Self.patience
    var failure: String?
    while failure == nil, state != .serves {
      if process.update() { failure = "backdropd has ended" }
      if .now > end { failure = "backdropd does not serve the display yet; see its messages" }
      _ = awaitReadable(process.descriptor, within: .milliseconds(20))
    }
    for line in log.text.split(separator: "\n") { reportProblem(String(line)) }
    if let failure { throw Failure(.unavailable, failure) }
  }

  /// A daemon that starts needs some hundredths of a second.
  private static let patience = Duration.seconds(20)
}

/// The log of a daemon that is a process of the session. It begins anew with each daemon.
private struct LogFile: ~Copyable {
  private let file: FileDescriptor?

  /// If the file cannot be created, the log is discarded.
  init(of display: DisplayName) {
    let path = (try? controlSocketPath(display: display)).map { logFilePath(forSocket: $0) }
    if let folder = path?.folderOfPath { _ = makeFolder(folder) }
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC
    var raw = path.map { unsafe open($0.systemText, flags, 0o600) } ?? -1
    if raw < 0 { raw = unsafe open("/dev/null", O_RDWR | O_CLOEXEC) }
    file = raw < 0 ? nil : FileDescriptor(owning: raw)
  }

  /// Nil if `/dev/null` cannot be opened either.
  var descriptor: Int32? {
    switch file {
    case .some(let file): file.raw
    case .none: nil
    }
  }

  /// The text that was written so far.
  var text: String {
    guard let raw = descriptor else { return "" }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe pread(raw, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
