import CXCB
import Glibc
package import Raster

/// A window of a `TestClient`: a name by which it is moved, drawn on and destroyed.
///
/// It lives until `destroy()` or until its client disconnects.
package struct TestWindow {
  package let client: TestClient
  package let id: UInt32
  package let depth: Int
}

extension TestClient {
  /// Makes a top-level window, on top of the others, and maps it.
  ///
  /// - Parameters:
  ///   - bounds: Of the inside; the border lies around it and moves it right and down.
  ///   - picture: The background, repeated when it is smaller. The server itself paints it wherever
  ///     the window is exposed, so a test never waits for an Expose event. Alpha counts only in an
  ///     ARGB window; there colours are premultiplied.
  ///   - shape: What of the window is to be seen, in its own coordinates; nil is all.
  package func makeWindow(
    _ bounds: Rect, picture: Bitmap, argb: Bool = false, borderWidth: Int = 0,
    borderPixel: UInt32 = 0xFF00_0000, overrideRedirect: Bool = true, shape: [Rect]? = nil,
    mapped: Bool = true
  ) throws(TestFailure) -> TestWindow {
    let depth = argb ? 32 : rootDepth
    let (visual, colormap) = try visual(ofDepth: depth)
    let background = makePixmap(picture, depth: depth)
    let id = unsafe xcb_generate_id(connection)
    let mask = [
      XCB_CW_BACK_PIXMAP, XCB_CW_BORDER_PIXEL, XCB_CW_OVERRIDE_REDIRECT, XCB_CW_EVENT_MASK,
      XCB_CW_COLORMAP,
    ]
    let events = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
    var values = [background, borderPixel, overrideRedirect ? 1 : 0, events, colormap]
    _ = unsafe xcb_create_window(
      connection, UInt8(depth), id, root, Int16(bounds.x), Int16(bounds.y), UInt16(bounds.width),
      UInt16(bounds.height), UInt16(borderWidth),
      UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), visual,
      mask.reduce(0) { $0 | $1.rawValue }, &values)
    _ = unsafe xcb_free_pixmap(connection, background)
    let window = TestWindow(client: self, id: id, depth: depth)
    if let shape { window.setShape(shape) }
    if mapped { window.map() }
    return window
  }

  /// Makes a window of one colour.
  package func makeWindow(
    _ bounds: Rect, color: UInt32, argb: Bool = false, overrideRedirect: Bool = true,
    mapped: Bool = true
  ) throws(TestFailure) -> TestWindow {
    try makeWindow(
      bounds, picture: Bitmap(width: 1, height: 1, filledWith: color), argb: argb,
      overrideRedirect: overrideRedirect, mapped: mapped)
  }
}

extension TestWindow {
  package func map() { _ = unsafe xcb_map_window(client.connection, id) }
  package func unmap() { _ = unsafe xcb_unmap_window(client.connection, id) }
  package func destroy() { _ = unsafe xcb_destroy_window(client.connection, id) }

  package func move(x: Int, y: Int) {
    configure([(XCB_CONFIG_WINDOW_X, x), (XCB_CONFIG_WINDOW_Y, y)])
  }

  package func resize(width: Int, height: Int) {
    configure([(XCB_CONFIG_WINDOW_WIDTH, width), (XCB_CONFIG_WINDOW_HEIGHT, height)])
  }

  package func raise() {
    configure([(XCB_CONFIG_WINDOW_STACK_MODE, Int(XCB_STACK_MODE_ABOVE.rawValue))])
  }
  package func lower() {
    configure([(XCB_CONFIG_WINDOW_STACK_MODE, Int(XCB_STACK_MODE_BELOW.rawValue))])
  }

  /// Right above another window.
  package func stack(above sibling: TestWindow) {
    configure([
      (XCB_CONFIG_WINDOW_SIBLING, Int(sibling.id)),
      (XCB_CONFIG_WINDOW_STACK_MODE, Int(XCB_STACK_MODE_ABOVE.rawValue)),
    ])
  }

  /// Draws once: what is covered or off screen is lost, as it is for every application.
  package func draw(_ picture: Bitmap, x: Int = 0, y: Int = 0) {
    client.put(picture, on: id, depth: depth, x: x, y: y)
  }

  /// Replaces what the server paints into exposed parts, and repaints all of the window with it.
  package func setBackground(_ picture: Bitmap) {
    let pixmap = client.makePixmap(picture, depth: depth)
    var values = [pixmap]
    _ = unsafe xcb_change_window_attributes(
      client.connection, id, XCB_CW_BACK_PIXMAP.rawValue, &values)
    _ = unsafe xcb_free_pixmap(client.connection, pixmap)
    _ = unsafe xcb_clear_area(client.connection, 0, id, 0, 0, 0, 0)
  }

  /// What of the window is to be seen, in its own coordinates.
  package func setShape(_ rects: [Rect]) {
    let rectangles = rects.map {
      xcb_rectangle_t(
        x: Int16($0.x), y: Int16($0.y), width: UInt16($0.width), height: UInt16($0.height))
    }
    _ = unsafe xcb_shape_rectangles(
      client.connection, xcb_shape_op_t(XCB_SHAPE_SO_SET.rawValue),
      xcb_shape_kind_t(XCB_SHAPE_SK_BOUNDING.rawValue),
      UInt8(XCB_CLIP_ORDERING_UNSORTED.rawValue), id, 0, 0, UInt32(rectangles.count), rectangles)
  }

  /// Sets a CARDINAL property of 32-bit numbers, such as `_NET_WM_WINDOW_OPACITY`.
  package func setProperty(_ name: String, cardinals: [UInt32]) {
    client.setProperty(name, type: client.atom("CARDINAL"), values: cardinals, on: id)
  }

  /// Waits until a window manager, if one runs, has let the window appear after `map()`.
  package func waitUntilMapped(within timeout: Duration = .seconds(10)) throws(TestFailure) {
    try client.wait(for: XCB_MAP_NOTIFY, of: id, within: timeout)
  }

  /// Where its inside is on the screen, in whatever frame a window manager has put it.
  package func screenBounds() throws(TestFailure) -> Rect {
    let geometry = unsafe xcb_get_geometry(client.connection, id)
    let origin = unsafe xcb_translate_coordinates(client.connection, id, client.root, 0, 0)
    let size = unsafe xcb_get_geometry_reply(client.connection, geometry, nil)
    let place = unsafe xcb_translate_coordinates_reply(client.connection, origin, nil)
    defer {
      unsafe free(size)
      unsafe free(place)
    }
    guard let size = unsafe size?.pointee, let place = unsafe place?.pointee else {
      throw TestFailure("window \(id) is gone")
    }
    return Rect(
      x: Int(place.dst_x), y: Int(place.dst_y), width: Int(size.width), height: Int(size.height))
  }

  /// The fields in the order of their bits, as the protocol wants their values.
  private func configure(_ fields: [(xcb_config_window_t, Int)]) {
    var values = fields.map { UInt32(truncatingIfNeeded: $0.1) }
    let mask = fields.reduce(0) { $0 | $1.0.rawValue }
    _ = unsafe xcb_configure_window(client.connection, id, UInt16(mask), &values)
  }
}
