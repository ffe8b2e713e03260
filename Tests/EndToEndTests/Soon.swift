import Glibc
import TestSupport
import Testing

/// Repeats a check until it succeeds, for at most a minute: for what causes no event, such as what a server, a compositor
/// or a lock screen does some time later. The limit only ends tests that fail; with five busy programs for each processor, the
/// programs of the demo need half a minute.
func soon(within limit: Duration = .seconds(60), _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if try condition() { return true }
    pause(.milliseconds(1))
  }
  return false
}

/// The value of `read` once it has stayed the same for a time, which must come within a minute. For what another program
/// paints or does some time later, when nothing says that it has finished.
func settled<Value: Equatable>(
  for time: Duration = .milliseconds(100), _ read: () throws -> Value
) rethrows -> Value {
  var last = try read()
  var start = ContinuousClock.now
  let isSettled = try soon {
    pause(min(time, .milliseconds(50)))
    let next = try read()
    if next != last { (last, start) = (next, .now) }
    return ContinuousClock.now - start >= time
  }
  #expect(isSettled, "it changes all the time")
  return last
}

/// Lets a time pass in a test in which the time itself is the input: a user who holds still, a stop in the middle of something,
/// the end of a pane that was added for a time. What will happen is awaited by `soon`, or by the request `sync`.
func pause(_ time: Duration) { usleep(useconds_t(time / .microseconds(1))) }

/// A user holds the pointer or a finger still, long enough that the end of a pull is not a throw.
func holdStill() { pause(.milliseconds(150)) }

extension Child {
  /// The usage within a time, for a test that little or nothing happens.
  func usage(within time: Duration) throws(TestFailure) -> ProcessUsage {
    let before = try usage()
    pause(time)
    return try usage().since(before)
  }
}
