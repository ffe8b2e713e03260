import CXCB
import Engine
import Glibc

/// Requests that wait for their replies. For use at the start only, because the event loop must not
/// wait for the server.
extension XConnection {
  /// Waits until the server has executed all earlier requests. Throws `lost`.
  func roundTrip() throws(DisplayError) {
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    unsafe free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), &error))
    unsafe free(error)
    try check()
  }

  /// The top-level windows of the screen, the lowest first.
  func topLevelWindows() -> [UInt32] {
    guard let reply = unsafe xcb_query_tree_reply(raw, xcb_query_tree(raw, root), nil) else {
      return []
    }
    defer { unsafe free(reply) }
    let children = unsafe UnsafeBufferPointer(
      start: xcb_query_tree_children(reply), count: Int(xcb_query_tree_children_length(reply)))
    return unsafe Array(children)
  }

  /// The window that owns a selection; 0 if there is none.
  func selectionOwner(_ selection: UInt32) -> UInt32 {
    let reply = unsafe xcb_get_selection_owner_reply(
      raw, xcb_get_selection_owner(raw, selection), nil)
    defer { unsafe free(reply) }
    return unsafe reply?.pointee.owner ?? 0
  }

  /// One 32-bit value of a property; nil if there is none of that type.
  func propertyWord(_ window: UInt32, _ atom: UInt32, type: UInt32) -> UInt32? {
    let reply = unsafe xcb_get_property_reply(
      raw, xcb_get_property(raw, 0, window, atom, type, 0, 1), nil)
    defer { unsafe free(reply) }
    guard let reply = unsafe reply, unsafe reply.pointee.format == 32,
      unsafe xcb_get_property_value_length(reply) >= 4,
      let value = unsafe xcb_get_property_value(reply)
    else { return nil }
    return unsafe value.loadUnaligned(as: UInt32.self)
  }

  /// The atoms with the given names, in the same order.
  func atoms(_ names: [String]) -> [UInt32] {
    let cookies = names.map { name in
      unsafe xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name)
    }
    return cookies.map { cookie in
      let reply = unsafe xcb_intern_atom_reply(raw, cookie, nil)
      defer { unsafe free(reply) }
      return unsafe reply?.pointee.atom ?? 0
    }
  }

  /// Whether the server can attach a file in memory, which is closed here. A server on another host cannot.
  func canAttach(file: Int32) -> Bool {
    let segment = makeID()
    let error = unsafe xcb_request_check(raw, xcb_shm_attach_fd_checked(raw, segment, file, 0))
    defer { unsafe free(error) }
    if unsafe error == nil { unsafe xcb_shm_detach(raw, segment) }
    return unsafe error == nil
  }
}
