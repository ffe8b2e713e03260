import CXCB
import Engine
import Raster

/// The geometry of a window in the form of the X protocol. The size does not include the border.
struct WindowGeometry: Equatable, Sendable {
  /// The outer corner of the border, in the coordinates of the root.
  var x, y: Int
  /// The size without the border.
  var width, height: Int
  var border: Int

  /// The rectangle on the root, including the border.
  var outer: Rect { Rect(x: x, y: y, width: width + 2 * border, height: height + 2 * border) }
  /// The position of the window's origin (0, 0) on the root.
  var origin: (x: Int, y: Int) { (x + border, y + border) }
}

/// The events that this module handles.
enum XEvent: Equatable {
  case created(UInt32, WindowGeometry, isOverrideRedirect: Bool)
  case destroyed(UInt32)
  case mapped(UInt32, isOverrideRedirect: Bool)
  case unmapped(UInt32)
  /// `above` is the sibling directly below the window; 0 if there is none.
  case configured(UInt32, WindowGeometry, above: UInt32)
  case circulated(UInt32, isOnTop: Bool)
  case reparented(UInt32, parent: UInt32, x: Int, y: Int, isOverrideRedirect: Bool)
  case property(UInt32, atom: UInt32)
  /// A damage object has reported a rectangle, in the coordinates of the window.
  case damaged(UInt32, Rect, by: UInt32)
  case shaped(UInt32)
  case exposed(UInt32, Rect)
  /// Whether a window is fully visible.
  case visibility(UInt32, isFull: Bool)
  /// The server has read the shared pixels of the request whose number the event has.
  case completed
  case selectionOwner(selection: UInt32, owner: UInt32)
  case screenSaver(ScreenSaverState)
  /// The monitors have changed.
  case monitorsChanged
  /// A press or touch on a window with a grab, or what followed it.
  case contact(UInt32, Contact, device: UInt16)
  /// The modifiers are those of the core protocol.
  case keyPressed(UInt32, key: UInt8, modifiers: UInt16)
  /// A button of the pointer, at a place on the screen.
  case button(UInt8, isPressed: Bool, x: Int, y: Int)
  /// The pointer, which this client has grabbed, is at another place on the screen.
  case pointerMoved(x: Int, y: Int)
  /// A window got or lost the keyboard.
  case focus(UInt32, isOn: Bool)
  /// A client has grabbed the keyboard, or released it.
  case keyboardGrab
  /// Another client owns the selection now.
  case lostSelection(UInt32)
}

extension XConnection {
  /// Decodes an event; nil if this module does not handle it.
  func decode(_ event: UnsafeMutablePointer<xcb_generic_event_t>) -> XEvent? {
    // The highest bit marks events from SendEvent, such as the synthetic UnmapNotify of a withdrawn
    // window (ICCCM 4.1.4). They match no case here.
    let kind = unsafe event.pointee.response_type
    switch kind {
    case extensions.damage:
      return unsafe view(event, as: xcb_damage_notify_event_t.self) {
        .damaged($0.drawable, Rect($0.area), by: $0.damage)
      }
    case extensions.shape:
      return unsafe view(event, as: xcb_shape_notify_event_t.self) {
        $0.shape_kind == UInt8(XCB_SHAPE_SK_CLIP.rawValue) ? nil : .shaped($0.affected_window)
      }
    case extensions.sharedMemory:
      return .completed
    case extensions.fixes:
      return unsafe view(event, as: xcb_xfixes_selection_notify_event_t.self) {
        .selectionOwner(selection: $0.selection, owner: $0.owner)
      }
    case extensions.randr, extensions.randr.map { $0 + UInt8(XCB_RANDR_NOTIFY) }:
      return .monitorsChanged
    case extensions.screenSaver:
      return unsafe view(event, as: xcb_screensaver_notify_event_t.self) {
        .screenSaver(ScreenSaverState(isActive: isSaverActive($0.state)))
      }
    default:
      return unsafe decodeWindowEvent(event, kind) ?? decodeOtherEvent(event, kind)
    }
  }

  private func decodeWindowEvent(
    _ event: UnsafeMutablePointer<xcb_generic_event_t>, _ kind: UInt8
  ) -> XEvent? {
    switch Int32(kind) {
    case XCB_CREATE_NOTIFY:
      unsafe view(event, as: xcb_create_notify_event_t.self) {
        .created(
          $0.window,
          WindowGeometry(
            x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height),
            border: Int($0.border_width)), isOverrideRedirect: $0.override_redirect != 0)
      }
    case XCB_DESTROY_NOTIFY:
      unsafe view(event, as: xcb_destroy_notify_event_t.self) { .destroyed($0.window) }
    case XCB_MAP_NOTIFY:
      unsafe view(event, as: xcb_map_notify_event_t.self) {
        .mapped($0.window, isOverrideRedirect: $0.override_redirect != 0)
      }
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
        .reparented(
          $0.window, parent: $0.parent, x: Int($0.x), y: Int($0.y),
          isOverrideRedirect: $0.override_redirect != 0)
      }
    default: nil
    }
  }

  private func decodeOtherEvent(
    _ event: UnsafeMutablePointer<xcb_generic_event_t>, _ kind: UInt8
  ) -> XEvent? {
    switch Int32(kind) {
    case XCB_PROPERTY_NOTIFY:
      unsafe view(event, as: xcb_property_notify_event_t.self) {
        .property($0.window, atom: $0.atom)
      }
    case XCB_SELECTION_CLEAR:
      unsafe view(event, as: xcb_selection_clear_event_t.self) { .lostSelection($0.selection) }
    case XCB_EXPOSE:
      unsafe view(event, as: xcb_expose_event_t.self) {
        .exposed(
          $0.window,
          Rect(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height)))
      }
    case XCB_GE_GENERIC:
      unsafe decodeInput(event)
    case XCB_KEY_PRESS:
      unsafe view(event, as: xcb_key_press_event_t.self) {
        .keyPressed($0.event, key: $0.detail, modifiers: $0.state)
      }
    case XCB_BUTTON_PRESS, XCB_BUTTON_RELEASE:
      unsafe view(event, as: xcb_button_press_event_t.self) {
        .button(
          $0.detail, isPressed: Int32(kind) == XCB_BUTTON_PRESS, x: Int($0.root_x),
          y: Int($0.root_y))
      }
    case XCB_MOTION_NOTIFY:
      unsafe view(event, as: xcb_motion_notify_event_t.self) {
        .pointerMoved(x: Int($0.root_x), y: Int($0.root_y))
      }
    case XCB_FOCUS_IN, XCB_FOCUS_OUT:
      unsafe view(event, as: xcb_focus_in_event_t.self) { focus in
        if focus.mode == UInt8(XCB_NOTIFY_MODE_GRAB.rawValue)
          || focus.mode == UInt8(XCB_NOTIFY_MODE_UNGRAB.rawValue)
        {
          return .keyboardGrab
        }
        // The others are about the window with the pointer.
        let isReal = focus.detail <= UInt8(XCB_NOTIFY_DETAIL_NONLINEAR_VIRTUAL.rawValue)
        return isReal ? .focus(focus.event, isOn: Int32(kind) == XCB_FOCUS_IN) : nil
      }
    case XCB_VISIBILITY_NOTIFY:
      unsafe view(event, as: xcb_visibility_notify_event_t.self) {
        .visibility($0.window, isFull: $0.state == UInt8(XCB_VISIBILITY_UNOBSCURED.rawValue))
      }
    default: nil
    }
  }

  /// Reads an event as the structure of its kind.
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
