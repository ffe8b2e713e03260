import Control
import Glibc

/// A program that the demo has started and that ends with its owner.
///
/// It is its own process group: an interrupt from the terminal reaches the demo alone, which then
/// ends its programs in order, the X server last.
struct DemoProcess: ~Copyable {
  let name: String
  let pid: pid_t

  /// - Parameters:
  ///   - hint: What to do when the program is missing.
  ///   - descriptor: Becomes descriptor 3 of the program.
  ///   - isQuiet: Its standard error is dropped too: toolkits grumble.
  init(
    _ program: String, _ arguments: [String] = [], hint: String, environment: [String: String],
    passing descriptor: Int32? = nil, isQuiet: Bool = true
  ) throws {
    name = program
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    if isQuiet { unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2) }
    if let descriptor { unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    unsafe sigemptyset(&noSignals)
    unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))

    var pid: pid_t = 0
    let code = unsafe withCStrings([program] + arguments) { argv in
      unsafe withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
        unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
      }
    }
    guard code == 0 else {
      throw Failure(.unavailable, "cannot start \(program): \(errorText(code)); \(hint)")
    }
    self.pid = pid
  }

  /// Ends it: by a request, which it may take two seconds to follow, and then by force.
  deinit {
    kill(pid, SIGTERM)
    for _ in 0..<200 {
      if waitpid(pid, nil, WNOHANG) != 0 { return }
      usleep(10_000)
    }
    kill(pid, SIGKILL)
    _ = waitpid(pid, nil, 0)
  }

  /// Whether it has not ended by itself. It stays a zombie, so that its pid stays its own.
  var isRunning: Bool {
    var information = unsafe siginfo_t()
    let code = unsafe waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT)
    // `si_signo` stays 0 while there is nothing to tell.
    return unsafe code == 0 && information.si_signo == 0
  }
}

/// Lends a NULL-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe body(&pointers)
}

/// User and system time of a process since its start; 0 when it is gone.
func cpuSeconds(ofProcess pid: Int) -> Double {
  guard let bytes = try? readFile("/proc/\(pid)/stat") else { return 0 }
  // The name, in parentheses, may hold blanks. From its end: state, and then fields 4 on of proc(5).
  let stat = String(decoding: bytes, as: UTF8.self)
  let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
  guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12])
  else { return 0 }
  return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// All of a file.
func readFile(_ path: String) throws -> [UInt8] {
  let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard raw >= 0 else { throw Failure(.noInput, "cannot read \(path): \(errorText(errno))") }
  let file = FileDescriptor(owning: raw)
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe read(file.raw, &chunk, chunk.count)
    guard count > 0 else { return bytes }
    bytes += chunk[..<count]
  }
}

/// Our own environment at our start.
func ownEnvironment() throws -> [String: String] {
  var environment: [String: String] = [:]
  for entry in try readFile("/proc/self/environ").split(separator: 0) {
    let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1)
    guard parts.count == 2 else { continue }
    environment[String(decoding: parts[0], as: UTF8.self)] = String(
      decoding: parts[1], as: UTF8.self)
  }
  return environment
}

/// `backdropd` beside this program, where both `make build` and `make install` put it.
func daemonPath() throws -> String {
  var path = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe readlink("/proc/self/exe", &path, path.count)
  let own = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/backdropd"
}
