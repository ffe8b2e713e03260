import CXCB
import Raster

// Requests with replies about the state of the server.
extension XConnection {
  /// Requests a reply that shows that the server has executed all earlier requests.
  mutating func requestMarker(_ marker: Marker) {
    let cookie = unsafe xcb_get_input_focus(raw)
    unsafe expect(cookie.sequence, xcb_get_input_focus_reply_t.self) { _ in .marker(marker) }
  }

  /// Requests the state of the screen saver, if the server has the extension.
  mutating func requestScreenSaver() {
    if extensions.screenSaver == nil { return }
    let cookie = unsafe xcb_screensaver_query_info(raw, root)
    unsafe expect(cookie.sequence, xcb_screensaver_query_info_reply_t.self) {
      unsafe .screenSaver(
        ScreenSaverState(
          isActive: isSaverActive($0?.pointee.state ?? 0), window: $0?.pointee.saver_window))
    }
  }

  /// Requests the position of the pointer.
  mutating func requestPointer() {
    let cookie = unsafe xcb_query_pointer(raw, root)
    unsafe expect(cookie.sequence, xcb_query_pointer_reply_t.self) {
      let reply = unsafe $0?.pointee
      return .pointer(x: Int(reply?.root_x ?? 0), y: Int(reply?.root_y ?? 0))
    }
  }

  /// Requests whether another client has grabbed the keyboard: tries to grab it for a window that is not mapped,
  /// which never succeeds.
  mutating func requestKeyboardGrab(for unmapped: UInt32) {
    let async = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let cookie = unsafe xcb_grab_keyboard(raw, 0, unmapped, 0, async, async)
    unsafe expect(cookie.sequence, xcb_grab_keyboard_reply_t.self) {
      let status = unsafe $0?.pointee.status ?? 0
      return .keyboardGrab(isTaken: status == UInt8(XCB_GRAB_STATUS_ALREADY_GRABBED.rawValue))
    }
  }

  /// Requests the depth of a pixmap.
  mutating func requestDepth(pixmap: UInt32) {
    let cookie = unsafe xcb_get_geometry(raw, pixmap)
    unsafe expect(cookie.sequence, xcb_get_geometry_reply_t.self) {
      unsafe .depth(pixmap: pixmap, $0?.pointee.depth)
    }
  }

  /// Requests identifiers for new resources.
  mutating func requestIDs() {
    let cookie = unsafe xcb_xc_misc_get_xid_range(raw)
    unsafe expect(cookie.sequence, xcb_xc_misc_get_xid_range_reply_t.self) {
      unsafe .ids(start: $0?.pointee.start_id ?? 0, count: $0?.pointee.count ?? 0)
    }
  }
}
