import CSystemd
import Engine
import Glibc

/// Whether logind says that the user's session is locked (`LockedHint`, org.freedesktop.login1(5)).
///
/// Without a system bus or logind the session is never locked. It counts as locked until logind has answered for the
/// first time, and if the bus dies while it is locked, until a new bus says something else. No call waits for the bus.
@safe struct SessionLock: ~Copyable {
  /// The connection; nil if there is none.
  private var bus: OpaquePointer?
  /// The last request for the hint, whose reply has not arrived.
  private var request: UInt64?
  private var isLocked = false
  /// The time at which the session counts as unlocked if logind has not answered; nil if it has.
  private var patienceEnd: Duration?
  /// The time of the next attempt to connect again; nil if there is a bus, or was none at the start.
  private var retryTime: Duration?

  /// logind answers within milliseconds, if it runs.
  private static let patience = Duration.seconds(1)
  private static let retryInterval = Duration.seconds(2)

  /// The session of this process, or the graphical session of its user.
  private static let path = "/org/freedesktop/login1/session/auto"
  private static let service = "org.freedesktop.login1"
  private static let interface = "org.freedesktop.login1.Session"

  init(now: Duration) {
    unsafe bus = nil
    if !connect() { return }
    isLocked = true
    patienceEnd = now + Self.patience
  }

  /// Connects to the bus and requests the hint. Returns whether there is a bus.
  private mutating func connect() -> Bool {
    guard unsafe sd_bus_open_system(&bus) >= 0 else { return false }
    let match =
      "type='signal',sender='\(Self.service)',interface='org.freedesktop.DBus.Properties',"
      + "member='PropertiesChanged',arg0='\(Self.interface)'"
    _ = call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", [match])
    requestHint()
    return true
  }

  deinit { unsafe sd_bus_close_unref(bus) }

  /// The descriptor to poll; -1 is ignored.
  var interest: pollfd {
    guard unsafe bus != nil else { return pollfd(fd: -1, events: 0, revents: 0) }
    return unsafe pollfd(
      fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: sd_bus_get_events(bus)), revents: 0)
  }

  /// The time at which `process` must be called; nil if there is none.
  var deadline: Duration? { [patienceEnd, retryTime].compactMap(\.self).min() }

  /// Why the session counts as locked; nil if it does not.
  var reason: LockReason? {
    isLocked ? patienceEnd == nil ? .session : .unknownSession : nil
  }

  /// Handles all messages that have arrived, and what is due. Returns whether `reason` changed.
  mutating func process(now: Duration) -> Bool {
    let before = reason
    if let retryTime, retryTime <= now {
      self.retryTime = connect() ? nil : now + Self.retryInterval
    }
    while unsafe bus != nil {
      var message: OpaquePointer?
      let result = unsafe sd_bus_process(bus, &message)
      if result < 0 { disconnect(now: now) }
      if result <= 0 { break }
      unsafe handle(message)
      unsafe sd_bus_message_unref(message)
    }
    if let patienceEnd, patienceEnd <= now { setLocked(false) }
    return reason != before
  }

  private mutating func disconnect(now: Duration) {
    unsafe sd_bus_close_unref(bus)
    unsafe bus = nil
    retryTime = now + Self.retryInterval
  }

  private mutating func setLocked(_ isLocked: Bool) {
    self.isLocked = isLocked
    patienceEnd = nil
  }

  private mutating func handle(_ message: OpaquePointer?) {
    guard let message = unsafe message else { return }
    var cookie: UInt64 = 0
    if unsafe sd_bus_message_is_signal(message, nil, "PropertiesChanged") > 0 {
      return requestHint()
    }
    guard unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0, cookie == request else {
      return
    }
    request = nil
    var value: Int32 = 0
    let hasValue =
      unsafe sd_bus_message_is_method_error(message, nil) <= 0
      && sd_bus_message_enter_container(message, CChar(UInt8(ascii: "v")), "b") > 0
      && sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &value) > 0
    setLocked(hasValue && value != 0)
  }

  private mutating func requestHint() {
    request = call(
      Self.service, Self.path, "org.freedesktop.DBus.Properties", "Get",
      [Self.interface, "LockedHint"])
  }

  /// Calls a method with texts as arguments. Returns the cookie of the call; nil if it failed.
  private func call(
    _ service: String, _ path: String, _ interface: String, _ method: String, _ texts: [String]
  ) -> UInt64? {
    var message: OpaquePointer?
    defer { unsafe sd_bus_message_unref(message) }
    guard
      unsafe sd_bus_message_new_method_call(bus, &message, service, path, interface, method) >= 0
    else { return nil }
    for text in texts {
      let isAppended = unsafe text.withCString {
        unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0) >= 0
      }
      if !isAppended { return nil }
    }
    var cookie: UInt64 = 0
    return unsafe sd_bus_send(bus, message, &cookie) >= 0 ? cookie : nil
  }
}
