import CLinux
import Glibc
import Synchronization

/// An X server for one test, without a real screen, on a display number that was free.
///
/// Only the programs that the test starts use it. It ends with its owner, and leaves no file.
package final class XServer: DisplayServer {
  /// Which program it is.
  package enum Kind {
    /// Xvfb.
    case inMemory
    /// Xtigervnc without a viewer. It can be resized at any time.
    case vnc
    /// Xephyr, a window of another server. It can be rotated.
    case nested(in: XServer)
    /// Xorg with a touch screen that a `TouchScreen` moves. Needs root.
    case withTouchScreen
  }

  /// The size at the start.
  package let width, height: Int
  /// `:N`, the value of `DISPLAY`.
  package let display: String
  package private(set) var process: Child
  private let host: XServer?
  /// The number of a server that can start again; another one gets any.
  private let number: ServerNumber?
  private let directory: TemporaryDirectory
  private let program: String
  private let arguments: [String]

  /// A nested server has the depth of its host, whatever `depth` is. `lacking` names extensions to disable, such as
  /// `MIT-SHM`, which a remote display does not have. `options` are further arguments of the program. A server that
  /// will die and start again needs a number that no other test gets meanwhile: `isRestartable`.
  package init(
    _ kind: Kind = .inMemory, width: Int = 1920, height: Int = 1080, depth: Int = 24,
    lacking extensions: [String] = [], options: [String] = [], isRestartable: Bool = false
  ) throws(TestFailure) {
    self.width = width
    self.height = height
    directory = try TemporaryDirectory()
    if case .nested(let host) = kind { self.host = host } else { host = nil }
    if case .withTouchScreen = kind {
      let configuration = TouchScreen.configuration(directory: directory.path, width, height)
      try writeText(configuration, to: directory.path + "/xorg.conf")
    }
    program = kind.program
    number = isRestartable ? ServerNumber() : nil
    arguments =
      (number.map { [":\($0.value)"] } ?? [])
      + kind.arguments("\(width)x\(height)", depth: depth, directory: directory.path) + [
        "-displayfd", "3", "-nolisten", "tcp", "-noreset",
      ] + extensions.flatMap { ["-extension", $0] } + options
    (process, display) = try Self.start(program, arguments, on: host)
  }

  /// Starts a server and waits until it is ready. Returns the name of its display.
  private static func start(
    _ program: String, _ arguments: [String], on host: XServer?
  ) throws(TestFailure) -> (Child, String) {
    let pair = try SocketPair()
    let process = try Child(
      program, arguments, environment: host?.environment ?? baseEnvironment(),
      passing: pair.theirs.number)
    return (process, ":" + (try readLine(from: pair.ours, of: process, within: .seconds(20))))
  }

  deinit {
    process.send(SIGCONT)
    // Ended in the ordinary way, it removes its socket.
    _ = try? process.stop()
    removeDisplayFiles(of: process.pid)
    removeSocket()
  }

  /// Removes the socket that a killed server left, if no other server listens at it by now. One that takes the display at this
  /// moment loses its file; its clients find it by its abstract socket.
  private func removeSocket() {
    let path = "/tmp/.X11-unix/X\(display.dropFirst())"
    if !isListening(at: path) { unsafe unlink(path) }
  }

  package var environment: [String: String] {
    // The lock of the session that runs the tests must not matter, and no program leaves files in the common folder.
    let noBus = "unix:path=\(directory.path)/no-bus"
    return baseEnvironment().merging(
      userFolders(in: directory.path), uniquingKeysWith: { $1 }
    ).merging(
      ["DISPLAY": display, "DBUS_SYSTEM_BUS_ADDRESS": noBus, "TMPDIR": directory.path],
      uniquingKeysWith: { $1 })
  }

  package var runtimeDirectory: String { directory.path }

  package var controlSocket: String {
    "\(runtimeDirectory)/backdropd-\(display.dropFirst()).sock"
  }

  /// Ends the server and waits for it. Every connection to it breaks.
  package func stop() throws(TestFailure) { try process.stop() }

  /// Starts the server again on the same display, after `stop` or its death. Returns when it is ready.
  package func startAgain() throws(TestFailure) {
    (process, _) = try Self.start(program, arguments, on: host)
  }

  // MARK: Freezing

  /// Stops the server as a debugger does: it executes nothing until `thaw`. Returns when it has stopped.
  package func freeze() throws(TestFailure) {
    process.send(SIGSTOP)
    let deadline = ContinuousClock.now + .seconds(10)
    while try process.state() != "T" {
      guard ContinuousClock.now < deadline else {
        throw TestFailure("\(process.name) does not stop")
      }
      sched_yield()
    }
  }

  package func thaw() { process.send(SIGCONT) }
}

