import CXCB
import Glibc
import Raster

// Requests about windows of other clients.
extension XConnection {
  /// Requests the geometry, the attributes, the shapes and the opacity of a window.
  mutating func requestAttributes(_ window: UInt32, opacityAtom: UInt32) {
    let geometry = unsafe xcb_get_geometry(raw, window).sequence
    let kind = unsafe xcb_get_window_attributes(raw, window).sequence
    let extents = unsafe xcb_shape_query_extents(raw, window).sequence
    let shape = shapeRequest(window, XCB_SHAPE_SK_BOUNDING)
    let input = shapeRequest(window, XCB_SHAPE_SK_INPUT)
    let opacity = unsafe xcb_get_property(
      raw, 0, window, opacityAtom, XCB_ATOM_CARDINAL.rawValue, 0, 1)
    unsafe expect(last: opacity.sequence, xcb_get_property_reply_t.self) { arrived, opacity in
      let replies = unsafe (
        geometry: arrived.reply(to: geometry, as: xcb_get_geometry_reply_t.self),
        kind: arrived.reply(to: kind, as: xcb_get_window_attributes_reply_t.self),
        extents: arrived.reply(to: extents, as: xcb_shape_query_extents_reply_t.self),
        shape: arrived.reply(to: shape, as: xcb_shape_get_rectangles_reply_t.self),
        input: arrived.reply(to: input, as: xcb_shape_get_rectangles_reply_t.self)
      )
      defer {
        unsafe free(replies.geometry)
        unsafe free(replies.kind)
        unsafe free(replies.extents)
        unsafe free(replies.shape)
        unsafe free(replies.input)
      }
      guard let geometry = unsafe replies.geometry?.pointee, let kind = unsafe replies.kind?.pointee
      else { return .attributes(window, nil) }
      let isShaped = unsafe (replies.extents?.pointee.bounding_shaped ?? 0) != 0
      let shape = unsafe isShaped ? Region(replies.shape) : nil
      return unsafe .attributes(
        window, WindowReply(geometry, kind, shape, input: Region(replies.input), opacity))
    }
  }

  private func shapeRequest(_ window: UInt32, _ kind: xcb_shape_sk_t) -> RequestSequence {
    unsafe xcb_shape_get_rectangles(raw, window, UInt8(kind.rawValue)).sequence
  }

  /// Requests the opacity of a window.
  mutating func requestOpacity(_ window: UInt32, atom: UInt32) {
    let cookie = unsafe xcb_get_property(raw, 0, window, atom, XCB_ATOM_CARDINAL.rawValue, 0, 1)
    unsafe expect(cookie.sequence, xcb_get_property_reply_t.self) {
      unsafe .opacity(window, propertyWords($0).first)
    }
  }

  /// Requests the properties that determine the class of a window, and its children.
  mutating func requestHints(_ window: UInt32, _ atoms: HintAtoms) {
    func property(_ atom: UInt32, _ type: UInt32, _ length: UInt32) -> RequestSequence {
      unsafe xcb_get_property(raw, 0, window, atom, type, 0, length).sequence
    }
    let properties = [
      property(atoms.windowType, XCB_ATOM_ATOM.rawValue, 16),
      property(atoms.state, XCB_ATOM_ATOM.rawValue, 32),
      property(atoms.partialStrut, XCB_ATOM_CARDINAL.rawValue, 12),
      property(atoms.strut, XCB_ATOM_CARDINAL.rawValue, 4),
      property(atoms.clientState, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 1),
    ]
    let tree = unsafe xcb_query_tree(raw, window)
    unsafe expect(last: tree.sequence, xcb_query_tree_reply_t.self) { arrived, tree in
      let values = properties.map { request -> PropertyValue? in
        let reply = unsafe arrived.reply(to: request, as: xcb_get_property_reply_t.self)
        defer { unsafe free(reply) }
        return unsafe PropertyValue(reply)
      }
      let words = values.map { $0?.words ?? [] }
      return unsafe .hints(
        window,
        HintsReply(
          types: words[0], states: words[1], partialStrut: words[2], strut: words[3],
          isClient: values[4] != nil, parent: tree?.pointee.parent ?? 0,
          children: childWindows(tree)))
    }
  }

  /// Requests a property of any type, at most `byteCount` bytes of it.
  mutating func requestProperty(_ atom: UInt32, of window: UInt32, upTo byteCount: Int) {
    let cookie = unsafe xcb_get_property(
      raw, 0, window, atom, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0, UInt32(byteCount / 4))
    unsafe expect(cookie.sequence, xcb_get_property_reply_t.self) {
      unsafe .property(window, atom: atom, PropertyValue($0))
    }
  }

  /// Requests the place of a window.
  mutating func requestPlace(of window: UInt32) {
    let geometry = unsafe xcb_get_geometry(raw, window).sequence
    let kind = unsafe xcb_get_window_attributes(raw, window).sequence
    let tree = unsafe xcb_query_tree(raw, window).sequence
    let origin = unsafe xcb_translate_coordinates(raw, window, root, 0, 0)
    unsafe expect(last: origin.sequence, xcb_translate_coordinates_reply_t.self) {
      arrived, origin in
      let replies = unsafe (
        geometry: arrived.reply(to: geometry, as: xcb_get_geometry_reply_t.self),
        kind: arrived.reply(to: kind, as: xcb_get_window_attributes_reply_t.self),
        tree: arrived.reply(to: tree, as: xcb_query_tree_reply_t.self)
      )
      defer {
        unsafe free(replies.geometry)
        unsafe free(replies.kind)
        unsafe free(replies.tree)
      }
      guard let origin = unsafe origin?.pointee, let geometry = unsafe replies.geometry?.pointee,
        let kind = unsafe replies.kind?.pointee, let tree = unsafe replies.tree?.pointee
      else { return .place(window, nil) }
      return .place(window, WindowPlace(geometry, kind, parent: tree.parent, origin))
    }
  }
}

extension WindowPlace {
  fileprivate init(
    _ geometry: xcb_get_geometry_reply_t, _ kind: xcb_get_window_attributes_reply_t,
    parent: UInt32, _ origin: xcb_translate_coordinates_reply_t
  ) {
    let own = WindowGeometry(
      x: Int(geometry.x), y: Int(geometry.y), width: Int(geometry.width),
      height: Int(geometry.height), border: Int(geometry.border_width))
    self.init(
      rect: Rect(
        x: Int(origin.dst_x), y: Int(origin.dst_y), width: own.width, height: own.height),
      parent: parent, geometry: own, depth: geometry.depth,
      isMapped: kind.map_state != UInt8(XCB_MAP_STATE_UNMAPPED.rawValue))
  }
}

extension Region {
  /// The rectangles of a shape; empty if the window does not exist.
  fileprivate init(_ reply: UnsafeMutablePointer<xcb_shape_get_rectangles_reply_t>?) {
    self.init()
    guard let reply = unsafe reply else { return }
    let rectangles = unsafe UnsafeBufferPointer(
      start: xcb_shape_get_rectangles_rectangles(reply),
      count: Int(xcb_shape_get_rectangles_rectangles_length(reply)))
    unsafe self = Region(rectangles.map { Rect($0) })
  }
}
