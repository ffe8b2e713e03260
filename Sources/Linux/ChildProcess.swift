import CLinux
import Glibc

/// A program that this process has started. No call waits for it.
package final class ChildProcess {
  private let pid: pid_t
  private let file: FileDescriptor
  /// How it ended; nil while it runs.
  private(set) package var end: End?

  /// The end of a program.
  package enum End: Equatable {
    /// The process ended with an exit status.
    case exited(Int32)
    /// A signal with this number ended the process.
    case signalled(Int32)
    /// This process was started with SIGCHLD ignored, so nothing is known.
    case unknown
  }

  /// Starts a program: a path, or else a name that is looked up in PATH. The first argument is its name. It gets no standard
  /// input and no descriptor but the standard ones, and no signal is blocked or ignored in it. Throws a `SystemError`.
  package init(
    _ path: String, _ arguments: [String], _ options: Options
  ) throws(SystemError) {
    let pid = try spawn(path, arguments, options)
    let raw = pidfd_open(pid, 0)
    if raw < 0 {
      let code = errno
      _ = Glibc.kill(pid, SIGKILL)
      waitpid(pid, nil, WNOHANG)
      throw SystemError(code: code)
    }
    self.pid = pid
    file = FileDescriptor(owning: raw)
  }

  /// The differences of a program from this process.
  package struct Options {
    /// Its standard output and error; those of this process if they are nil.
    var output, errors: Int32?
    /// All of its environment, as `NAME=VALUE`; that of this process if it is nil.
    var environment: [String]?
    /// Whether it gets a session of its own, so that no terminal sends it signals.
    var startsSession = false

    package init(
      output: Int32? = nil, errors: Int32? = nil, environment: [String]? = nil,
      startsSession: Bool = false
    ) {
      (self.output, self.errors) = (output, errors)
      (self.environment, self.startsSession) = (environment, startsSession)
    }
  }

  /// Becomes readable when it has ended.
  package var descriptor: Int32 { file.raw }

  /// Looks whether it has ended. Returns whether it has.
  @discardableResult
  package func update() -> Bool {
    if end != nil { return true }
    var word: Int32 = 0
    let result = unsafe waitpid(pid, &word, WNOHANG)
    if result == pid {
      let signal = word & 0x7f
      end = signal == 0 ? .exited(word >> 8 & 0xff) : .signalled(signal)
    } else if result < 0, errno == ECHILD {
      end = .unknown
    }
    return end != nil
  }

  /// Kills it. It may end later.
  func kill() {
    if !update() { _ = Glibc.kill(pid, SIGKILL) }
    update()
  }
}

private func spawn(
  _ path: String, _ arguments: [String], _ options: ChildProcess.Options
) throws(SystemError) -> pid_t {
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe posix_spawnattr_setsigmask(&attributes, &signals)
  unsafe sigfillset(&signals)
  unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  if options.startsSession { flags |= Int32(CLINUX_POSIX_SPAWN_SETSID) }
  unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0)
  if let output = options.output {
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
  }
  if let errors = options.errors {
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
  }
  // The caller of this process may have left descriptors open, such as the pipe of a shell that waits for its end.
  unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
  var pid: pid_t = 0
  let code = unsafe withCStrings(arguments) { words in
    guard let variables = options.environment else {
      return unsafe posix_spawnp(&pid, path.systemText, &actions, &attributes, words, environ)
    }
    return unsafe withCStrings(variables) { variables in
      unsafe posix_spawnp(&pid, path.systemText, &actions, &attributes, words, variables)
    }
  }
  if code != 0 { throw SystemError(code: code) }
  return pid
}

/// Calls `body` with texts as an array of C strings that ends with nil.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var strings = unsafe texts.map { unsafe strdup($0.systemText) } + [nil]
  defer { unsafe strings.forEach { unsafe free($0) } }
  return unsafe strings.withUnsafeMutableBufferPointer { buffer in
    guard let first = buffer.baseAddress else { preconditionFailure("it contains nil") }
    return unsafe body(first)
  }
}
