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
    unsafe expect(cookie.sequence, xcb_shm_get_image_reply_t.self) { [screen] reply in
      unsafe .image(id, reply.map { unsafe .shared(screen.format(ofDepth: $0.pointee.depth)) })
    }
  }

  /// Requests pixels of a window through the socket.
  mutating func requestPacked(_ id: ImageID, _ window: UInt32, _ rect: Rect) {
    let cookie = unsafe xcb_get_image(
      raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, Int16(rect.x), Int16(rect.y),
      UInt16(rect.width), UInt16(rect.height), .max)
    expect(cookie.sequence) { [screen] replies in
      guard let arrived = unsafe replies.poll(cookie.sequence, as: xcb_get_image_reply_t.self)
      else { return nil }
      guard let reply = unsafe arrived.reply else { return .image(id, nil) }
      let format = unsafe screen.format(ofDepth: reply.pointee.depth)
      return unsafe .image(id, .packed(PackedImage(reply), format))
    }
  }

  /// Requests a part of a window, in its coordinates, to count its pixels by their alpha.
  mutating func requestAlphaCounts(_ id: AlphaReading, _ part: Rect) {
    let cookie = unsafe xcb_get_image(
      raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), id.window, Int16(clamping: part.x),
      Int16(clamping: part.y), UInt16(clamping: part.width), UInt16(clamping: part.height), .max)
    unsafe expect(cookie.sequence, xcb_get_image_reply_t.self) {
      unsafe .alphaCounts(id, AlphaCounts($0))
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

/// Identifies a reading of some pixels of a window.
struct AlphaReading: Equatable {
  let window: UInt32
  let number: Int
}

extension AlphaCounts {
  /// Counts the pixels of an image; nil if it could not be read or has no alpha channel.
  init?(_ reply: UnsafeMutablePointer<xcb_get_image_reply_t>?) {
    guard let reply = unsafe reply, unsafe reply.pointee.depth == 32 else { return nil }
    self.init()
    let bytes = unsafe UnsafeBufferPointer(
      start: xcb_get_image_data(reply), count: Int(xcb_get_image_data_length(reply)))
    for alpha in stride(from: 3, to: bytes.count, by: 4) { unsafe add(bytes[alpha]) }
  }
}
