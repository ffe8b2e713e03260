// The interfaces of wayland.xml for input. Newer versions only add events that are not used.

extension InterfaceTable {
  /// A group of input devices.
  package static let seat = InterfaceTable("wl_seat", 5, SeatRequest.self, SeatEvent.self)
  /// The pointer of a seat.
  package static let pointer = InterfaceTable(
    "wl_pointer", 5, PointerRequest.self, PointerEvent.self)
  /// The keyboard of a seat.
  package static let keyboard = InterfaceTable(
    "wl_keyboard", 5, KeyboardRequest.self, KeyboardEvent.self)
  /// The touch screen of a seat.
  package static let touch = InterfaceTable("wl_touch", 5, TouchRequest.self, TouchEvent.self)
}

/// The requests of `wl_seat`.
package enum SeatRequest: Int, MessageSet {
  case getPointer, getKeyboard, getTouch, release
  package var message: Message {
    switch self {
    case .getPointer: Message("get_pointer", "n", "wl_pointer")
    case .getKeyboard: Message("get_keyboard", "n", "wl_keyboard")
    case .getTouch: Message("get_touch", "n", "wl_touch")
    case .release: Message("release", "5")
    }
  }
}

/// The events of `wl_seat`.
package enum SeatEvent: Int, MessageSet {
  case capabilities, name
  package var message: Message {
    switch self {
    case .capabilities: Message("capabilities", "u")
    case .name: Message("name", "2s")
    }
  }
}

/// The requests of `wl_pointer`.
package enum PointerRequest: Int, MessageSet {
  case setCursor, release
  package var message: Message {
    switch self {
    case .setCursor: Message("set_cursor", "u?oii", "wl_surface")
    case .release: Message("release", "3")
    }
  }
}

/// The events of `wl_pointer`.
package enum PointerEvent: Int, MessageSet {
  case enter, leave, motion, button, axis, frame, axisSource, axisStop, axisDiscrete
  package var message: Message {
    switch self {
    case .enter: Message("enter", "uoff", "wl_surface")
    case .leave: Message("leave", "uo", "wl_surface")
    case .motion: Message("motion", "uff")
    case .button: Message("button", "uuuu")
    case .axis: Message("axis", "uuf")
    case .frame: Message("frame", "5")
    case .axisSource: Message("axis_source", "5u")
    case .axisStop: Message("axis_stop", "5uu")
    case .axisDiscrete: Message("axis_discrete", "5ui")
    }
  }
}

/// The requests of `wl_keyboard`.
package enum KeyboardRequest: Int, MessageSet {
  case release
  package var message: Message { Message("release", "3") }
}

/// The events of `wl_keyboard`.
package enum KeyboardEvent: Int, MessageSet {
  case keymap, enter, leave, key, modifiers, repeatInfo
  package var message: Message {
    switch self {
    case .keymap: Message("keymap", "uhu")
    case .enter: Message("enter", "uoa", "wl_surface")
    case .leave: Message("leave", "uo", "wl_surface")
    case .key: Message("key", "uuuu")
    case .modifiers: Message("modifiers", "uuuuu")
    case .repeatInfo: Message("repeat_info", "4ii")
    }
  }
}

/// The requests of `wl_touch`.
package enum TouchRequest: Int, MessageSet {
  case release
  package var message: Message { Message("release", "3") }
}

/// The events of `wl_touch`.
package enum TouchEvent: Int, MessageSet {
  case down, up, motion, frame, cancel
  package var message: Message {
    switch self {
    case .down: Message("down", "uuoiff", "wl_surface")
    case .up: Message("up", "uui")
    case .motion: Message("motion", "uiff")
    case .frame: Message("frame")
    case .cancel: Message("cancel")
    }
  }
}
