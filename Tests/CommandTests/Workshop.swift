import Glibc

/// What a run of `backdropctl` came to.
struct Outcome {
  let status: Int32
  let output: String
  let errors: String
}

/// A folder of its own, in which `backdropctl` is run; gone in the end.
final class Workshop {
  let path: String

  init() {
    var template = Array("/tmp/backdropctl-test-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { template in
      unsafe template.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
    }
    guard let made else { preconditionFailure("no temporary folder") }
    path = made
  }

  deinit {
    for file in Workshop.files(in: path) { unsafe remove("\(path)/\(file)") }
    unsafe rmdir(path)
  }

  /// The names of the files in it, sorted.
  var files: [String] { Workshop.files(in: path) }

  func write(_ name: String, _ bytes: [UInt8]) {
    let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
    precondition(count == bytes.count)
  }

  func read(_ name: String) -> [UInt8]? { contents(of: "\(path)/\(name)") }

  /// Runs `backdropctl`, with only the given environment. A name that begins with `@` is that of a
  /// file in this folder.
  func run(_ arguments: String..., environment: [String] = []) -> Outcome {
    let words = arguments.map { $0.hasPrefix("@") ? "\(path)/\($0.dropFirst())" : $0 }
    let (output, errors) = ("\(path)/.stdout", "\(path)/.stderr")
    let status = spawn(["backdropctl"] + words, environment, output, errors)
    defer {
      unsafe unlink(output)
      unsafe unlink(errors)
    }
    func text(_ path: String) -> String {
      String(decoding: contents(of: path) ?? [], as: UTF8.self)
    }
    return Outcome(status: status, output: text(output), errors: text(errors))
  }

  private static func files(in path: String) -> [String] {
    var names: [String] = []
    guard let folder = unsafe opendir(path) else { return [] }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    unsafe closedir(folder)
    return names.sorted()
  }
}

/// `backdropctl`, which is built beside the tests.
private let program: String = {
  let link = unsafe realpath("/proc/self/exe", nil)
  defer { unsafe free(link) }
  let tests = unsafe link.map { unsafe String(cString: $0) } ?? ""
  // `swift test` may run them by a helper of the toolchain: then they are its first argument.
  let candidates = [tests] + CommandLine.arguments
  let programs = candidates.compactMap { path in
    path.lastIndex(of: "/").map { "\(path[..<$0])/backdropctl" }
  }
  guard let found = programs.first(where: { unsafe access($0, X_OK) == 0 }) else {
    preconditionFailure("no backdropctl beside the tests: \(programs)")
  }
  return found
}()

/// Runs `backdropctl` to its end. Returns its exit status, or 1000 and the number of the signal that
/// ended it.
private func spawn(
  _ words: [String], _ environment: [String], _ output: String, _ errors: String
) -> Int32 {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  for (descriptor, path) in [(Int32(1), output), (2, errors)] {
    unsafe posix_spawn_file_actions_addopen(
      &actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  }
  unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  var process = pid_t()
  let code = unsafe withCStrings(words) { words in
    unsafe withCStrings(environment) { environment in
      unsafe posix_spawn(&process, program, &actions, nil, words, environment)
    }
  }
  precondition(code == 0, "cannot run \(program)")
  var status: Int32 = 0
  while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
  return status & 0x7f == 0 ? status >> 8 & 0xff : 1000 + status & 0x7f
}

private func withCStrings<R>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
) -> R {
  let copies = unsafe texts.map { unsafe strdup($0) }
  defer { unsafe copies.forEach { unsafe free($0) } }
  return unsafe body(copies + [nil])
}

private func contents(of path: String) -> [UInt8]? {
  let file = unsafe open(path, O_RDONLY)
  if file < 0 { return nil }
  defer { close(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    if count <= 0 { return bytes }
    bytes += chunk[..<count]
  }
}
