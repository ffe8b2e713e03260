import CLinux
import Glibc

/// The signals that end us, as a descriptor to poll.
struct SignalQueue: ~Copyable {
  let descriptor: Int32

  /// From now on SIGTERM, SIGINT and SIGHUP wait here, and SIGPIPE is an error code.
  init() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
    unsafe sigprocmask(SIG_BLOCK, &signals, nil)
    _ = signal(SIGPIPE, SIG_IGN)
    descriptor = unsafe signalfd(-1, &signals, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
    precondition(descriptor >= 0, "no descriptor for signals")
  }

  deinit { close(descriptor) }

  /// Takes a signal off the queue, if there is one.
  func hasNext() -> Bool {
    var information = signalfd_siginfo()
    return unsafe read(descriptor, &information, MemoryLayout<signalfd_siginfo>.size) > 0
  }
}

/// Wakes a poll at a time of the monotonic clock, to the microsecond.
struct AlarmClock: ~Copyable {
  let descriptor: Int32
  private var time: Duration?

  init() {
    descriptor = timerfd_create(
      CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    precondition(descriptor >= 0, "no descriptor for a timer")
  }

  deinit { close(descriptor) }

  /// Sets it, or switches it off.
  mutating func set(_ time: Duration?) {
    if time == self.time { return }
    self.time = time
    var setting = itimerspec()
    if let time {
      // A time of 0 would switch it off.
      let (seconds, attoseconds) = max(.nanoseconds(1), time).components
      setting.it_value = timespec(
        tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
    unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }

  /// To be called after it has rung: until it is set anew it is silent. Returns what it was set to.
  mutating func silence() -> Duration? {
    let rung = time
    set(nil)
    return rung
  }
}

func processID() -> Int { Int(getpid()) }

/// The memory that we have in use; 0 when the kernel does not say.
func residentBytes() -> Int {
  let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  if file < 0 { return 0 }
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 128)
  let count = unsafe text.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
  let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
  guard fields.count > 1 else { return 0 }
  return (Int(String(decoding: fields[1], as: UTF8.self)) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}

/// Tells systemd how we are, when it wants to know (sd_notify(3)).
func notifyServiceManager(_ message: String) {
  guard let value = unsafe getenv("NOTIFY_SOCKET") else { return }
  var path = unsafe Array(String(cString: value).utf8)
  // A socket without a file: its name begins with a zero byte.
  if path.first == UInt8(ascii: "@") { path[0] = 0 }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 2
  guard path.count <= MemoryLayout.size(ofValue: address.sun_path) else { return }
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
  let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  if socket < 0 { return }
  defer { close(socket) }
  let bytes = Array(message.utf8)
  _ = unsafe withUnsafePointer(to: &address) { typed in
    unsafe typed.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
      unsafe sendto(socket, bytes, bytes.count, 0, target, socklen_t(offset + path.count))
    }
  }
}
