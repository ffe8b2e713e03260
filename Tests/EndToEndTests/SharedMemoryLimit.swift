import Glibc
import TestSupport

/// An IPC namespace with little shared memory, for programs that are started in it. A thread can enter and leave
/// it. Needs root, as in continuous integration.
struct SharedMemoryLimit {
  /// Whether this process may create one.
  static let isAvailable: Bool = (try? inside { _ in }) != nil

  /// Runs `body` in a new namespace.
  static func inside<Result>(_ body: (SharedMemoryLimit) throws -> Result) throws -> Result {
    let home = unsafe open("/proc/thread-self/ns/ipc", O_RDONLY | O_CLOEXEC)
    guard home >= 0 else { throw TestFailure("no IPC namespace") }
    defer { close(home) }
    guard leaveNamespace() else {
      throw TestFailure("no new IPC namespace: it needs root")
    }
    defer {
      precondition(enterNamespace(home), "this thread would stay in the namespace")
    }
    return try body(SharedMemoryLimit())
  }

  /// Sets the size of the largest segment that the kernel allows.
  func setLargestSegment(_ byteCount: Int) throws {
    guard let file = unsafe fopen("/proc/sys/kernel/shmmax", "w") else {
      throw TestFailure("cannot write kernel.shmmax")
    }
    unsafe fputs("\(byteCount)\n", file)
    guard unsafe fclose(file) == 0 else { throw TestFailure("kernel.shmmax refuses \(byteCount)") }
  }
}

/// `CLONE_NEWIPC` of sched.h. The module Glibc does not have it, nor the two functions below.
private let ipc: Int32 = 0x0800_0000

/// `unshare(2)`, for this thread.
private func leaveNamespace() -> Bool {
  typealias Call = @convention(c) (Int32) -> Int32
  guard let address = unsafe dlsym(nil, "unshare") else { return false }
  return unsafe unsafeBitCast(address, to: Call.self)(ipc) == 0
}

/// `setns(2)`, for this thread.
private func enterNamespace(_ descriptor: Int32) -> Bool {
  typealias Call = @convention(c) (Int32, Int32) -> Int32
  guard let address = unsafe dlsym(nil, "setns") else { return false }
  return unsafe unsafeBitCast(address, to: Call.self)(descriptor, ipc) == 0
}
