import CXCB
import Glibc
package import Raster

/// A window of a `TestClient`, which exists until `destroy()` or until its client disconnects.
package struct TestWindow {
  package let client: TestClient
  package let id: UInt32
  package let depth: Int
}

extension TestClient {
  /// Creates a top-level window on top of the others, and maps it.
  ///
  /// - Parameters:
  ///   - bounds: The inside; the border around it moves it right and down.
  ///   - picture: The background, repeated if it is smaller. The server paints it wherever the window is
  ///     exposed, so no test waits for an Expose event. Alpha has a meaning only in an ARGB window, where
  ///     colours are premultiplied.
  ///   - shape: The bounding region, in coordinates of the window; nil for the whole window.
  package func makeWindow(
    _ bounds: Rect, picture: Bitmap, argb: Bool = false, borderWidth: Int = 0,
    borderPixel: UInt32 = 0xFF00_0000, overrideRedirect: Bool = false, shape: [Rect]? = nil,
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
    let border = RootPixels(depth: depth).value(of: borderPixel)
    var values = [background, border, overrideRedirect ? 1 : 0, events, colormap]
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

  /// Creates a window of one colour.
  package func makeWindow(
    _ bounds: Rect, color: UInt32, argb: Bool = false, overrideRedirect: Bool = false,
    mapped: Bool = true
  ) throws(TestFailure) -> TestWindow {
    try makeWindow(
      bounds, picture: Bitmap(width: 1, height: 1, filledWith: color), argb: argb,
      overrideRedirect: overrideRedirect, mapped: mapped)
  }
}

extension TestClient {
  /// The root of the screen.
  package var rootWindow: TestWindow { foreignWindow(root) }

  /// A window of another client.
  package func foreignWindow(_ id: UInt32) -> TestWindow {
    TestWindow(client: self, id: id, depth: rootDepth)
  }
}

extension TestWindow {
  /// Makes it a child of another window, at (0, 0).
  package func reparent(into parent: TestWindow) {
    _ = unsafe xcb_reparent_window(client.connection, id, parent.id, 0, 0)
  }

  package func map() { _ = unsafe xcb_map_window(client.connection, id) }
  package func unmap() { _ = unsafe xcb_unmap_window(client.connection, id) }
  package func destroy() { _ = unsafe xcb_destroy_window(client.connection, id) }

  /// Moves it, in coordinates of its parent.
  package func move(x: Int, y: Int) {
    configure([(XCB_CONFIG_WINDOW_X, x), (XCB_CONFIG_WINDOW_Y, y)])
  }

  /// Gives its inside another size, in pixels.
  package func resize(width: Int, height: Int) {
    configure([(XCB_CONFIG_WINDOW_WIDTH, width), (XCB_CONFIG_WINDOW_HEIGHT, height)])
  }

  package func raise() {
    configure([(XCB_CONFIG_WINDOW_STACK_MODE, Int(XCB_STACK_MODE_ABOVE.rawValue))])
  }
  package func lower() {
    configure([(XCB_CONFIG_WINDOW_STACK_MODE, Int(XCB_STACK_MODE_BELOW.rawValue))])
  }

  /// Places it right above another window.
  package func stack(above sibling: TestWindow) {
    configure([
      (XCB_CONFIG_WINDOW_SIBLING, Int(sibling.id)),
      (XCB_CONFIG_WINDOW_STACK_MODE, Int(XCB_STACK_MODE_ABOVE.rawValue)),
    ])
  }

  /// Draws once: pixels in covered parts are lost, as for every application.
  package func draw(_ picture: Bitmap, x: Int = 0, y: Int = 0) {
    client.put(picture, on: id, depth: depth, x: x, y: y)
  }

  /// Replaces the background and repaints the whole window with it.
  package func setBackground(_ picture: Bitmap) {
    let pixmap = client.makePixmap(picture, depth: depth)
    var values = [pixmap]
    _ = unsafe xcb_change_window_attributes(
      client.connection, id, XCB_CW_BACK_PIXMAP.rawValue, &values)
    _ = unsafe xcb_free_pixmap(client.connection, pixmap)
    _ = unsafe xcb_clear_area(client.connection, 0, id, 0, 0, 0, 0)
  }

