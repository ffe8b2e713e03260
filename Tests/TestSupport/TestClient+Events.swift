import CXCB
import Glibc

/// The part of an event that a wait asks for.
struct Event {
  var kind: Int32
  /// In the events of StructureNotify, the window that the event is about.
  var window: xcb_window_t
}

extension TestClient {
  /// An event that has arrived; an error of the server is thrown.
  func nextEvent() throws(TestFailure) -> Event? {
    guard let event = unsafe xcb_poll_for_event(connection) else {
      try checkConnection()
      return nil
    }
    defer { unsafe free(event) }
    let kind = unsafe event.pointee.response_type & 0x7F
    if kind == 0 { throw unsafe failure(of: UnsafeRawPointer(event)) }
    // Both fields that can hold it lie at the same place in every event we select: event, window.
    let window = unsafe UnsafeRawPointer(event).load(fromByteOffset: 8, as: UInt32.self)
    return Event(kind: Int32(kind), window: window)
  }

  /// Waits for one event, dropping those before it.
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
