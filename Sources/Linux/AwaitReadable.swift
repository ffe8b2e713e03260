import Glibc

/// Waits until a descriptor is readable, at most for a time. Returns whether it is.
package func awaitReadable(_ descriptor: Int32, within limit: Duration) -> Bool {
  let deadline = ContinuousClock.now + limit
  while true {
    let rest = max(.zero, deadline - .now) / .milliseconds(1)
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = unsafe poll(&polled, 1, Int32(rest.rounded(.up)))
    if count > 0 { return true }
    if count == 0 || errno != EINTR { return false }
  }
}
