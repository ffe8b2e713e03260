// The interfaces of wayland.xml for input. Newer versions only add events that are not used.

extension InterfaceTable {
  static let seat = InterfaceTable("wl_seat", 5, SeatRequest.self, SeatEvent.self)
  static let pointer = InterfaceTable("wl_pointer", 5, PointerRequest.self, PointerEvent.self)
  static let keyboard = InterfaceTable("wl_keyboard", 5, KeyboardRequest.self, KeyboardEvent.self)
  static let touch = InterfaceTable("wl_touch", 5, TouchRequest.self, TouchEvent.self)
}

enum SeatRequest: Int, MessageSet {
  case getPointer, getKeyboard, getTouch, release
  var message: Message {
    switch self {
    case .getPointer: Message("get_pointer", "n", "wl_pointer")
    case .getKeyboard: Message("get_keyboard", "n", "wl_keyboard")
    case .getTouch: Message("get_touch", "n", "wl_touch")
    case .release: Message("release", "5")
    }
  }
}

enum SeatEvent: Int, MessageSet {
  case capabilities, name
  var message: Message {
    switch self {
    case .capabilities: Message("capabilities", "u")
    case .name: Message("name", "2s")
    }
  }
}

enum PointerRequest: Int, MessageSet {
  case setCursor, release
  var message: Message {
    switch self {
    case .setCursor: Message("set_cursor", "u?oii", "wl_surface")
    case .release: Message("release", "3")
    }
  }
}

enum PointerEvent: Int, MessageSet {
  case enter, leave, motion, button, axis, frame, axisSource, axisStop, axisDiscrete
  var message: Message {
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

enum KeyboardRequest: Int, MessageSet {
  case release
  var message: Message { Message("release", "3") }
}

enum KeyboardEvent: Int, MessageSet {
  case keymap, enter, leave, key, modifiers, repeatInfo
  var message: Message {
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

enum TouchRequest: Int, MessageSet {
  case release
  var message: Message { Message("release", "3") }
}

enum TouchEvent: Int, MessageSet {
  case down, up, motion, frame, cancel
  var message: Message {
    switch self {
    case .down: Message("down", "uuoiff", "wl_surface")
    case .up: Message("up", "uui")
    case .motion: Message("motion", "uiff")
    case .frame: Message("frame")
    case .cancel: Message("cancel")
    }
  }
}
