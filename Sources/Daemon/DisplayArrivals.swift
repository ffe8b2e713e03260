import CLinux
import Control
import Glibc
import Linux

/// Waits for a display server to start on this host: for the file of its socket, such as `/tmp/.X11-unix/X0`.
struct DisplayArrivals: ~Copyable {
  /// A descriptor of inotify(7); -1 if it cannot be used.
  private let descriptor: Int32
  /// The name of the file.
  private let name: String

  /// The shortest time between two attempts. A server makes its file before it accepts connections.
  static let shortestPause = Duration.milliseconds(2)
  /// The longest one, for servers whose start is not reported, such as those of other hosts.
  static let longestPause = Duration.seconds(2)

  init(of display: DisplayName) {
    let socket = display.serverSocket()
    name = socket.name
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    _ = unsafe inotify_add_watch(
      descriptor, socket.folder.systemText, UInt32(IN_CREATE | IN_MOVED_TO))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits for a pause, but not beyond `end`, if it is given, or until the file appears. Returns the next pause, which is
  /// longer if it has not.
  func nextPause(after pause: Duration, until end: Duration?) -> Duration {
    let rest = end.map { max(.zero, $0 - now()) } ?? pause
    return wait(min(pause, rest)) ? Self.shortestPause : min(pause * 2, Self.longestPause)
  }

  /// Waits until the file appears or the time has passed. Returns whether it appeared.
  private func wait(_ time: Duration) -> Bool {
    let end = now() + time
    while true {
      let left = max(.zero, end - now())
      let ready = waitUntilReady(
        [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)],
        timeout: Int32((left / .milliseconds(1)).rounded(.up)))
      if !ready.isEmpty, hasAppeared() { return true }
      if now() >= end { return false }
    }
  }

  /// Reads all events. Returns whether one is about the file.
  private func hasAppeared() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isFound = false
    while true {
      let count = unsafe read(descriptor, &bytes, bytes.count)
      if count <= 0 { return isFound }
      // The name follows the four words of an event, padded with zeros. No other file has this name and a zero.
      isFound = isFound || bytes[..<count].contains(name.systemBytes + [0])
    }
  }
}
