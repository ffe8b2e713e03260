import Glibc
import TestSupport

/// A world with little shared memory, for programs that are started inside: an IPC namespace of our
/// own, which a thread can enter and leave. It takes root, as in continuous integration.
struct SharedMemoryLimit {
  /// Whether we may make such a world.
  static let isAvailable: Bool = (try? inside { _ in }) != nil

  /// Runs `body` in a new one.
  static func inside<Result>(_ body: (SharedMemoryLimit) throws -> Result) throws -> Result {
    let home = unsafe open("/proc/thread-self/ns/ipc", O_RDONLY | O_CLOEXEC)
    guard home >= 0 else { throw TestFailure("no IPC namespace") }
    defer { close(home) }
    guard leaveNamespace() else {
      throw TestFailure("no IPC namespace of our own: it takes root")
    }
    defer {
      precondition(enterNamespace(home), "this thread would stay where there is no shared memory")
    }
    return try body(SharedMemoryLimit())
  }

  /// The largest segment that the kernel gives.
  func setLargestSegment(_ byteCount: Int) throws {
    guard let file = unsafe fopen("/proc/sys/kernel/shmmax", "w") else {
      throw TestFailure("cannot write kernel.shmmax")
    }
    unsafe fputs("\(byteCount)\n", file)
    guard unsafe fclose(file) == 0 else { throw TestFailure("kernel.shmmax refuses \(byteCount)") }
  }
}

/// `CLONE_NEWIPC` of sched.h, which Glibc's module hides, as it does the two calls below.
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
