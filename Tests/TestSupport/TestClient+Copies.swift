import CXCB
package import Raster

/// A picture in the memory of the X server. It exists until its client disconnects.
package struct TestPixmap {
  let id: xcb_pixmap_t
  let bounds: Rect
}

extension TestClient {
  /// Sends all requests to the server without waiting for it.
  package func flush() { _ = unsafe xcb_flush(connection) }

  /// Makes a pixmap of the screen's depth with the pixels of a picture.
  package func makePixmap(_ picture: Bitmap) -> TestPixmap {
    TestPixmap(id: makePixmap(picture, depth: rootDepth), bounds: picture.bounds)
  }
}

extension TestWindow {
  /// Makes a pixmap that the window can draw. One of 32 bits has premultiplied colours.
  package func makePixmap(_ picture: Bitmap) -> TestPixmap {
    TestPixmap(id: client.makePixmap(picture, depth: depth), bounds: picture.bounds)
  }

  /// Draws a picture that is in the memory of the server, from its column `x` on: no pixels are sent.
  package func draw(_ pixmap: TestPixmap, from x: Int = 0) {
    let bounds = pixmap.bounds
    _ = unsafe xcb_copy_area(
      client.connection, pixmap.id, id, client.context(forDepth: depth, like: id), Int16(x), 0, 0,
      0,
      UInt16(bounds.width), UInt16(bounds.height))
  }

  /// Fills a part of the window, in its own coordinates, with one colour.
  package func fill(_ rect: Rect, color: UInt32) {
    let context = client.context(forDepth: depth, like: id)
    var values = [RootPixels(depth: depth).value(of: color)]
    _ = unsafe xcb_change_gc(client.connection, context, XCB_GC_FOREGROUND.rawValue, &values)
    var rectangle = xcb_rectangle_t(
      x: Int16(rect.x), y: Int16(rect.y), width: UInt16(rect.width), height: UInt16(rect.height))
    _ = unsafe xcb_poly_fill_rectangle(client.connection, id, context, 1, &rectangle)
  }
}
