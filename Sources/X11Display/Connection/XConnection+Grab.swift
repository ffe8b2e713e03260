import CXCB
import Engine
import Glibc

/// Grabs of the pointer and the keyboard, for a program that lets the user choose a window. They wait for their replies. The
/// server ends them with the connection.
extension XConnection {
  /// Makes the pointer a cross, and reports it to this client alone. Tries it for a second, because a program that was
  /// started by a key or from a menu may run before that is released. Returns false if another client keeps the pointer.
  /// Throws `lost`.
  mutating func grabPointer(reportsMotion: Bool = false) throws(DisplayError) -> Bool {
    let cursor = makeCrossCursor()
    for _ in 0..<20 {
      if grabPointer(cursor: cursor, reportsMotion: reportsMotion) { return true }
      try check()
      usleep(50_000)
    }
    return false
  }

  /// Reports the buttons of the pointer to this client alone, wherever it is, and its moves if they are wanted. Returns false if
  /// another client has grabbed it. Without a cursor the pointer looks as before.
  private mutating func grabPointer(cursor: UInt32?, reportsMotion: Bool) -> Bool {
    let events =
      XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
      | (reportsMotion ? XCB_EVENT_MASK_POINTER_MOTION.rawValue : 0)
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let request = unsafe xcb_grab_pointer(
      raw, 0, root, UInt16(events), mode, mode, 0, cursor ?? 0, 0)
    let reply = unsafe awaitReply(request.sequence, as: xcb_grab_pointer_reply_t.self)
    defer { unsafe free(reply) }
    return unsafe reply?.pointee.status == UInt8(XCB_GRAB_STATUS_SUCCESS.rawValue)
  }

  /// Reports keys to this client alone. Returns false if another client has grabbed them.
  mutating func grabKeyboard() -> Bool {
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let request = unsafe xcb_grab_keyboard(raw, 0, root, 0, mode, mode)
    let reply = unsafe awaitReply(request.sequence, as: xcb_grab_keyboard_reply_t.self)
    defer { unsafe free(reply) }
    return unsafe reply?.pointee.status == UInt8(XCB_GRAB_STATUS_SUCCESS.rawValue)
  }

  /// The cursor that X programs have for a choice, a cross; nil if the server has no such cursor.
  mutating func makeCrossCursor() -> UInt32? {
    let (font, cursor) = (makeID(), makeID())
    let name = "cursor"
    _ = unsafe xcb_open_font_checked(raw, font, UInt16(name.utf8.count), name)
    // The glyph of the cross in that font, and its mask, black on white.
    let white = UInt16.max
    let request = unsafe xcb_create_glyph_cursor_checked(
      raw, cursor, font, font, 34, 35, 0, 0, 0, white, white, white)
    return hasFailed(request) ? nil : cursor
  }

  /// The next item; waits for it. Throws `lost`.
  mutating func awaitItem() throws(DisplayError) -> XItem {
    send()
    while true {
      var reads = false
      if let item = try nextItem(reads: &reads) { return item }
      relay.awaitServer()
    }
  }
}
