import CXCB
import Raster

/// The state of a window that events do not contain.
struct WindowReply: Equatable, Sendable {
  var geometry: WindowGeometry
  var isMapped: Bool
  var isOverrideRedirect: Bool
  var attributes: WindowAttributes
}

/// The properties of a window that determine its class and the space that it reserves, and its children. All are empty if the
/// window no longer exists.
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

/// Where a window is: on the screen, and among the windows.
struct WindowPlace: Equatable, Sendable {
  /// Its rectangle on the screen, without its border.
  var rect: Rect
  /// The window that it is in, and its geometry there.
  var parent: UInt32
  var geometry: WindowGeometry
  var depth: UInt8
  var isMapped: Bool
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
  init(
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

/// The windows in a window, the lowest first; none if it does not exist.
func childWindows(_ reply: UnsafeMutablePointer<xcb_query_tree_reply_t>?) -> [UInt32] {
  guard let reply = unsafe reply else { return [] }
  return unsafe Array(
    UnsafeBufferPointer(
      start: xcb_query_tree_children(reply), count: Int(xcb_query_tree_children_length(reply))))
}
