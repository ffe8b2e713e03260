import CXCB
import Desktop
import Glibc
import Raster

/// Where a window is, as events and answers tell it: without its border.
struct WindowGeometry: Equatable, Sendable {
  /// The corner of the border, in the root's coordinates.
  var x, y: Int
  /// Of the inside.
  var width, height: Int
  var border: Int

  /// What it covers on the root, border included.
  var outer: Rect { Rect(x: x, y: y, width: width + 2 * border, height: height + 2 * border) }
  /// Where the window's own (0, 0) is.
  var origin: (x: Int, y: Int) { (x + border, y + border) }
}

/// The events that this room acts on.
enum XEvent: Equatable {
  case created(UInt32, WindowGeometry)
  case destroyed(UInt32)
  case mapped(UInt32)
  case unmapped(UInt32)
  /// `above` is the sibling right below the window, 0 when there is none.
  case configured(UInt32, WindowGeometry, above: UInt32)
  case circulated(UInt32, isOnTop: Bool)
  case reparented(UInt32, parent: UInt32, x: Int, y: Int)
  case property(UInt32, name: UInt32)
  /// In the window's coordinates.
  case damaged(UInt32, Rect)
  case shaped(UInt32)
  case exposed(UInt32, Rect)
  /// Whether a window can be seen in full.
  case visibility(UInt32, isFull: Bool)
  /// The server has read a shared segment.
  case completed(segment: UInt32)
  case selectionOwner(selection: UInt32, owner: UInt32)
  /// Somebody else owns it now.
  case lostSelection(UInt32)
  case failed(code: UInt8, request: UInt8, resource: UInt32)
}

extension XConnection {
  /// The next event that is there already, or nil. Kinds that nobody asked for are passed over, and
  /// what a client has made up: one that withdraws its window tells the root that it is unmapped.
  func nextEvent() throws(DesktopError) -> XEvent? {
    while let raw = unsafe xcb_poll_for_event(raw) {
      defer { unsafe free(raw) }
      if let event = unsafe decode(raw) { return event }
    }
    try check()
    return nil
  }

  private func decode(_ event: UnsafeMutablePointer<xcb_generic_event_t>) -> XEvent? {
    let kind = unsafe event.pointee.response_type
    switch kind {
    case 0:
      return unsafe view(event, as: xcb_generic_error_t.self) {
        .failed(code: $0.error_code, request: $0.major_code, resource: $0.resource_id)
      }
    case damageEvents:
      return unsafe view(event, as: xcb_damage_notify_event_t.self) {
        .damaged($0.drawable, Rect($0.area))
      }
    case shapeEvents:
      return unsafe view(event, as: xcb_shape_notify_event_t.self) {
        $0.shape_kind == UInt8(XCB_SHAPE_SK_BOUNDING.rawValue) ? .shaped($0.affected_window) : nil
      }
    case shmEvents where hasSharedMemory:
      return unsafe view(event, as: xcb_shm_completion_event_t.self) {
        .completed(segment: $0.shmseg)
      }
    case fixesEvents:
      return unsafe view(event, as: xcb_xfixes_selection_notify_event_t.self) {
        .selectionOwner(selection: $0.selection, owner: $0.owner)
      }
    default:
      return unsafe decodeCore(event, kind)
    }
  }

  private func decodeCore(
    _ event: UnsafeMutablePointer<xcb_generic_event_t>, _ kind: UInt8
  ) -> XEvent? {
    switch Int32(kind) {
    case XCB_CREATE_NOTIFY:
      unsafe view(event, as: xcb_create_notify_event_t.self) {
        .created(
          $0.window,
          WindowGeometry(
            x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height),
            border: Int($0.border_width)))
      }
    case XCB_DESTROY_NOTIFY:
      unsafe view(event, as: xcb_destroy_notify_event_t.self) { .destroyed($0.window) }
    case XCB_MAP_NOTIFY:
      unsafe view(event, as: xcb_map_notify_event_t.self) { .mapped($0.window) }
    case XCB_UNMAP_NOTIFY:
      unsafe view(event, as: xcb_unmap_notify_event_t.self) { .unmapped($0.window) }
    case XCB_CONFIGURE_NOTIFY:
      unsafe view(event, as: xcb_configure_notify_event_t.self) {
        .configured(
          $0.window,
          WindowGeometry(
            x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height),
            border: Int($0.border_width)), above: $0.above_sibling)
      }
    case XCB_CIRCULATE_NOTIFY:
      unsafe view(event, as: xcb_circulate_notify_event_t.self) {
        .circulated($0.window, isOnTop: $0.place == UInt8(XCB_PLACE_ON_TOP.rawValue))
      }
    case XCB_REPARENT_NOTIFY:
      unsafe view(event, as: xcb_reparent_notify_event_t.self) {
        .reparented($0.window, parent: $0.parent, x: Int($0.x), y: Int($0.y))
      }
    case XCB_PROPERTY_NOTIFY:
      unsafe view(event, as: xcb_property_notify_event_t.self) {
        .property($0.window, name: $0.atom)
      }
    case XCB_SELECTION_CLEAR:
      unsafe view(event, as: xcb_selection_clear_event_t.self) { .lostSelection($0.selection) }
    case XCB_EXPOSE:
      unsafe view(event, as: xcb_expose_event_t.self) {
        .exposed(
          $0.window,
          Rect(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height)))
      }
    case XCB_VISIBILITY_NOTIFY:
      unsafe view(event, as: xcb_visibility_notify_event_t.self) {
        .visibility($0.window, isFull: $0.state == UInt8(XCB_VISIBILITY_UNOBSCURED.rawValue))
      }
    default:
      nil
    }
  }

  /// An event as the structure that its number says it is.
  private func view<Event>(
    _ event: UnsafeMutablePointer<xcb_generic_event_t>, as: Event.Type,
    _ body: (Event) -> XEvent?
  ) -> XEvent? {
    unsafe body(UnsafeRawPointer(event).loadUnaligned(as: Event.self))
  }
}

extension Rect {
  init(_ rect: xcb_rectangle_t) {
    self.init(x: Int(rect.x), y: Int(rect.y), width: Int(rect.width), height: Int(rect.height))
  }
}
