import CXCB
import Glibc
import Raster

/// Requests with replies.
extension XConnection {
  /// Requests a reply that shows that the server has executed all earlier requests.
  mutating func requestMarker(_ marker: Marker) {
    let cookie = unsafe xcb_get_input_focus(raw)
    note(PendingReply(kind: .marker(marker), sequence: cookie.sequence))
  }

  /// Requests the geometry, the attributes, the shape and the opacity of a window.
  mutating func requestAttributes(_ window: UInt32, opacityAtom: UInt32) {
    let requests = attributeRequests(window, opacityAtom: opacityAtom)
    note(PendingReply(kind: .attributes(window, requests), sequence: requests.opacity))
  }

  private func attributeRequests(
    _ window: UInt32, opacityAtom: UInt32
  ) -> PendingReply.AttributeRequests {
    unsafe PendingReply.AttributeRequests(
      geometry: xcb_get_geometry(raw, window).sequence,
      attributes: xcb_get_window_attributes(raw, window).sequence,
      extents: xcb_shape_query_extents(raw, window).sequence,
      rectangles: xcb_shape_get_rectangles(raw, window, UInt8(XCB_SHAPE_SK_BOUNDING.rawValue))
        .sequence,
      opacity: xcb_get_property(raw, 0, window, opacityAtom, XCB_ATOM_CARDINAL.rawValue, 0, 1)
        .sequence)
  }

  /// Requests the opacity of a window.
  mutating func requestOpacity(_ window: UInt32, atom: UInt32) {
    let cookie = unsafe xcb_get_property(raw, 0, window, atom, XCB_ATOM_CARDINAL.rawValue, 0, 1)
    note(PendingReply(kind: .opacity(window), sequence: cookie.sequence))
  }

  /// Requests the pixmap in a property of the root.
  mutating func requestWallpaperPixmap(atom: UInt32) {
    let cookie = unsafe xcb_get_property(raw, 0, root, atom, XCB_ATOM_PIXMAP.rawValue, 0, 1)
    note(PendingReply(kind: .wallpaperPixmap(atom: atom), sequence: cookie.sequence))
  }

  /// Requests the depth of a pixmap.
  mutating func requestDepth(pixmap: UInt32) {
    let cookie = unsafe xcb_get_geometry(raw, pixmap)
    note(PendingReply(kind: .depth(pixmap: pixmap), sequence: cookie.sequence))
  }

  /// Requests the first 64 KiB of the resources of the display.
  mutating func requestResources() {
    let cookie = unsafe xcb_get_property(
      raw, 0, root, XCB_ATOM_RESOURCE_MANAGER.rawValue, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0,
      16384)
    note(PendingReply(kind: .resources, sequence: cookie.sequence))
  }

