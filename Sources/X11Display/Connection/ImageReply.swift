import CXCB
import Glibc

/// Identifies a part of a capture: the capture, the index of its piece, and the first row in the
/// piece.
struct ImageID: Equatable {
  let capture: Int
  let piece: Int
  let row: Int
}

/// The reply with an image.
@safe enum ImageReply {
  /// The pixels are in the shared segment of the request.
  case shared(PixelFormat)
  /// The pixels came through the socket.
  case packed(PackedImage, PixelFormat)
}

/// An image that came through the socket.
@safe final class PackedImage {
  private let reply: UnsafeMutablePointer<xcb_get_image_reply_t>

  init(_ reply: UnsafeMutablePointer<xcb_get_image_reply_t>) { unsafe self.reply = reply }

  deinit { unsafe free(reply) }

  /// Copies `count` words to the start of `words`. Returns false and copies nothing if the image is
  /// smaller.
  func copy(to words: inout MutableSpan<UInt32>, count: Int) -> Bool {
    guard unsafe Int(xcb_get_image_data_length(reply)) >= 4 * count,
      let data = unsafe xcb_get_image_data(reply)
    else { return false }
    let source = UnsafeRawPointer(data)
    for i in 0..<count {
      words[i] = unsafe source.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self)
    }
    return true
  }
}
