import CXCB
import Glibc
import Raster

/// Pixels of a window as the server stores them.
struct WindowImage {
  /// In bits.
  let depth: Int
  /// One word for each pixel; the format of the depth may use fewer.
  var words: [UInt32]
}

extension XConnection {
  /// Requests pixels of a window, in the coordinates of the window, in a shared segment from byte
  /// `offset` on.
  mutating func requestShared(
    _ id: ImageID, _ window: UInt32, _ rect: Rect, into segment: UInt32, atByte offset: Int
  ) {
    let cookie = unsafe xcb_shm_get_image(
      raw, window, Int16(rect.x), Int16(rect.y), UInt16(rect.width), UInt16(rect.height), .max,
      UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), segment, UInt32(offset))
    unsafe expect(last: cookie.sequence, xcb_shm_get_image_reply_t.self) { connection, reply in
      unsafe .image(
        id, reply.map { unsafe .shared(connection.screen.format(ofDepth: $0.pointee.depth)) })
    }
  }

  /// Requests pixels of a window through the socket.
  mutating func requestPacked(_ id: ImageID, _ window: UInt32, _ rect: Rect) {
    let cookie = unsafe xcb_get_image(
      raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, Int16(rect.x), Int16(rect.y),
      UInt16(rect.width), UInt16(rect.height), .max)
    expect(cookie.sequence) { connection in
      guard
        let arrived = unsafe connection.poll(cookie.sequence, as: xcb_get_image_reply_t.self)
      else { return nil }
      guard let reply = unsafe arrived.reply else { return .image(id, nil) }
      let format = unsafe connection.screen.format(ofDepth: reply.pointee.depth)
      return unsafe .image(id, .packed(PackedImage(reply), format))
    }
  }

  /// The image of a part of a window, in its coordinates, with the windows in it; nil if not all of it can be read. Waits for the
  /// server.
  mutating func image(of window: UInt32, _ rect: Rect) -> WindowImage? {
    // A screen has no pixels beyond the coordinates of the protocol.
    guard let x = Int16(exactly: rect.x), let y = Int16(exactly: rect.y) else { return nil }
    let request = unsafe xcb_get_image(
      raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, x, y, UInt16(rect.width),
      UInt16(rect.height), .max)
    guard let reply = unsafe awaitReply(request.sequence, as: xcb_get_image_reply_t.self) else {
      return nil
    }
    defer { unsafe free(reply) }
    var words = [UInt32](repeating: 0, count: rect.area)
    let count = min(4 * words.count, unsafe Int(xcb_get_image_data_length(reply)))
    unsafe words.withUnsafeMutableBytes { bytes in
      unsafe bytes.copyMemory(
        from: UnsafeRawBufferPointer(start: xcb_get_image_data(reply), count: count))
    }
    return WindowImage(depth: Int(unsafe reply.pointee.depth), words: words)
  }
}

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
