import CSystemd

/// Sends a state of the daemon to the service manager, if there is one (sd_notify(3)).
func notifyServiceManager(_ message: String) { unsafe sd_notify(0, message) }

/// The heartbeat that a service manager expects (`WatchdogSec` in systemd.service(5)).
struct Heartbeat {
  /// The time between two beats; nil if none are expected.
  private let interval: Duration?
  /// The time of the next beat; nil if none are expected.
  private(set) var deadline: Duration?

  init(now: Duration) {
    var limit: UInt64 = 0
    let isExpected = unsafe sd_watchdog_enabled(0, &limit) > 0
    // Half of the limit, as sd_watchdog_enabled(3) recommends.
    interval = isExpected ? .microseconds(Int64(clamping: limit / 2)) : nil
    deadline = interval.map { now + $0 }
  }

  /// Sends a beat if one is due. Must be called by the event loop only: it shows that the loop runs.
  mutating func beat(now: Duration) {
    guard let interval, let deadline, deadline <= now else { return }
    notifyServiceManager("WATCHDOG=1")
    self.deadline = now + interval
  }
}
