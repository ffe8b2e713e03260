import CXCB
import Glibc
import Raster

/// The part of an event that identifies it.
struct Event {
  var kind: Int32
  /// The window whose structure or whose property changed.
  var window: xcb_window_t
}

extension TestClient {
  /// The next event that has arrived; throws an error of the server.
  func nextEvent() throws(TestFailure) -> Event? {
    guard let event = unsafe xcb_poll_for_event(connection) else {
      try checkConnection()
      return nil
    }
    defer { unsafe free(event) }
    let kind = unsafe event.pointee.response_type & 0x7F
    if kind == 0 { throw unsafe failure(of: UnsafeRawPointer(event)) }
    // Events of StructureNotify have the window that selected them first, and then the window that changed.
    let offset = Int32(kind) == XCB_PROPERTY_NOTIFY ? 4 : 8
    let window = unsafe UnsafeRawPointer(event).load(fromByteOffset: offset, as: UInt32.self)
    return Event(kind: Int32(kind), window: window)
  }

  /// Waits for an event and drops those before it.
  func wait(
    for kind: Int32, of window: xcb_window_t, within timeout: Duration
  ) throws(TestFailure) {
    let deadline = ContinuousClock.now + timeout
    unsafe xcb_flush(connection)
    while true {
      while let event = try nextEvent() {
        if event.kind == kind && event.window == window { return }
      }
      if unsafe firstReadable([xcb_get_file_descriptor(connection)], until: deadline).isEmpty {
        throw TestFailure("no event \(kind) of window \(window) after \(timeout)")
      }
    }
  }

  /// Starts to report changes of a window of any client.
  package func selectStructureEvents(of window: UInt32) {
    var events = [XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue]
    _ = unsafe xcb_change_window_attributes(
      connection, window, XCB_CW_EVENT_MASK.rawValue, &events)
  }

  /// Starts to report changes of all top-level windows.
  package func selectTopLevelEvents() {
    var events = [XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue]
    _ = unsafe xcb_change_window_attributes(connection, root, XCB_CW_EVENT_MASK.rawValue, &events)
  }

  /// Whether a window was mapped before it was first moved or restacked; nil if one of both has not happened. Drops all events.
  package func isMappedFirst(_ window: UInt32) throws(TestFailure) -> Bool? {
    let cookie = unsafe xcb_get_input_focus(connection)
    unsafe free(xcb_get_input_focus_reply(connection, cookie, nil))
    var kinds: [Int32] = []
    while let event = try nextEvent() {
      if event.window == window { kinds.append(event.kind) }
    }
    guard let mapped = kinds.firstIndex(of: XCB_MAP_NOTIFY),
      let configured = kinds.firstIndex(of: XCB_CONFIGURE_NOTIFY)
    else { return nil }
    return mapped < configured
  }

  /// The number of ConfigureNotify events about a window up to now. Drops all other events.
  package func countConfigured(_ window: UInt32) throws(TestFailure) -> Int {
    let cookie = unsafe xcb_get_input_focus(connection)
    unsafe free(xcb_get_input_focus_reply(connection, cookie, nil))
    var count = 0
    while let event = try nextEvent() {
      if event.kind == XCB_CONFIGURE_NOTIFY, event.window == window { count += 1 }
    }
    return count
  }

  /// Waits until a window manager has announced itself and has mapped a window. While it starts, it may lose a request to map
  /// one: it runs, and the window stays unmapped.
  package func waitForWindowManager(within timeout: Duration = .seconds(10)) throws(TestFailure) {
    let deadline = ContinuousClock.now + timeout
    var events = [XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue]
    _ = unsafe xcb_change_window_attributes(connection, root, XCB_CW_EVENT_MASK.rawValue, &events)
    while !hasProperty("_NET_SUPPORTING_WM_CHECK", on: root) {
      let left = ContinuousClock.now.duration(to: deadline)
      try wait(for: XCB_PROPERTY_NOTIFY, of: root, within: left)
    }
    let probe = try makeWindow(Rect(x: 0, y: 0, width: 1, height: 1), color: 0, mapped: false)
    defer { probe.destroy() }
    repeat {
      probe.map()
      let isMapped = (try? probe.waitUntilMapped(within: .milliseconds(200))) != nil
      if isMapped { return }
    } while ContinuousClock.now < deadline
    throw TestFailure("the window manager maps no window")
  }

  func checkConnection() throws(TestFailure) {
    let error = unsafe xcb_connection_has_error(connection)
    if error != 0 { throw TestFailure("the connection to the X server broke (\(error))") }
  }
}

private func failure(of event: UnsafeRawPointer) -> TestFailure {
  let error = unsafe event.load(as: xcb_generic_error_t.self)
  return TestFailure(
    "X error \(error.error_code) for request \(error.major_code).\(error.minor_code)"
      + " on resource \(String(error.resource_id, radix: 16))")
}
