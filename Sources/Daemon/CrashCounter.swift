import Glibc
import Linux
import Synchronization

/// Appends a byte to a file if this process crashes. A process that is killed from outside does not count, because it has no
/// fault.
///
/// There is at most one, because signal handlers belong to the process.
struct CrashCounter {
  private let path: String

  /// Counts crashes in the file at `path` until `end`.
  init(path: String) {
    self.path = path
    let file = unsafe open(
      path.systemText, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    crashFile.store(file, ordering: .relaxed)
    if file >= 0 { for number in crashSignals { handleCrash(number) } }
  }

  /// From now on crashes do not count, or do again.
  func pause(_ isPaused: Bool) { isCrashUncounted.store(isPaused, ordering: .relaxed) }

  /// Ends the counting, and discards the crashes so far.
  func end() {
    let file = crashFile.exchange(-1, ordering: .relaxed)
    if file >= 0 { close(file) }
    unsafe unlink(path.systemText)
  }
}

private let crashFile = Atomic<Int32>(-1)
private let isCrashUncounted = Atomic<Bool>(false)
/// The former actions of the signals, by the number of the signal. Each is written before the handler of its signal is set, and
/// then only read.
nonisolated(unsafe) private let formerActions = UnsafeMutablePointer<sigaction>.allocate(
  capacity: Int(NSIG))
/// The signals of wrong instructions and accesses; the Swift runtime ends a process by SIGILL or SIGTRAP, libc by SIGABRT.
private let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

/// Sets the handler of a signal. After it, the former one gets the signal, such as that of a sanitizer.
private func handleCrash(_ number: Int32) {
  var action = sigaction()
  // In a handler only calls are allowed that are safe there (signal-safety(7)).
  unsafe action.__sigaction_handler.sa_handler = { number in
    let file = crashFile.exchange(-1, ordering: .relaxed)
    var mark: UInt8 = 0
    if file >= 0, !isCrashUncounted.load(ordering: .relaxed) { _ = unsafe write(file, &mark, 1) }
    unsafe sigaction(number, formerActions + Int(number), nil)
    raise(number)
  }
  action.sa_flags = SA_NODEFER
  unsafe formerActions[Int(number)] = sigaction()
  unsafe sigaction(number, &action, formerActions + Int(number))
}
