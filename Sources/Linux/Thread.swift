import Glibc

/// Runs `body` on a new thread. Returns an `errno`, or 0.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  var thread = pthread_t()
  let context = unsafe Unmanaged.passRetained(ThreadBody(body))
  let code = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  if code != 0 {
    unsafe context.release()
    return code
  }
  pthread_detach(thread)
  return 0
}

/// The body of a thread. A class, because a thread gets one pointer.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
