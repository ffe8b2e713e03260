import CXCB
import Glibc
package import Raster

/// Requests to window managers and compositors.
extension TestClient {
  /// Whether a selection has an owner.
  package func hasSelection(_ name: String) throws(TestFailure) -> Bool {
    let cookie = unsafe xcb_get_selection_owner(connection, atom(name))
    guard let reply = unsafe xcb_get_selection_owner_reply(connection, cookie, nil) else {
      throw TestFailure("no reply about the owner of \(name)")
    }
    defer { unsafe free(reply) }
    return unsafe reply.pointee.owner != 0
  }

  /// Whether the screen saver of the server is active.
  package func isScreenSaverActive() throws(TestFailure) -> Bool {
    let cookie = unsafe xcb_screensaver_query_info(connection, root)
    guard let reply = unsafe xcb_screensaver_query_info_reply(connection, cookie, nil) else {
      throw TestFailure("no reply about the screen saver")
    }
    defer { unsafe free(reply) }
    return unsafe reply.pointee.state == UInt8(XCB_SCREENSAVER_STATE_ON.rawValue)
  }

  /// Reserves space at the edges of the screen for a window (EWMH `_NET_WM_STRUT_PARTIAL`): the widths at the left,
  /// right, top and bottom, and the range along each edge.
  package func reserve(_ values: [UInt32], for window: TestWindow) {
    setProperty(
      "_NET_WM_STRUT_PARTIAL", type: XCB_ATOM_CARDINAL.rawValue, values: values, on: window.id)
  }

  /// Publishes the work area of the only desktop, as a window manager does.
  package func publishWorkArea(_ area: Rect) {
    let values = [area.x, area.y, area.width, area.height].map { UInt32($0) }
    setProperty("_NET_WORKAREA", type: XCB_ATOM_CARDINAL.rawValue, values: values, on: root)
  }

  /// Asks the window manager to change a state of a window (EWMH); nil changes it to its opposite.
  package func requestState(_ state: String, isOn: Bool?, of window: TestWindow) {
    var event = xcb_client_message_event_t()
    event.response_type = UInt8(XCB_CLIENT_MESSAGE)
    event.format = 32
    event.window = window.id
    event.type = atom("_NET_WM_STATE")
    unsafe event.data.data32.0 = isOn.map { $0 ? 1 : 0 } ?? 2
    unsafe event.data.data32.1 = atom(state)
    let mask =
      XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue
    unsafe withUnsafeBytes(of: &event) { bytes in
      _ = unsafe xcb_send_event(
        connection, 0, root, mask, bytes.assumingMemoryBound(to: CChar.self).baseAddress)
    }
  }
}
