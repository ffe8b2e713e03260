import CSystemd
import Raster
import TestSupport
import Testing

/// Panes are hidden while logind says that the session is locked.
@Suite(.serialized, .waiting) struct SessionLockTests {
  private let server: XServer
  private let client: TestClient
  private let bus: MessageBus
  private let login: FakeLogin

  init() throws {
    server = try XServer(width: 300, height: 200)
    client = try TestClient(server)
    bus = try MessageBus(in: server.runtimeDirectory)
    login = try FakeLogin(bus.address)
  }

  @Test func panesAreHiddenWhileTheSessionIsLocked() throws {
    let daemon = try startDaemon()
    try addPane(daemon)
    #expect(try soonAnswered(by: login) { try isVisible() })
    for isLocked in [true, false, true, false] {
      login.setLocked(isLocked)
      #expect(try soonAnswered(by: login) { try daemon.isLocked() == isLocked })
      try daemon.sync()
      #expect(try isVisible() == !isLocked)
    }
    login.setLocked(true)
    #expect(try soonAnswered(by: login) { try daemon.isLocked() })
    // Without the bus that said so it stays locked.
    try bus.process.stop()
    try daemon.waitUntilAsleep()
    #expect(try daemon.isLocked())
    let nextBus = try MessageBus(in: server.runtimeDirectory)
    let nextLogin = try FakeLogin(nextBus.address)
    #expect(try soonAnswered(by: nextLogin) { try isVisible() })
  }

  /// Panes that a daemon shows again at its start appear only after logind has answered.
  @Test func savedPanesAreNotShownBeforeTheFirstAnswer() throws {
    do {
      let first = try TestDaemon(on: server)
      try addPane(first)
      try first.stop()
    }
    login.setLocked(true)
    let daemon = try startDaemon([])
    for i in 0..<60 {
      if i == 30 { login.answer() }
      #expect(try !isVisible())
    }
    login.setLocked(false)
    #expect(try soonAnswered(by: login) { try isVisible() })
    #expect(try daemon.stop() == .exited(0))
  }

  /// Without an answer the session counts as unlocked.
  @Test func panesAreShownIfLogindDoesNotAnswer() throws {
    let daemon = try startDaemon()
    try addPane(daemon)
    #expect(try soon { try isVisible() })
    login.answer()
  }

  /// A daemon that starts while the session is locked.
  @Test func panesOfALockedSessionAreNotShown() throws {
    login.setLocked(true)
    let daemon = try startDaemon()
    // It counts as locked before the answer, too.
    #expect(try soonAnswered(by: login) { try daemon.status().contains("logind says") })
    try addPane(daemon)
    try daemon.sync()
    #expect(try !isVisible())
  }

  // MARK: Scene

  private func startDaemon(_ arguments: [String] = ["--fresh"]) throws -> TestDaemon {
    try TestDaemon(on: server, arguments, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
  }

  private func addPane(_ daemon: TestDaemon) throws {
    try daemon.ask("add", "pane", "--plain", "--geometry", "100x80+20+20", "--tint", "#FF00FF")
  }

  /// Whether the pane is on the screen.
  private func isVisible() throws -> Bool { try client.screenPixel(x: 60, y: 60) == 0xFFFF_00FF }

  /// Whether a condition becomes true in time while logind answers.
  private func soonAnswered(by login: FakeLogin, _ condition: () throws -> Bool) throws -> Bool {
    try soon {
      login.answer()
      return try condition()
    }
  }
}

/// Answers for logind about the session of the daemon.
@safe private final class FakeLogin {
  private var bus: OpaquePointer?
  private var isLocked = false

  init(_ address: String) throws {
    unsafe bus = nil
    guard unsafe sd_bus_new(&bus) >= 0, unsafe sd_bus_set_address(bus, address) >= 0,
      unsafe sd_bus_set_bus_client(bus, 1) >= 0, unsafe sd_bus_start(bus) >= 0,
      unsafe sd_bus_request_name(bus, "org.freedesktop.login1", 0) >= 0
    else { throw TestFailure("no connection to \(address)") }
  }

  deinit { unsafe sd_bus_close_unref(bus) }

  /// Changes the hint and announces it.
  func setLocked(_ isLocked: Bool) {
    self.isLocked = isLocked
    var signal: OpaquePointer?
    unsafe sd_bus_message_new_signal(
      bus, &signal, "/org/freedesktop/login1/session/_31", "org.freedesktop.DBus.Properties",
      "PropertiesChanged")
    unsafe append("org.freedesktop.login1.Session", to: signal)
    unsafe sd_bus_message_open_container(signal, CChar(UInt8(ascii: "a")), "{sv}")
    unsafe sd_bus_message_close_container(signal)
    unsafe sd_bus_message_open_container(signal, CChar(UInt8(ascii: "a")), "s")
    unsafe append("LockedHint", to: signal)
    unsafe sd_bus_message_close_container(signal)
    unsafe sd_bus_send(bus, signal, nil)
    unsafe sd_bus_message_unref(signal)
    unsafe sd_bus_flush(bus)
  }

  private func append(_ text: String, to message: OpaquePointer?) {
    unsafe text.withCString {
      _ = unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0)
    }
  }

  /// Answers all requests that have arrived.
  func answer() {
    var message: OpaquePointer?
    while unsafe sd_bus_process(bus, &message) > 0 {
      let isGet =
        unsafe message != nil
        && sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get") > 0
      if isGet { unsafe reply(to: message) }
      unsafe sd_bus_message_unref(message)
      unsafe message = nil
    }
    unsafe sd_bus_flush(bus)
  }

  private func reply(to call: OpaquePointer?) {
    var reply: OpaquePointer?
    var value: Int32 = isLocked ? 1 : 0
    unsafe sd_bus_message_new_method_return(call, &reply)
    unsafe sd_bus_message_open_container(reply, CChar(UInt8(ascii: "v")), "b")
    unsafe sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "b")), &value)
    unsafe sd_bus_message_close_container(reply)
    unsafe sd_bus_send(bus, reply, nil)
    unsafe sd_bus_message_unref(reply)
  }
}