  /// Requests pixels of a window, in the coordinates of the window, in a shared segment from byte
  /// `offset` on.
  mutating func requestShared(
    _ id: ImageID, _ window: UInt32, _ rect: Rect, into segment: UInt32, atByte offset: Int
  ) {
    let cookie = unsafe xcb_shm_get_image(
      raw, window, Int16(rect.x), Int16(rect.y), UInt16(rect.width), UInt16(rect.height), .max,
      UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), segment, UInt32(offset))
    note(PendingReply(kind: .image(id), sequence: cookie.sequence))
  }

  /// Requests pixels of a window through the socket.
  mutating func requestPacked(_ id: ImageID, _ window: UInt32, _ rect: Rect) {
    let cookie = unsafe xcb_get_image(
      raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, Int16(rect.x), Int16(rect.y),
      UInt16(rect.width), UInt16(rect.height), .max)
    note(PendingReply(kind: .image(id), sequence: cookie.sequence))
  }

  // MARK: Replies

  /// The reply to a request; nil if it has not arrived.
  func poll(_ pendingReply: PendingReply) -> XReply? {
    switch pendingReply.kind {
    case .marker(let marker):
      return unsafe read(pendingReply, xcb_get_input_focus_reply_t.self) { _ in .marker(marker) }
    case .attributes(let window, let requests):
      return readAttributes(pendingReply, window, requests)
    case .opacity(let window):
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .opacity(window, word($0))
      }
    case .image(let id):
      return readImage(pendingReply, id)
    case .wallpaperPixmap(let atom):
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .wallpaperPixmap(atom: atom, word($0))
      }
    case .depth(let pixmap):
      return unsafe read(pendingReply, xcb_get_geometry_reply_t.self) {
        unsafe .depth(pixmap: pixmap, $0?.pointee.depth)
      }
    case .resources:
      return unsafe read(pendingReply, xcb_get_property_reply_t.self) {
        unsafe .resources(lines($0))
      }
    }
  }

  /// Returns nil if the reply has not arrived; `body` gets nil if the request failed.
  private func read<Reply>(
    _ pendingReply: PendingReply, _: Reply.Type, _ body: (UnsafeMutablePointer<Reply>?) -> XReply
  ) -> XReply? {
    guard let arrived = unsafe poll(pendingReply.sequence, as: Reply.self) else { return nil }
    defer { unsafe free(arrived.reply) }
    return unsafe body(arrived.reply)
  }

  /// Returns nil if the reply has not arrived, or a nil `reply` if the request failed.
  private func poll<Reply>(
    _ sequence: Sequence, as: Reply.Type
  ) -> (reply: UnsafeMutablePointer<Reply>?, Void)? {
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    if unsafe xcb_poll_for_reply(raw, sequence, &reply, &error) == 0 { return nil }
    unsafe free(error)
    return unsafe (reply?.assumingMemoryBound(to: Reply.self), ())
  }

  private func readImage(_ pendingReply: PendingReply, _ id: ImageID) -> XReply? {
    // Only the reply of the packed request has more than 32 bytes: the pixels.
    guard let arrived = unsafe poll(pendingReply.sequence, as: xcb_get_image_reply_t.self) else {
      return nil
    }
    guard let reply = unsafe arrived.reply else { return .image(id, nil) }
    if unsafe reply.pointee.length == 0 {
      unsafe free(reply)
      return .image(id, .shared)
    }
    return unsafe .image(id, .packed(PackedImage(reply)))
  }

  private func readAttributes(
    _ pendingReply: PendingReply, _ window: UInt32, _ requests: PendingReply.AttributeRequests
  ) -> XReply? {
    guard let last = unsafe poll(requests.opacity, as: xcb_get_property_reply_t.self) else {
      return nil
    }
    // The other requests were made before it, so their replies have arrived.
    let geometry = unsafe poll(requests.geometry, as: xcb_get_geometry_reply_t.self)?.reply
    let kind = unsafe poll(requests.attributes, as: xcb_get_window_attributes_reply_t.self)?.reply
    let extents = unsafe poll(requests.extents, as: xcb_shape_query_extents_reply_t.self)?.reply
    let shape = unsafe poll(requests.rectangles, as: xcb_shape_get_rectangles_reply_t.self)?.reply
    defer {
      unsafe free(last.reply)
      unsafe free(geometry)
      unsafe free(kind)
      unsafe free(extents)
      unsafe free(shape)
    }
    guard let geometry = unsafe geometry?.pointee, let kind = unsafe kind?.pointee else {
      return .attributes(window, nil)
    }
    let isShaped = unsafe (extents?.pointee.bounding_shaped ?? 0) != 0
    let attributes = unsafe WindowAttributes(
      depth: geometry.depth,
      isInputOnly: kind._class != UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
      shape: isShaped ? region(shape) : nil, opacity: word(last.reply) ?? .max)
    return .attributes(
      window,
      WindowReply(
        geometry: WindowGeometry(
          x: Int(geometry.x), y: Int(geometry.y), width: Int(geometry.width),
          height: Int(geometry.height), border: Int(geometry.border_width)),
        isMapped: kind.map_state != UInt8(XCB_MAP_STATE_UNMAPPED.rawValue),
        isOverrideRedirect: kind.override_redirect != 0, attributes: attributes))
  }

  private func region(
    _ reply: UnsafeMutablePointer<xcb_shape_get_rectangles_reply_t>?
  ) -> Region {
    guard let reply = unsafe reply else { return Region() }
    let rectangles = unsafe UnsafeBufferPointer(
      start: xcb_shape_get_rectangles_rectangles(reply),
      count: Int(xcb_shape_get_rectangles_rectangles_length(reply)))
    return unsafe Region(rectangles.map { Rect($0) })
  }

  /// The 32-bit value of a property; nil if it has none.
  private func word(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> UInt32? {
    guard let reply = unsafe reply, unsafe reply.pointee.format == 32,
      unsafe xcb_get_property_value_length(reply) >= 4,
      let value = unsafe xcb_get_property_value(reply)
    else { return nil }
    return unsafe value.loadUnaligned(as: UInt32.self)
  }

  /// The text of a property, without its last line if it was truncated.
  private func lines(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> [UInt8] {
    guard let reply = unsafe reply, unsafe reply.pointee.format == 8,
      let value = unsafe xcb_get_property_value(reply)
    else { return [] }
    let count = unsafe Int(xcb_get_property_value_length(reply))
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: value, count: count))
    let isWhole = unsafe reply.pointee.bytes_after == 0
    return isWhole ? bytes : Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)])
  }
}
