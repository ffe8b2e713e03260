import CLinux
import Glibc
import Linux

/// The signals that end the daemon, as a pollable descriptor.
struct SignalQueue: ~Copyable {
  let descriptor: Int32

  /// Ignores SIGPIPE and SIGXFSZ, so that writing to a closed pipe or beyond the limit of the file size returns
  /// an error.
  static func ignoreFailedWrites() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }

  /// Blocks SIGTERM, SIGINT and SIGHUP, which are queued here. Throws `control`.
  init() throws(DaemonError) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
    unsafe sigprocmask(SIG_BLOCK, &signals, nil)
    let raw = unsafe signalfd(-1, &signals, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
    guard raw >= 0 else { throw .control(.system(action: "receive signals", errno: errno)) }
    descriptor = raw
  }

  /// Takes what another descriptor has, in place of signals.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Takes a signal from the queue. Returns whether there was one.
  func hasNext() -> Bool {
    var information = signalfd_siginfo()
    return unsafe read(descriptor, &information, MemoryLayout<signalfd_siginfo>.size) > 0
  }
}

/// A timer with a pollable descriptor that expires at a time of the monotonic clock.
struct AlarmClock: ~Copyable {
  let descriptor: Int32
  private var time: Duration?

  /// Throws `control`.
  init() throws(DaemonError) {
    let raw = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    guard raw >= 0 else { throw .control(.system(action: "make a timer", errno: errno)) }
    descriptor = raw
  }

  deinit { close(descriptor) }

  /// Sets the time of expiry; nil disables the timer. Returns whether the timer is set.
  @discardableResult
  mutating func set(_ time: Duration?) -> Bool {
    if time == self.time { return true }
    var setting = itimerspec()
    if let time {
      // A time of 0 would disable it.
      let (seconds, attoseconds) = max(.nanoseconds(1), time).components
      setting.it_value = timespec(
        tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
    let isSet = unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0
    self.time = isSet ? time : nil
    return isSet
  }

  /// Disables the timer after it has expired. Returns the time of expiry.
  mutating func acknowledge() -> Duration? {
    let expired = time
    if !set(nil) {
      var count: UInt64 = 0
      unsafe read(descriptor, &count, MemoryLayout.size(ofValue: count))
    }
    return expired
  }
}

/// A descriptor that reports memory pressure (PSI, since Linux 5.2): processes waited for memory
/// for 200 ms within 2 s.
///
/// The descriptor is -1, which `poll` ignores, if the kernel has no PSI or does not allow it.
/// Unprivileged processes may use it since Linux 6.5, with windows of multiples of 2 s only.
struct MemoryPressure: ~Copyable {
  let descriptor: Int32

  init() {
    let file = unsafe open("/proc/pressure/memory", O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let trigger = Array("some 200000 2000000\0".utf8)
    if file >= 0, unsafe write(file, trigger, trigger.count) < 0 {
      close(file)
      descriptor = -1
    } else {
      descriptor = file
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Blocks until a descriptor is ready, at most `timeout` milliseconds if it is not -1. Returns those that are ready.
/// Descriptors of -1 are ignored. If the system cannot wait, returns after a pause, so that a loop costs little.
func waitUntilReady(
  _ polled: [pollfd], timeout: Int32
) -> [(descriptor: Int32, events: Int16)] {
  var polled = polled
  let count = unsafe poll(&polled, nfds_t(polled.count), timeout)
  if count < 0, errno != EINTR {
    usleep(failurePause)
    // If the limit of open files is below the number of descriptors, `poll` refuses them together. So poll each of them alone.
    for index in polled.indices { unsafe poll(&polled[index], 1, 0) }
  } else if count <= 0 {
    return []
  }
  return polled.filter { $0.revents != 0 }.map { ($0.fd, $0.revents) }
}

/// The pause after a failed system call that is repeated, in microseconds.
private let failurePause: UInt32 = 10_000

/// The number of online processors, at least 1.
func processorCount() -> Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// The process identifier.
func processID() -> Int { Int(getpid()) }

/// The resident memory of this process in bytes; 0 if it is unknown.
func residentBytes() -> Int {
  let fields = textOfKernelFile("/proc/self/statm").split(separator: " ")
  guard fields.count > 1 else { return 0 }
  return (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}

/// The time of the monotonic clock.
func now() -> Duration { time(of: CLOCK_MONOTONIC) }

/// The processor time of all threads of this process.
func processorTime() -> Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

private func time(of clock: clockid_t) -> Duration {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
