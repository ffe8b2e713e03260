import CXCB
import Glibc

/// A request whose reply has not arrived.
struct PendingReply {
  /// The sequence number of the request; if it needs several replies, of the last one.
  let sequence: RequestSequence
  /// Decodes the reply; nil if it has not arrived.
  let decode: (ArrivedReplies) -> XReply?
}

/// The replies that libxcb has received.
@safe struct ArrivedReplies {
  private let raw: OpaquePointer
  private let memory: MemoryState

  init(_ raw: OpaquePointer, _ memory: MemoryState) {
    unsafe self.raw = unsafe raw
    self.memory = memory
  }

  /// Returns nil if the reply has not arrived, or a nil `reply` if the request failed. The caller must free it.
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

  /// A reply that has arrived, which the caller must free; nil if the request failed.
  func reply<Reply>(
    to sequence: RequestSequence, as type: Reply.Type
  ) -> UnsafeMutablePointer<Reply>? {
    unsafe poll(sequence, as: type)?.reply
  }
}
