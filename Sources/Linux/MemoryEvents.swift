import CLinux
import Glibc

/// Reports that processes of a control group (cgroup v2) were throttled because they exceeded its `memory.high`, or had
/// to free memory at its `memory.max`: the file `memory.events` of the group counts both, and each change of it is an
/// event of inotify.
package struct MemoryEvents: ~Copyable {
  /// Becomes readable when `take` must be called; -1, which `poll` ignores, if the process is in no such group or the
  /// kernel does not report it.
  package let descriptor: Int32
  private let path: String
  private var count = 0

  /// Watches the group of this process.
  package init() { self.init(folder: Self.ownFolder() ?? "") }

  /// Watches the group with a folder.
  package init(folder: String) {
    path = folder + "/memory.events"
    let raw = folder.isEmpty ? -1 : inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    if raw >= 0, unsafe inotify_add_watch(raw, path, UInt32(IN_MODIFY)) < 0 {
      close(raw)
      descriptor = -1
    } else {
      descriptor = raw
    }
    count = events()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether the memory was short since the last call.
  package mutating func take() -> Bool {
    if descriptor < 0 { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let isChanged = unsafe read(descriptor, &bytes, bytes.count) > 0
    if !isChanged { return false }
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    let old = count
    count = events()
    return count > old
  }

  /// How often a limit was reached, as the file says.
  private func events() -> Int {
    textOfKernelFile(path).split(separator: "\n").reduce(0) { sum, line in
      let words = line.split(separator: " ")
      guard words.count == 2, words[0] == "high" || words[0] == "max" else { return sum }
      return sum &+ (Int(words[1]) ?? 0)
    }
  }

  /// The folder of the group of this process; nil if it is in none but that of all processes.
  private static func ownFolder() -> String? {
    // The line of version 2 has no controllers: 0::/path.
    let line = textOfKernelFile("/proc/self/cgroup").split(separator: "\n").first {
      $0.hasPrefix("0::/")
    }
    guard let path = line?.dropFirst(3), path != "/" else { return nil }
    return "/sys/fs/cgroup\(path)"
  }
}
