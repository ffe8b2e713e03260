import Glibc
import Linux
import Synchronization
import TestSupport

extension FakeCompositor {
  /// Works on another thread while `body` runs, which may wait for the compositor but must not use it. Ends all connections
  /// after ten seconds, so that nothing waits forever.
  package func serve<Result: ~Copyable, Failure: Error>(
    during body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let state = ServeState()
    // The thread alone uses the compositor until `hasEnded`, for which this function waits.
    nonisolated(unsafe) let compositor = self
    let code = startThread {
      let deadline = ContinuousClock.now + .seconds(10)
      while !state.isDone.load(ordering: .acquiring) {
        unsafe compositor.step()
        if ContinuousClock.now > deadline { unsafe compositor.disconnectAll() }
        usleep(50)
      }
      state.hasEnded.store(true, ordering: .releasing)
    }
    precondition(code == 0, "no thread")
    defer {
      state.isDone.store(true, ordering: .releasing)
      while !state.hasEnded.load(ordering: .acquiring) { usleep(50) }
    }
    return try body()
  }

  private func disconnectAll() {
    for client in clients { disconnect(client) }
  }
}

private final class ServeState: Sendable {
  let isDone = Atomic(false)
  let hasEnded = Atomic(false)
}
