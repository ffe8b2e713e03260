import CLinux
import Glibc

/// Waits for X servers that start on this host: for the files of their sockets.
struct DisplayArrivals: ~Copyable {
  /// A descriptor of inotify(7); -1 if it cannot be used.
  private let descriptor: Int32

  /// The shortest time between two attempts. A server makes its file before it accepts connections.
  static let shortestPause = Duration.milliseconds(2)
  /// The longest one, for servers whose start is not reported, such as those of other hosts.
  static let longestPause = Duration.seconds(2)

  init() {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    let events = UInt32(IN_CREATE | IN_MOVED_TO)
    _ = unsafe inotify_add_watch(descriptor, "/tmp/.X11-unix", events)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits until a server starts or the time has passed. Returns whether a server started.
  func wait(_ time: Duration) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&polled, 1, Int32(time / .milliseconds(1))) > 0 else { return false }
    var events = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor, &events, events.count) > 0 {}
    return true
  }
}
