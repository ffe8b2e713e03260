import CXCB
import Glibc
import Raster

/// Questions, and their answers. Several are asked before the first answer is awaited; a window that
/// has just gone answers nil.
extension XConnection {
  /// What we need to know of a top-level window.
  struct WindowFacts {
    var geometry: WindowGeometry
    var depth: UInt8
    var isMapped: Bool
    /// An input-only window shows nothing.
    var isVisible: Bool
    var isOverrideRedirect: Bool
    /// In the window's coordinates; nil when it is rectangular.
    var shape: Region?
    /// 0 to 0xffffffff, as a compositor understands it.
    var opacity: UInt32
  }

  /// The windows on the screen, the lowest first.
  func topLevelWindows() -> [UInt32] {
    guard let reply = unsafe xcb_query_tree_reply(raw, xcb_query_tree(raw, root), nil) else {
      return []
    }
    defer { unsafe free(reply) }
    let children = unsafe UnsafeBufferPointer(
      start: xcb_query_tree_children(reply), count: Int(xcb_query_tree_children_length(reply)))
    return unsafe Array(children)
  }

  /// In the order of `windows`; all questions are asked in a row.
  func facts(of windows: [UInt32], opacityName: UInt32) -> [WindowFacts?] {
    let asked = windows.map { window in
      unsafe (
        xcb_get_geometry(raw, window), xcb_get_window_attributes(raw, window),
        xcb_shape_query_extents(raw, window),
        xcb_shape_get_rectangles(raw, window, UInt8(XCB_SHAPE_SK_BOUNDING.rawValue)),
        xcb_get_property(
          raw, 0, window, opacityName, XCB_ATOM_CARDINAL.rawValue, 0, 1)
      )
    }
    return asked.map { geometry, attributes, extents, rectangles, opacity -> WindowFacts? in
      let place = unsafe xcb_get_geometry_reply(raw, geometry, nil)
      let kind = unsafe xcb_get_window_attributes_reply(raw, attributes, nil)
      let shape = unsafe xcb_shape_query_extents_reply(raw, extents, nil)
      let region = unsafe xcb_shape_get_rectangles_reply(raw, rectangles, nil)
      let property = unsafe xcb_get_property_reply(raw, opacity, nil)
      defer {
        unsafe free(place)
        unsafe free(kind)
        unsafe free(shape)
        unsafe free(region)
        unsafe free(property)
      }
      guard let place = unsafe place?.pointee, let kind = unsafe kind?.pointee else { return nil }
      let isShaped = unsafe (shape?.pointee.bounding_shaped ?? 0) != 0
      return unsafe WindowFacts(
        geometry: WindowGeometry(
          x: Int(place.x), y: Int(place.y), width: Int(place.width), height: Int(place.height),
          border: Int(place.border_width)),
        depth: place.depth,
        isMapped: kind.map_state != UInt8(XCB_MAP_STATE_UNMAPPED.rawValue),
        isVisible: kind._class == UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
        isOverrideRedirect: kind.override_redirect != 0,
        shape: isShaped ? shapeRegion(region) : nil,
        opacity: word(property) ?? .max)
    }
  }

  private func shapeRegion(
    _ reply: UnsafeMutablePointer<xcb_shape_get_rectangles_reply_t>?
  ) -> Region {
    guard let reply = unsafe reply else { return Region() }
    let rectangles = unsafe UnsafeBufferPointer(
      start: xcb_shape_get_rectangles_rectangles(reply),
      count: Int(xcb_shape_get_rectangles_rectangles_length(reply)))
    return unsafe Region(rectangles.map { Rect($0) })
  }

