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
    unsafe expect(last: opacity.sequence, xcb_get_property_reply_t.self) { connection, opacity in
      let replies = unsafe (
        geometry: connection.arrivedReply(to: geometry, as: xcb_get_geometry_reply_t.self),
        kind: connection.arrivedReply(to: kind, as: xcb_get_window_attributes_reply_t.self),
        extents: connection.arrivedReply(to: extents, as: xcb_shape_query_extents_reply_t.self),
        shape: connection.arrivedReply(to: shape, as: xcb_shape_get_rectangles_reply_t.self),
        input: connection.arrivedReply(to: input, as: xcb_shape_get_rectangles_reply_t.self)
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
    unsafe expect(last: tree.sequence, xcb_query_tree_reply_t.self) { connection, tree in
      let values = properties.map { request -> PropertyValue? in
        let reply = unsafe connection.arrivedReply(to: request, as: xcb_get_property_reply_t.self)
        defer { unsafe free(reply) }
        return unsafe PropertyValue(reply)
      }
      let words = values.map { $0?.words ?? [] }
      return unsafe .hints(
        window,
        HintsReply(
          types: words[0], states: words[1], partialStrut: words[2], strut: words[3],
          isClient: values[4] != nil, parent: tree?.pointee.parent ?? 0, children: children(tree)))
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

  /// Requests the place of a window on the screen.
  mutating func requestPlace(of window: UInt32) {
    let geometry = unsafe xcb_get_geometry(raw, window).sequence
    let origin = unsafe xcb_translate_coordinates(raw, window, root, 0, 0)
    unsafe expect(last: origin.sequence, xcb_translate_coordinates_reply_t.self) {
      connection, origin in
      let size = unsafe connection.arrivedReply(to: geometry, as: xcb_get_geometry_reply_t.self)
      defer { unsafe free(size) }
      guard let origin = unsafe origin?.pointee, let size = unsafe size?.pointee else {
        return .place(window, nil)
      }
      return .place(
        window,
        Rect(
          x: Int(origin.dst_x), y: Int(origin.dst_y), width: Int(size.width),
          height: Int(size.height)))
    }
  }
}

/// The windows in a window, the lowest first; none if it does not exist.
func children(_ reply: UnsafeMutablePointer<xcb_query_tree_reply_t>?) -> [UInt32] {
  guard let reply = unsafe reply else { return [] }
  return unsafe Array(
    UnsafeBufferPointer(
      start: xcb_query_tree_children(reply), count: Int(xcb_query_tree_children_length(reply))))
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

/// The state of a window that events do not contain.
struct WindowReply: Equatable, Sendable {
  var geometry: WindowGeometry
  var isMapped: Bool
  var isOverrideRedirect: Bool
  var attributes: WindowAttributes
}

/// The properties of a window that determine its class and the space that it reserves, and its children. Empty if it no longer exists.
struct HintsReply: Equatable, Sendable {
  /// The atoms in `_NET_WM_WINDOW_TYPE` and `_NET_WM_STATE`.
  var types, states: [UInt32]
  /// The numbers in `_NET_WM_STRUT_PARTIAL` and `_NET_WM_STRUT`.
  var partialStrut, strut: [UInt32]
  /// Whether a window manager manages it.
  var isClient: Bool
  /// The window that it is in; 0 if it no longer exists.
  var parent: UInt32
  /// Its children, the lowest first.
  var children: [UInt32]
}

/// The attributes of a window that affect its pixels.
struct WindowAttributes: Equatable, Sendable {
  var depth: UInt8 = 24
  /// An input-only window shows nothing.
  var isInputOnly = false
  /// The bounding shape in the coordinates of the window; nil if it is rectangular.
  var shape: Region?
  /// The part that takes input, in the coordinates of the window; nil if all of it does.
  var inputShape: Region?
  /// `_NET_WM_WINDOW_OPACITY`, 0 to 0xffffffff.
  var opacity = UInt32.max
}

extension WindowReply {
  /// `shape` is nil if the window is rectangular.
  fileprivate init(
    _ geometry: xcb_get_geometry_reply_t, _ kind: xcb_get_window_attributes_reply_t,
    _ shape: Region?, input: Region, _ opacity: UnsafeMutablePointer<xcb_get_property_reply_t>?
  ) {
    let size = Rect(x: 0, y: 0, width: Int(geometry.width), height: Int(geometry.height))
    self.init(
      geometry: WindowGeometry(
        x: Int(geometry.x), y: Int(geometry.y), width: size.width, height: size.height,
        border: Int(geometry.border_width)),
      isMapped: kind.map_state != UInt8(XCB_MAP_STATE_UNMAPPED.rawValue),
      isOverrideRedirect: kind.override_redirect != 0,
      attributes: unsafe WindowAttributes(
        depth: geometry.depth,
        isInputOnly: kind._class != UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
        shape: shape, inputShape: input.contains(size) ? nil : input,
        opacity: propertyWords(opacity).first ?? .max))
  }
}
