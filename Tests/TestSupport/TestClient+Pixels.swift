import CXCB
import Glibc
package import Raster

extension TestClient {
  /// The pixels of the whole screen, or of a part of it, with 8 bits for each colour. Alpha is 255 everywhere.
  package func screenshot(_ rect: Rect? = nil) throws(TestFailure) -> Bitmap {
    let rect = rect ?? screen
    precondition(screen.contains(rect) && !rect.isEmpty)
    let cookie = unsafe xcb_get_image(
      connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), root, Int16(rect.x), Int16(rect.y),
      UInt16(rect.width), UInt16(rect.height), .max)
    guard let reply = unsafe xcb_get_image_reply(connection, cookie, nil) else {
      try checkConnection()
      throw TestFailure("the X server gave no image of \(rect)")
    }
    defer { unsafe free(reply) }
    let byteCount = unsafe Int(xcb_get_image_data_length(reply))
    let data = unsafe UnsafeRawBufferPointer(start: xcb_get_image_data(reply), count: byteCount)
    let words = unsafe data.withMemoryRebound(to: UInt32.self) { unsafe Array($0) }
    let pixels = RootPixels(depth: rootDepth)
    guard let picture = pixels.picture(in: words, width: rect.width, height: rect.height) else {
      throw TestFailure("\(byteCount) bytes for an image of \(rect)")
    }
    return picture
  }

  /// The colour of one pixel of the screen.
  package func screenPixel(x: Int, y: Int) throws(TestFailure) -> UInt32 {
    try screenshot(Rect(x: x, y: y, width: 1, height: 1))[0, 0]
  }

  /// Puts a picture, in as many requests as the limit of the server requires.
  func put(_ picture: Bitmap, on drawable: xcb_drawable_t, depth: Int, x: Int, y: Int) {
    let context = context(forDepth: depth, like: drawable)
    let pixels = RootPixels(depth: depth)
    let (words, rowLength) = (pixels.words(of: picture), pixels.wordsPerRow(width: picture.width))
    let limit = unsafe Int(xcb_get_maximum_request_length(connection)) * 4 - 64
    let step = limit / max(1, rowLength * 4)
    precondition(step >= 1, "a row is longer than a request may be")
    for top in stride(from: 0, to: picture.height, by: step) {
      let rows = min(step, picture.height - top)
      let part = words[top * rowLength..<(top + rows) * rowLength]
      unsafe part.withUnsafeBytes { bytes in
        _ = unsafe xcb_put_image(
          connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), drawable, context,
          UInt16(picture.width), UInt16(rows), Int16(x), Int16(y + top), 0, UInt8(depth),
          UInt32(bytes.count), bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
      }
    }
  }

  /// A new pixmap with a picture. The caller frees it.
  func makePixmap(_ picture: Bitmap, depth: Int) -> xcb_pixmap_t {
    let pixmap = unsafe xcb_generate_id(connection)
    _ = unsafe xcb_create_pixmap(
      connection, UInt8(depth), pixmap, root, UInt16(picture.width), UInt16(picture.height))
    put(picture, on: pixmap, depth: depth, x: 0, y: 0)
    return pixmap
  }
}
