import Glibc
import Synchronization

/// A pool of threads for the bands of a frame.
///
/// The jobs of one frame follow each other within microseconds, and waking a thread takes tens of
/// microseconds. So a thread that has finished a job polls for the next one for a short time before
/// it sleeps. Between frames all threads sleep. Threads are created on first use and never end.
final class BandThreads: Sendable {
  static let shared = BandThreads()

  private let threads = Mutex<[BandThread]>([])

  /// Runs `body` for each of 0 ..< count in parallel, the last one on the calling thread. If the
  /// system provides fewer threads, the calling thread runs the rest one after the other. Returns
  /// when all calls have returned. Concurrent callers are serialised.
  func run(_ count: Int, _ body: (Int) -> Void) {
    threads.withLock { threads in
      while threads.count < count - 1 {
        guard let thread = BandThread() else { break }
        threads.append(thread)
      }
      let borrowed = min(threads.count, count - 1)
      withoutActuallyEscaping(body) { body in
        for i in 0..<borrowed { threads[i].start { body(i) } }
        for i in borrowed..<count { body(i) }
        for i in 0..<borrowed { threads[i].finish() }
      }
    }
  }
}

/// One thread and its current job.
///
/// The class is `Sendable` because `state` orders all accesses to `job`.
@safe private final class BandThread: @unchecked Sendable {
  private enum State {
    static let idle = 0
    static let assigned = 1
    static let done = 2
  }

  private let state = Atomic(State.idle)
  private let isAsleep = Atomic(false)
  private let wake: UnsafeMutablePointer<sem_t>
  /// Written by the caller before `state` becomes `assigned`, read by the thread after that.
  private var job: (() -> Void)?

  /// Returns nil if the system creates no thread.
  init?() {
    unsafe wake = .allocate(capacity: 1)
    unsafe sem_init(wake, 0, 0)
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(self)
    let failed = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<BandThread>.fromOpaque(context).takeUnretainedValue().work()
      }, context.toOpaque())
    if failed != 0 {
      unsafe context.release()
      return nil
    }
    pthread_detach(thread)
  }

  /// Runs `job` on the thread. The previous job must have been finished.
  func start(_ job: @escaping () -> Void) {
    self.job = job
    state.store(State.assigned, ordering: .sequentiallyConsistent)
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { unsafe sem_post(wake) }
  }

  /// Waits until the job has returned.
  func finish() {
    var polls = 0
    while state.load(ordering: .acquiring) != State.done {
      polls += 1
      if polls > 1000 { sched_yield() }
    }
    state.store(State.idle, ordering: .relaxed)
  }

  private func work() -> Never {
    while true {
      awaitJob()
      job?()
      job = nil
      state.store(State.done, ordering: .releasing)
    }
  }

  private func awaitJob() {
    for _ in 0..<20_000 where state.load(ordering: .acquiring) == State.assigned { return }
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // If a job was assigned before `start` saw `isAsleep`, `start` posts nothing.
    if state.load(ordering: .sequentiallyConsistent) == State.assigned,
      isAsleep.exchange(false, ordering: .sequentiallyConsistent)
    {
      return
    }
    while unsafe sem_wait(wake) != 0 {}
  }
}
