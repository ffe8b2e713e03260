import Glibc
import Synchronization

/// Threads that are borrowed for parts of a frame.
///
/// The parts of one frame follow each other within microseconds, while waking a thread takes tens of
/// them: so a thread that has finished its part looks out for the next one for a moment before it
/// goes to sleep. Between frames all of them sleep.
final class BandThreads: Sendable {
  static let shared = BandThreads()

  private let threads = Mutex<[BandThread]>([])

  /// Runs `body` for 0 ..< count, each on a thread of its own, the last one on the caller's. Returns
  /// when all have ended. Callers on several threads take turns.
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

/// One thread, and the job that it is given.
@safe private final class BandThread: @unchecked Sendable {
  private enum State {
    static let idle = 0
    static let given = 1
    static let done = 2
  }

  private let state = Atomic(State.idle)
  private let isAsleep = Atomic(false)
  private let wake: UnsafeMutablePointer<sem_t>
  /// Written before `state` says so, read after: never at the same time.
  private var job: (() -> Void)?

  /// Nil when the system gives no thread; the caller then does the work itself.
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

  func start(_ job: @escaping () -> Void) {
    self.job = job
    state.store(State.given, ordering: .sequentiallyConsistent)
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { unsafe sem_post(wake) }
  }

  func finish() {
    var looks = 0
    while state.load(ordering: .acquiring) != State.done {
      looks += 1
      if looks > 1000 { sched_yield() }
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
    for _ in 0..<20_000 where state.load(ordering: .acquiring) == State.given { return }
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    // A job that came before the thread was seen asleep posts nothing.
    if state.load(ordering: .sequentiallyConsistent) == State.given,
      isAsleep.exchange(false, ordering: .sequentiallyConsistent)
    {
      return
    }
    while unsafe sem_wait(wake) != 0 {}
  }
}
