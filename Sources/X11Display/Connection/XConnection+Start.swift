import CXCB
import Engine
import Glibc

/// Requests that wait for their replies. For use at the start only, because the event loop must not
/// wait for the server.
extension XConnection {
  /// Waits until the server has executed all earlier requests. Throws `lost`.
  mutating func roundTrip() throws(DisplayError) {
    let request = unsafe xcb_get_input_focus(raw)
    unsafe free(awaitReply(request.sequence, as: xcb_get_input_focus_reply_t.self))
    try check()
  }

  /// The top-level windows of the screen, the lowest first.
  mutating func topLevelWindows() -> [UInt32] {
    let request = unsafe xcb_query_tree(raw, root)
    let reply = unsafe awaitReply(request.sequence, as: xcb_query_tree_reply_t.self)
    defer { unsafe free(reply) }
    return unsafe childWindows(reply)
  }

  /// The window that owns a selection; 0 if there is none.
  mutating func selectionOwner(_ selection: UInt32) -> UInt32 {
    let request = unsafe xcb_get_selection_owner(raw, selection)
    let reply = unsafe awaitReply(request.sequence, as: xcb_get_selection_owner_reply_t.self)
    defer { unsafe free(reply) }
    return unsafe reply?.pointee.owner ?? 0
  }

  /// One 32-bit value of a property; nil if there is none of that type.
  mutating func propertyWord(_ window: UInt32, _ atom: UInt32, type: UInt32) -> UInt32? {
    let request = unsafe xcb_get_property(raw, 0, window, atom, type, 0, 1)
    let reply = unsafe awaitReply(request.sequence, as: xcb_get_property_reply_t.self)
    defer { unsafe free(reply) }
    return unsafe propertyWords(reply).first
  }

  /// The start of a property with text; empty if there is none.
  mutating func propertyText(_ window: UInt32, _ atom: UInt32) -> String {
    let request = unsafe xcb_get_property(
      raw, 0, window, atom, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0, 64)
    let reply = unsafe awaitReply(request.sequence, as: xcb_get_property_reply_t.self)
    defer { unsafe free(reply) }
    // WM_CLASS has two texts, each with a final zero.
    let bytes = unsafe propertyBytes(reply).prefix { $0 != 0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The atoms with the given names, in the same order.
  mutating func atoms(_ names: [String]) -> [UInt32] {
    let requests = names.map { name in
      unsafe xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name).sequence
    }
    var atoms: [UInt32] = []
    for request in requests {
      let reply = unsafe awaitReply(request, as: xcb_intern_atom_reply_t.self)
      unsafe atoms.append(reply?.pointee.atom ?? 0)
      unsafe free(reply)
    }
    return atoms
  }

  /// Whether the server can attach a file in memory, which is closed here. A server on another host cannot.
  mutating func canAttach(file: Int32) -> Bool {
    let segment = makeID()
    countFile()
    let request = unsafe xcb_shm_attach_fd_checked(raw, segment, file, 0)
    let isAttached = !hasFailed(request)
    if isAttached { detach(segment: segment) }
    return isAttached
  }

  /// Whether a checked request has failed. Waits for the server.
  mutating func hasFailed(_ request: xcb_void_cookie_t) -> Bool {
    // Its failure is known with the reply to the next request.
    guard (try? roundTrip()) != nil else { return true }
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    _ = unsafe xcb_poll_for_reply(raw, request.sequence, &reply, &error)
    defer { unsafe free(error) }
    return unsafe error != nil
  }
}