extension XServer.Kind {
  fileprivate var program: String {
    switch self {
    case .inMemory: "Xvfb"
    case .vnc: "Xtigervnc"
    case .nested: "Xephyr"
    case .withTouchScreen: "Xorg"
    }
  }

  fileprivate func arguments(_ size: String, depth: Int, directory: String) -> [String] {
    switch self {
    case .inMemory: ["-screen", "0", "\(size)x\(depth)"]
    // A socket file for viewers: no port of the machine is opened.
    case .vnc:
      [
        "-geometry", size, "-depth", "\(depth)", "-SecurityTypes", "None", "-rfbport", "-1",
        "-rfbunixpath", "\(directory)/vnc.sock",
      ]
    case .nested: ["-screen", size]
    case .withTouchScreen:
      [
        "-config", "\(directory)/xorg.conf", "-logfile", "\(directory)/xorg.log", "-novtswitch",
        "-sharevts",
      ]
    }
  }
}

/// The paths in our own environment that programs need.
package func baseEnvironment() -> [String: String] {
  var environment = ["LC_ALL": "C.UTF-8"]
  for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] {
    if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
  }
  return environment
}

/// The variables that name the folders of a user: all in `directory`, nothing of the user that runs the tests.
func userFolders(in directory: String) -> [String: String] {
  [
    "XDG_RUNTIME_DIR": directory, "XDG_STATE_HOME": directory + "/state",
    "XDG_CONFIG_HOME": directory + "/config", "XDG_CONFIG_DIRS": directory + "/etc",
  ]
}

/// A pipe whose ends are both close-on-exec from the start, unlike those of `pipe`.
private struct SocketPair: ~Copyable {
  let ours, theirs: Descriptor

  init() throws(TestFailure) {
    var numbers: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &numbers) == 0 else {
      throw Descriptor.failure("socketpair")
    }
    ours = Descriptor(owning: numbers[0])
    theirs = Descriptor(owning: numbers[1])
  }
}

/// The line that a program writes when it is ready.
private func readLine(
  from descriptor: borrowing Descriptor, of process: Child, within timeout: Duration
) throws(TestFailure) -> String {
  let deadline = ContinuousClock.now + timeout
  var line: [UInt8] = []
  while line.last != UInt8(ascii: "\n") {
    let ready = firstReadable([descriptor.number, process.endDescriptor], until: deadline)
    let bytes = ready.contains(0) ? descriptor.nextBytes() : []
    guard !bytes.isEmpty else { throw TestFailure("\(process.name) did not start: \(process.err)") }
    line += bytes
  }
  return String(decoding: line.dropLast(), as: UTF8.self)
}

/// A display number that no other test gets while this exists.
private final class ServerNumber {
  let value: Int

  private static let used = Mutex<Set<Int>>([])

  init() {
    value = Self.used.withLock { used in
      let first = 10_000 + Int(getpid()) % 10_000
      // Servers that choose their number begin at 0, and have at most some hundreds.
      let candidates = [first, first + 10_000, first + 20_000, first + 30_000]
      guard let free = candidates.first(where: { !used.contains($0) }) else {
        preconditionFailure("at most four servers at the same time can start again")
      }
      used.insert(free)
      return free
    }
  }

  deinit { _ = Self.used.withLock { $0.remove(value) } }
}