  private func word(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> UInt32? {
    guard let reply = unsafe reply, unsafe reply.pointee.format == 32,
      unsafe xcb_get_property_value_length(reply) >= 4,
      let value = unsafe xcb_get_property_value(reply)
    else { return nil }
    return unsafe value.loadUnaligned(as: UInt32.self)
  }

  /// One 32-bit value of a property; nil when there is none of that type.
  func propertyWord(_ window: UInt32, _ name: UInt32, type: UInt32) -> UInt32? {
    let reply = unsafe xcb_get_property_reply(
      raw, xcb_get_property(raw, 0, window, name, type, 0, 1), nil)
    defer { unsafe free(reply) }
    return unsafe word(reply)
  }

  /// Nil when there is no such pixmap.
  func depth(ofPixmap pixmap: UInt32) -> UInt8? {
    let reply = unsafe xcb_get_geometry_reply(raw, xcb_get_geometry(raw, pixmap), nil)
    defer { unsafe free(reply) }
    return unsafe reply?.pointee.depth
  }

  func selectionOwner(_ selection: UInt32) -> UInt32 {
    let reply = unsafe xcb_get_selection_owner_reply(
      raw, xcb_get_selection_owner(raw, selection), nil)
    defer { unsafe free(reply) }
    return unsafe reply?.pointee.owner ?? 0
  }

  /// Whether another client paints a window of ours in the server's place. Only one can: so it is asked
  /// for, and given back before anybody else could miss it.
  func isRedirectedByHand(_ window: UInt32) -> Bool {
    let update = UInt8(XCB_COMPOSITE_REDIRECT_MANUAL.rawValue)
    grab()
    let error = unsafe xcb_request_check(
      raw, xcb_composite_redirect_window_checked(raw, window, update))
    defer { unsafe free(error) }
    if unsafe error == nil { unsafe xcb_composite_unredirect_window(raw, window, update) }
    ungrab()
    return unsafe error != nil
  }

  func atoms(_ names: [String]) -> [UInt32] {
    let asked = names.map { name in
      unsafe xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name)
    }
    return asked.map { cookie in
      let reply = unsafe xcb_intern_atom_reply(raw, cookie, nil)
      defer { unsafe free(reply) }
      return unsafe reply?.pointee.atom ?? 0
    }
  }

  // MARK: Shared memory

  /// Lets the server read and write a segment of ours. Nil when it cannot: it runs on another host, as
  /// another user or in an IPC namespace of its own.
  func attach(segment id: Int32) -> UInt32? {
    let segment = makeID()
    let error = unsafe xcb_request_check(
      raw, xcb_shm_attach_checked(raw, segment, UInt32(bitPattern: id), 0))
    defer { unsafe free(error) }
    return unsafe error == nil ? segment : nil
  }

  func detach(segment: UInt32) { unsafe xcb_shm_detach(raw, segment) }

  // MARK: Images

  /// An image that has been asked for.
  enum PendingImage {
    case shared(xcb_shm_get_image_cookie_t)
    case packed(xcb_get_image_cookie_t)
  }

  /// Asks for pixels of a window or pixmap, in its own coordinates, into a shared segment.
  func askShared(
    _ drawable: UInt32, _ rect: Rect, into segment: UInt32, atByte offset: Int
  ) -> PendingImage {
    unsafe .shared(
      xcb_shm_get_image(
        raw, drawable, Int16(rect.x), Int16(rect.y), UInt16(rect.width), UInt16(rect.height),
        .max, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), segment, UInt32(offset)))
  }

  /// Asks for pixels through the socket.
  func askPacked(_ drawable: UInt32, _ rect: Rect) -> PendingImage {
    unsafe .packed(
      xcb_get_image(
        raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), drawable, Int16(rect.x), Int16(rect.y),
        UInt16(rect.width), UInt16(rect.height), .max))
  }

  /// Waits for an image. Pixels that come through the socket are copied to `pixels` from `index` on.
  /// Returns whether it came.
  func finish(
    _ image: PendingImage, _ pixels: inout MutableSpan<UInt32>, at index: Int, count: Int
  ) -> Bool {
    switch image {
    case .shared(let cookie):
      let reply = unsafe xcb_shm_get_image_reply(raw, cookie, nil)
      defer { unsafe free(reply) }
      return unsafe reply != nil
    case .packed(let cookie):
      guard let reply = unsafe xcb_get_image_reply(raw, cookie, nil) else { return false }
      defer { unsafe free(reply) }
      guard unsafe Int(xcb_get_image_data_length(reply)) >= 4 * count,
        let data = unsafe xcb_get_image_data(reply)
      else { return false }
      let source = UnsafeRawPointer(data)
      for i in 0..<count {
        pixels[index + i] = unsafe source.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self)
      }
      return true
    }
  }
}
