import Glibc
import Synchronization

/// The response of a program for developers to SIGINT, SIGTERM and SIGHUP.
///
/// The program ends in the ordinary way, so that the owners of processes and directories remove them.
package enum Interrupts {
  private static let flag = Atomic(false)

  package static var isInterrupted: Bool { flag.load(ordering: .relaxed) }

  /// From now on a signal is noted. If `endingChildren`, it also ends all child processes, so that waits for
  /// them end. To be called before any other thread is started. Child processes start with no signal blocked.
  package static func handleSignals(endingChildren: Bool) {
    endsChildren.store(endingChildren, ordering: .relaxed)
    var signals = terminationSignals()
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    var thread = pthread_t()
    unsafe pthread_create(
      &thread, nil,
      { _ in
        Interrupts.waitForSignal()
        return nil
      }, nil)
  }

  private static let endsChildren = Atomic(false)

  private static func waitForSignal() {
    var signals = terminationSignals()
    var signal: Int32 = 0
    unsafe sigwait(&signals, &signal)
    flag.store(true, ordering: .relaxed)
    // Repeated, because the main thread may be starting another child at this moment.
    while endsChildren.load(ordering: .relaxed) {
      endChildren()
      usleep(100_000)
    }
  }

  private static func endChildren() {
    for thread in namesInDirectory("/proc/self/task") {
      let path = "/proc/self/task/\(thread)/children"
      let text = String(decoding: (try? readBytes(path)) ?? [], as: UTF8.self)
      for pid in text.split(separator: " ").compactMap({ pid_t($0) }) {
        kill(pid, SIGTERM)
        // A stopped process receives the signal only when it continues.
        kill(pid, SIGCONT)
      }
    }
  }

  private static func terminationSignals() -> sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    return signals
  }
}
