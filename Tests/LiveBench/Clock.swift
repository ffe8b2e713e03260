import Glibc
import TestSupport

/// Nanoseconds of the monotonic clock.
func now() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Sleeps until a time of the monotonic clock; returns at once if that is over.
func sleep(until time: Int) {
  var wanted = timespec(tv_sec: time / 1_000_000_000, tv_nsec: time % 1_000_000_000)
  while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nil) == EINTR {}
}

func sleep(milliseconds: Double) { sleep(until: now() + Int(milliseconds * 1e6)) }

func millisecondsSince(_ start: Int) -> Double { Double(now() - start) / 1e6 }

/// Calls `body` `count` times at a fixed rate. A call that is late does not delay those after it.
func repeatOnSchedule(_ count: Int, perSecond rate: Double, _ body: (Int) throws -> Void) throws {
  let start = now()
  for index in 0..<count {
    sleep(until: start + Int(Double(index) * 1e9 / rate))
    try body(index)
  }
}

/// The CPU time of all threads of a process, those that have ended included, in nanoseconds.
///
/// `/proc/PID/task/*/schedstat` has the same resolution, but loses the time of a thread when it ends.
struct CPUClock {
  private let id: clockid_t

  init(of process: Child) throws {
    var id: clockid_t = 0
    let error = unsafe clock_getcpuclockid(process.pid, &id)
    guard error == 0 else { throw TestFailure("no CPU clock of \(process.name): error \(error)") }
    self.id = id
  }

  func seconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(id, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
