import CXCB
import Glibc

/// The resources that the X server stores for its clients, from the extension X-Resource. Its library is no dependency, so the
/// requests are written by hand.
extension TestClient {
  /// The number of resources of the client that owns a selection, by type, such as `WINDOW` or `PIXMAP`. Types of
  /// which it has none are missing. Throws if the selection has no owner.
  package func resourceCounts(ofOwnerOf selection: String) throws(TestFailure) -> [String: Int] {
    let owner = try owner(of: selection)
    let words = try reply(toQuery: 2, about: owner)
    // The header of 8 words has the number of types in the third; then each type has its atom and its number.
    guard words.count >= 8, words.count >= 8 + 2 * Int(words[2]) else {
      throw TestFailure("a short reply about the resources of \(selection)")
    }
    var counts: [String: Int] = [:]
    for i in 0..<Int(words[2]) {
      counts[name(of: words[8 + 2 * i]), default: 0] += Int(words[9 + 2 * i])
    }
    return counts
  }

  private func owner(of selection: String) throws(TestFailure) -> xcb_window_t {
    let cookie = unsafe xcb_get_selection_owner(connection, atom(selection))
    guard let reply = unsafe xcb_get_selection_owner_reply(connection, cookie, nil) else {
      throw TestFailure("no reply about the owner of \(selection)")
    }
    defer { unsafe free(reply) }
    let owner = unsafe reply.pointee.owner
    guard owner != 0 else { throw TestFailure("\(selection) has no owner") }
    return owner
  }

  private func name(of atom: xcb_atom_t) -> String {
    let cookie = unsafe xcb_get_atom_name(connection, atom)
    guard let reply = unsafe xcb_get_atom_name_reply(connection, cookie, nil) else {
      return "\(atom)"
    }
    defer { unsafe free(reply) }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: xcb_get_atom_name_name(reply), count: Int(xcb_get_atom_name_name_length(reply)))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// All words of the reply to a request of X-Resource that has one resource as its argument.
  private func reply(
    toQuery minor: UInt8, about resource: UInt32
  ) throws(TestFailure) -> [UInt32] {
    var request = [UInt32(minor) << 8 | 2 << 16, resource]
    let flags = Int32(XCB_REQUEST_CHECKED.rawValue)
    var header = unsafe xcb_protocol_request_t(
      count: 1, ext: nil, opcode: try majorOpcode(of: "X-Resource"), isvoid: 0)
    let number = unsafe request.withUnsafeMutableBytes { bytes in
      // XCB writes to the two parts before the request.
      var parts = unsafe [iovec](repeating: iovec(), count: 3)
      unsafe parts[2] = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return unsafe parts.withUnsafeMutableBufferPointer { parts in
        unsafe parts.baseAddress.map { unsafe xcb_send_request(connection, flags, $0 + 2, &header) }
          ?? 0
      }
    }
    guard let reply = unsafe xcb_wait_for_reply(connection, number, nil) else {
      throw TestFailure("no reply about resources")
    }
    defer { unsafe free(reply) }
    let count = 8 + Int(unsafe reply.load(fromByteOffset: 4, as: UInt32.self))
    return (0..<count).map { unsafe reply.load(fromByteOffset: 4 * $0, as: UInt32.self) }
  }

  private func majorOpcode(of extension: String) throws(TestFailure) -> UInt8 {
    let cookie = unsafe xcb_query_extension(
      connection, UInt16(`extension`.utf8.count), `extension`)
    guard let reply = unsafe xcb_query_extension_reply(connection, cookie, nil) else {
      throw TestFailure("no reply about \(`extension`)")
    }
    defer { unsafe free(reply) }
    guard unsafe reply.pointee.present != 0 else {
      throw TestFailure("the server has no \(`extension`)")
    }
    return unsafe reply.pointee.major_opcode
  }
}
