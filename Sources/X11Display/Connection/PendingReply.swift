import CXCB
import Glibc

/// A request whose reply has not arrived.
struct PendingReply {
  /// The sequence number of the request; if it needs several replies, of the last one.
  let sequence: RequestSequence
  /// Decodes the reply; nil if it has not arrived.
  let decode: (borrowing XConnection) -> XReply?
}

// Requests whose replies arrive as items. Each of them is one function, which sends it and says how its reply is decoded.
extension XConnection {
  /// Records a request with a reply. `decode` gets nil if the request failed.
  mutating func expect<Reply>(
    _ sequence: RequestSequence, _ type: Reply.Type,
    _ decode: @escaping (UnsafeMutablePointer<Reply>?) -> XReply
  ) {
    expect(sequence) { connection in
      guard let arrived = unsafe connection.poll(sequence, as: type) else { return nil }
      defer { unsafe free(arrived.reply) }
      return unsafe decode(arrived.reply)
    }
  }

  /// Records several requests whose replies form one item; `last` is the number of the last one, so the other replies
  /// have arrived when its reply has. `decode` gets that, or nil if the request failed.
  mutating func expect<Reply>(
    last: RequestSequence, _ type: Reply.Type,
    _ decode: @escaping (borrowing XConnection, UnsafeMutablePointer<Reply>?) -> XReply
  ) {
    expect(last) { connection in
      guard let arrived = unsafe connection.poll(last, as: type) else { return nil }
      defer { unsafe free(arrived.reply) }
      return unsafe decode(connection, arrived.reply)
    }
  }

  /// A reply that has arrived, which the caller must free; nil if the request failed.
  func arrivedReply<Reply>(
    to sequence: RequestSequence, as type: Reply.Type
  ) -> UnsafeMutablePointer<Reply>? {
    unsafe poll(sequence, as: type)?.reply
  }

  /// Waits for a reply, which the caller must free; nil if the request failed or the connection is lost.
  mutating func awaitReply<Reply>(
    _ request: RequestSequence, as type: Reply.Type
  ) -> UnsafeMutablePointer<Reply>? {
    send()
    while true {
      if let arrived = unsafe poll(request, as: type) { return unsafe arrived.reply }
      if unsafe xcb_connection_has_error(raw) != 0 { return nil }
      if !relay.deliver() { relay.awaitServer() }
    }
  }

  /// Returns nil if the reply has not arrived, or a nil `reply` if the request failed.
  func poll<Reply>(
    _ sequence: RequestSequence, as: Reply.Type
  ) -> (reply: UnsafeMutablePointer<Reply>?, Void)? {
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    if unsafe xcb_poll_for_reply(raw, sequence, &reply, &error) == 0 { return nil }
    // Without memory the server sends an error, and libxcb drops the reply and keeps the connection.
    let isDropped = unsafe reply == nil && error == nil
    if unsafe isDropped || error?.pointee.error_code == XError.lackOfMemory {
      memory.isLacking = true
    }
    unsafe free(error)
    return unsafe (reply?.assumingMemoryBound(to: Reply.self), ())
  }
}
