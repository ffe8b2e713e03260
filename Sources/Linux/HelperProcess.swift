import CLinux
import Glibc

/// A running program, which is killed at the end of its owner's life. No call waits for it: a program that waits for a file
/// on another host does not end at once.
package final class HelperProcess {
  private let pid: pid_t
  private let file: FileDescriptor
  private let output, errors: FileDescriptor
  private(set) package var isEnded = false

  /// Starts a program in the folder of this one, or else in PATH. It gets no standard input. Throws a `SystemError`.
  package init(_ name: String, _ arguments: [String]) throws(SystemError) {
    let output = try FileDescriptor.makeMemoryFile()
    let errors = try FileDescriptor.makeMemoryFile()
    let pid = try spawn(
      Self.path(of: name), [name] + arguments, output: output.raw, errors: errors.raw)
    let raw = pidfd_open(pid, 0)
    if raw < 0 {
      let code = errno
      _ = Glibc.kill(pid, SIGKILL)
      waitpid(pid, nil, WNOHANG)
      throw SystemError(code: code)
    }
    self.pid = pid
    self.output = output
    self.errors = errors
    file = FileDescriptor(owning: raw)
  }

  deinit { kill() }

  /// Becomes readable when it has ended.
  package var descriptor: Int32 { file.raw }

  /// Looks whether it has ended. Returns `isEnded`.
  @discardableResult
  package func update() -> Bool {
    if isEnded { return true }
    let result = waitpid(pid, nil, WNOHANG)
    // There is nothing to wait for if this process was started with SIGCHLD ignored.
    isEnded = result == pid || result < 0 && errno == ECHILD
    return isEnded
  }

  /// Kills it. It may end later.
  package func kill() {
    if !update() { _ = Glibc.kill(pid, SIGKILL) }
    update()
  }

  /// What it has written to its standard output so far, at most 64 KiB.
  package var outputText: String { Self.text(in: output) }

  /// What it has written to its standard error so far, at most 64 KiB.
  package var errorText: String { Self.text(in: errors) }

  private static func text(in file: borrowing FileDescriptor) -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe pread(file.raw, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func path(of name: String) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 }, as: UTF8.self)
    guard let end = own.lastIndex(of: "/") else { return name }
    let path = String(own[...end]) + name
    return unsafe access(path, X_OK) == 0 ? path : name
  }
}

extension FileDescriptor {
  /// An empty file in memory. Throws a `SystemError`.
  fileprivate static func makeMemoryFile() throws(SystemError) -> FileDescriptor {
    let raw = unsafe memfd_create("text", UInt32(MFD_CLOEXEC))
    if raw < 0 { throw SystemError(code: errno) }
    return FileDescriptor(owning: raw)
  }
}

/// Starts a program with the environment of this process, but with no signal blocked or ignored. Its standard output and
/// error go to `output` and `errors`.
private func spawn(
  _ path: String, _ arguments: [String], output: Int32, errors: Int32
) throws(SystemError) -> pid_t {
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe posix_spawnattr_setsigmask(&attributes, &signals)
  unsafe sigfillset(&signals)
  unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0)
  unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
  unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
  var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
  defer { unsafe words.forEach { unsafe free($0) } }
  var pid: pid_t = 0
  let code = unsafe posix_spawnp(&pid, path, &actions, &attributes, &words, environ)
  if code != 0 { throw SystemError(code: code) }
  return pid
}
