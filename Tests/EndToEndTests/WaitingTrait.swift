import Dispatch
import Glibc
import Linux
import Synchronization
import Testing

/// The trait `.waiting` of a suite whose tests wait for other programs most of the time. They run on threads of their own, of
/// which there are more than processors; otherwise as many tests as there are processors would run at a time, and the processors
/// would rest.
struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
  }
}

extension Trait where Self == WaitingTrait {
  static var waiting: Self { WaitingTrait() }
}

/// Threads that run tests: TEST_THREADS, or two for each processor.
private final class TestThreads: TaskExecutor {
  static let shared = TestThreads(count: threadCount)

  /// In the order in which they run.
  private let jobs = Mutex<[UnownedJob]>([])
  private let jobCount = DispatchSemaphore(value: 0)

  private init(count: Int) {
    for _ in 0..<count {
      let code = startThread { [self] in run() }
      precondition(code == 0, "no thread for tests: error \(code)")
    }
  }

  private static var threadCount: Int {
    guard let value = unsafe getenv("TEST_THREADS") else {
      return 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))
    }
    let text = unsafe String(cString: value)
    guard let count = Int(text), (1...1000).contains(count) else {
      fatalError("TEST_THREADS: '\(text)' is not a number from 1 to 1000")
    }
    return count
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    jobCount.signal()
  }

  private func run() {
    while true {
      jobCount.wait()
      let job = jobs.withLock { $0.removeFirst() }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
