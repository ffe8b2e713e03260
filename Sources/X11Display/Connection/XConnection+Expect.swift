import CXCB
import Glibc

// Requests with replies. Most of them are one function, which sends the request and says how its reply is decoded. The reply
// arrives as an item.
extension XConnection {
  /// Records a request with a reply. `decode` gets nil if the request failed.
  mutating func expect<Reply>(
    _ sequence: RequestSequence, _ type: Reply.Type,
    _ decode: @escaping (UnsafeMutablePointer<Reply>?) -> XReply
  ) {
    unsafe expect(last: sequence, type) { _, reply in unsafe decode(reply) }
  }

  /// Records several requests whose replies form one item; `last` is the number of the last one, so the other replies
  /// have arrived when its reply has. `decode` gets that, or nil if the request failed.
  mutating func expect<Reply>(
    last: RequestSequence, _ type: Reply.Type,
    _ decode: @escaping (ArrivedReplies, UnsafeMutablePointer<Reply>?) -> XReply
  ) {
    expect(last) { replies in
      guard let arrived = unsafe replies.poll(last, as: type) else { return nil }
      defer { unsafe free(arrived.reply) }
      return unsafe decode(replies, arrived.reply)
    }
  }

  /// Waits for a reply, which the caller must free; nil if the request failed or the connection is lost.
  mutating func awaitReply<Reply>(
    _ request: RequestSequence, as type: Reply.Type
  ) -> UnsafeMutablePointer<Reply>? {
    send()
    while true {
      if let arrived = unsafe replies.poll(request, as: type) { return unsafe arrived.reply }
      if unsafe xcb_connection_has_error(raw) != 0 { return nil }
      if !relay.deliver() { relay.awaitServer() }
    }
  }
}