  /// Sets the bounding region, in coordinates of the window.
  package func setShape(_ rects: [Rect]) { setShape(rects, kind: XCB_SHAPE_SK_BOUNDING) }

  private func setShape(_ rects: [Rect], kind: xcb_shape_sk_t) {
    let rectangles = rects.map {
      xcb_rectangle_t(
        x: Int16($0.x), y: Int16($0.y), width: UInt16($0.width), height: UInt16($0.height))
    }
    _ = unsafe xcb_shape_rectangles(
      client.connection, xcb_shape_op_t(XCB_SHAPE_SO_SET.rawValue),
      xcb_shape_kind_t(kind.rawValue),
      UInt8(XCB_CLIP_ORDERING_UNSORTED.rawValue), id, 0, 0, UInt32(rectangles.count), rectangles)
  }

  /// Sets the region that takes input, in coordinates of the window.
  package func setInputShape(_ rects: [Rect]) { setShape(rects, kind: XCB_SHAPE_SK_INPUT) }

  /// Grabs the keyboard, as a lock screen or a menu does. Waits for the server.
  package func grabKeyboard() throws(TestFailure) {
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let request = unsafe xcb_grab_keyboard(client.connection, 0, client.root, 0, mode, mode)
    let reply = unsafe xcb_grab_keyboard_reply(client.connection, request, nil)
    defer { unsafe free(reply) }
    guard unsafe reply?.pointee.status == UInt8(XCB_GRAB_STATUS_SUCCESS.rawValue) else {
      throw TestFailure("the keyboard is grabbed already")
    }
  }

  /// Ends the grab of the keyboard.
  package func releaseKeyboard() { _ = unsafe xcb_ungrab_keyboard(client.connection, 0) }

  /// Sets a CARDINAL property of 32-bit numbers, such as `_NET_WM_WINDOW_OPACITY`.
  package func setProperty(_ name: String, cardinals: [UInt32]) {
    client.setProperty(name, type: client.atom("CARDINAL"), values: cardinals, on: id)
  }

  /// Asks window managers for no frame (_MOTIF_WM_HINTS).
  package func refuseDecorations() {
    let name = "_MOTIF_WM_HINTS"
    client.setProperty(name, type: client.atom(name), values: [2, 0, 0, 0, 0], on: id)
  }

  /// Asks window managers to leave it where it is (WM_NORMAL_HINTS, USPosition).
  package func keepPlace() {
    client.setProperty(
      "WM_NORMAL_HINTS", type: client.atom("WM_SIZE_HINTS"),
      values: [1] + Array(repeating: 0, count: 17),
      on: id)
  }

  /// Adds 32-bit numbers to the end of a CARDINAL property, which may become longer than a request.
  package func appendProperty(_ name: String, cardinals: [UInt32]) {
    client.setProperty(
      name, type: client.atom("CARDINAL"), values: cardinals, on: id, mode: XCB_PROP_MODE_APPEND)
  }

  /// Sets a property of atoms, such as `_NET_WM_WINDOW_TYPE`.
  package func setAtoms(_ name: String, _ values: [String]) {
    client.setProperty(
      name, type: client.atom("ATOM"), values: values.map { client.atom($0) }, on: id)
  }

  /// Waits until the window is mapped; a window manager may map it some time after `map()`.
  package func waitUntilMapped(within timeout: Duration = .seconds(10)) throws(TestFailure) {
    try client.wait(for: XCB_MAP_NOTIFY, of: id, within: timeout)
  }

  /// The place of its inside on the screen, also within the frame of a window manager.
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

  /// The fields must be in the order of their bits.
  private func configure(_ fields: [(xcb_config_window_t, Int)]) {
    var values = fields.map { UInt32(truncatingIfNeeded: $0.1) }
    let mask = fields.reduce(0) { $0 | $1.0.rawValue }
    _ = unsafe xcb_configure_window(client.connection, id, UInt16(mask), &values)
  }
}
