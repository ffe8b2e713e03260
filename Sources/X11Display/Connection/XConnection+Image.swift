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
