import Glibc
import TestSupport

/// The frame callbacks of a client, as libwayland writes them with WAYLAND_DEBUG. A compositor answers one when it has drawn
/// the commit.
struct CallbackLog {
  /// When each callback was answered, in microseconds of the real time, modulo 2^32 as in the log.
  private(set) var answers: [UInt32] = []

  init(_ log: String) {
    // An object's number is used again when the object is gone.
    var requested: Set<Substring> = []
    for line in log.utf8.split(separator: UInt8(ascii: "\n")).map({ Substring($0) }) {
      if line.contains(".frame(new id wl_callback@") {
        if let name = Self.callback(in: line) { requested.insert(name) }
      } else if line.contains("wl_callback@"), line.contains(".done("),
        let name = Self.callback(in: line), requested.remove(name) != nil,
        let time = Self.time(of: line)
      {
        answers.append(time)
      }
    }
  }

  /// The number of a callback.
  private static func callback(in line: Substring) -> Substring? {
    let parts = line.split(separator: "wl_callback@", maxSplits: 1)
    return parts.count == 2 ? parts[1].prefix { $0.isNumber } : nil
  }

  /// Lines begin with milliseconds and microseconds: "[ 123456.789]".
  private static func time(of line: Substring) -> UInt32? {
    let digits = line.prefix { $0 != "]" }.filter(\.isNumber)
    return UInt64(digits).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The time in the unit of the log.
  static func now() -> UInt32 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return UInt32(truncatingIfNeeded: time.tv_sec * 1_000_000 + time.tv_nsec / 1000)
  }
}
