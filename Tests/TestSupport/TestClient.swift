import CXCB
import Glibc
package import Raster

/// An application for tests: it creates windows, paints them, and takes screenshots.
///
/// Requests are buffered. `sync()` returns when the server has executed them, and throws if it refused one.
/// A screenshot is a round trip too.
@safe package final class TestClient {
  let connection: OpaquePointer
  let root: xcb_window_t
  let rootVisual: xcb_visualid_t
  let rootDepth: Int
  private let argbVisual: xcb_visualid_t?
  private let argbColormap: xcb_colormap_t
  private var contexts: [Int: xcb_gcontext_t] = [:]
  /// The pixmap of the wallpaper; it must exist as long as it is shown.
  var wallpaper: xcb_pixmap_t?
  package let screen: Rect

  /// Connects to a server.
  package convenience init(_ server: XServer) throws(TestFailure) {
    try self.init(display: server.display)
  }

  /// Connects to a display, such as ":7". Throws if that fails.
  package init(display: String) throws(TestFailure) {
    unsafe connection = unsafe xcb_connect(display, nil)
    guard unsafe xcb_connection_has_error(connection) == 0,
      let screen = unsafe xcb_setup_roots_iterator(xcb_get_setup(connection)).data
    else {
      unsafe xcb_disconnect(connection)
      throw TestFailure("cannot connect to display \(display)")
    }
    root = unsafe screen.pointee.root
    rootVisual = unsafe screen.pointee.root_visual
    rootDepth = unsafe Int(screen.pointee.root_depth)
    self.screen = unsafe Rect(
      x: 0, y: 0, width: Int(screen.pointee.width_in_pixels),
      height: Int(screen.pointee.height_in_pixels))
    argbVisual = unsafe firstVisual(ofDepth: 32, on: screen)
    argbColormap = unsafe xcb_generate_id(connection)
    if let argbVisual {
      _ = unsafe xcb_create_colormap(
        connection, UInt8(XCB_COLORMAP_ALLOC_NONE.rawValue), argbColormap, root, argbVisual)
    }
  }

  deinit { unsafe xcb_disconnect(connection) }

  /// Returns when the server has executed all requests; throws if it refused one.
  package func sync() throws(TestFailure) {
    let cookie = unsafe xcb_get_input_focus(connection)
    unsafe free(xcb_get_input_focus_reply(connection, cookie, nil))
    try checkConnection()
    while try nextEvent() != nil {}
  }

  /// The visual and the colormap for a window of this depth.
  func visual(ofDepth depth: Int) throws(TestFailure) -> (xcb_visualid_t, xcb_colormap_t) {
    if depth == rootDepth { return (rootVisual, 0) }
    guard depth == 32, let argbVisual else {
      throw TestFailure("the server has no visual of depth \(depth)")
    }
    return (argbVisual, argbColormap)
  }

  /// A GC for drawables of this depth; created once.
  func context(forDepth depth: Int, like drawable: xcb_drawable_t) -> xcb_gcontext_t {
    if let context = contexts[depth] { return context }
    let context = unsafe xcb_generate_id(connection)
    // Without it each copy causes a NoExpose event.
    var values: [UInt32] = [0]
    _ = unsafe xcb_create_gc(
      connection, context, drawable, XCB_GC_GRAPHICS_EXPOSURES.rawValue, &values)
    contexts[depth] = context
    return context
  }

  func atom(_ name: String) -> xcb_atom_t {
    let cookie = unsafe xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name)
    guard let reply = unsafe xcb_intern_atom_reply(connection, cookie, nil) else { return 0 }
    defer { unsafe free(reply) }
    return unsafe reply.pointee.atom
  }

  func hasProperty(_ name: String, on window: xcb_window_t) -> Bool {
    let cookie = unsafe xcb_get_property(connection, 0, window, atom(name), 0, 0, 0)
    guard let reply = unsafe xcb_get_property_reply(connection, cookie, nil) else { return false }
    defer { unsafe free(reply) }
    return unsafe reply.pointee.type != 0
  }
}

private func firstVisual(
  ofDepth depth: Int, on screen: UnsafeMutablePointer<xcb_screen_t>
) -> xcb_visualid_t? {
  var depths = unsafe xcb_screen_allowed_depths_iterator(screen)
  while unsafe depths.rem > 0 {
    if let found = unsafe depths.data, unsafe Int(found.pointee.depth) == depth {
      return unsafe xcb_depth_visuals_iterator(found).data?.pointee.visual_id
    }
    unsafe xcb_depth_next(&depths)
  }
  return nil
}
