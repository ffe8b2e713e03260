import CLinux
import Glibc

// Leftovers of programs that a test has started: processes that outlive the one that started them, as services of a
// message bus do, and files that a killed program could not remove.

/// Kills all processes with a folder in their environment, and returns when they have ended.
///
/// `name` is the last part of the folder's path: a process in the folder of another distribution does not see the rest of it.
func endProcesses(withFolder name: String) {
  // Again, because one may have started another meanwhile. The environment of a process that has ended is empty.
  while processes(withFolder: name).reduce(false, { $1.kill() || $0 }) { sched_yield() }
}

private func processes(withFolder name: String) -> [RunningProcess] {
  let pattern = Array("/\(name)".utf8)
  return namesInDirectory("/proc").compactMap { Int32($0) }.compactMap { pid in
    // Opened first, so that it is the process whose environment is read.
    guard pid != getpid(), let process = RunningProcess(pid),
      let environment = try? readBytes("/proc/\(pid)/environ"), environment.contains(pattern)
    else { return nil }
    return process
  }
}

/// A process that may have ended by now, but whose number no other one can be mistaken for.
private final class RunningProcess {
  private let descriptor: Descriptor

  /// Nil if there is no such process.
  init?(_ pid: Int32) {
    let number = pidfd_open(pid, 0)
    guard number >= 0 else { return nil }
    descriptor = Descriptor(owning: number)
  }

  /// Returns false if it cannot be killed.
  func kill() -> Bool { pidfd_send_signal(descriptor.number, SIGKILL, nil, 0) == 0 }
}

/// Removes the locks and sockets of the X display that a process reserved, as compositors do for their X programs.
func removeDisplayFiles(of pid: Int32) {
  for name in namesInDirectory("/tmp") where name.hasPrefix(".X") && name.hasSuffix("-lock") {
    // X servers write a line, and wlroots a string of C.
    let owner = try? readText("/tmp/\(name)").filter(\.isNumber)
    guard owner == "\(pid)" else { continue }
    unsafe unlink("/tmp/.X11-unix/X\(name.dropFirst(2).dropLast(5))")
    unsafe unlink("/tmp/\(name)")
  }
}
