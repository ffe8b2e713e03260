import CLinux
import Control
import Glibc

/// The user, or the system, wants the demo to end now.
struct Interruption: Error {
  let signal: Int32

  /// Ends this process by the signal, as if it had never been caught; what was started has ended.
  func obey() -> Never {
    var signals = signalSet([signal])
    unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    exit(128 + signal)
  }
}

/// Turns the signals that end a program into errors, so that nothing it started is left behind.
///
/// Every wait of the demo is one of these: there is no other moment at which it can be interrupted.
struct DemoInterrupts: ~Copyable {
  private let signals: FileDescriptor

  init() throws {
    var ending = signalSet([SIGINT, SIGTERM, SIGHUP])
    unsafe sigprocmask(SIG_BLOCK, &ending, nil)
    let raw = unsafe signalfd(-1, &ending, Int32(SFD_CLOEXEC))
    guard raw >= 0 else { throw Failure(.internal, "no signalfd: \(errorText(errno))") }
    signals = FileDescriptor(owning: raw)
  }

  func pause(seconds: Double) throws { _ = try waitForReadable(-1, seconds: seconds) }

  /// Whether `descriptor` can be read before the time is over.
  func waitForReadable(_ descriptor: Int32, seconds: Double) throws -> Bool {
    var polled = [
      pollfd(fd: signals.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&polled, 2, Int32(seconds * 1000))
    if polled[0].revents != 0 {
      var information = signalfd_siginfo()
      _ = unsafe read(signals.raw, &information, MemoryLayout<signalfd_siginfo>.size)
      throw Interruption(signal: Int32(information.ssi_signo))
    }
    return polled[1].revents != 0
  }

  /// Asks again and again until the answer is yes; whether it was in time.
  func wait(seconds: Double, until isTrue: () throws -> Bool) throws -> Bool {
    for _ in 0..<Int(seconds * 50) {
      if try isTrue() { return true }
      try pause(seconds: 0.02)
    }
    return false
  }
}

private func signalSet(_ numbers: [Int32]) -> sigset_t {
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  for number in numbers { unsafe sigaddset(&signals, number) }
  return signals
}
