// Interfaces that only tests use: of wlr-virtual-pointer-unstable-v1.xml, virtual-keyboard-unstable-v1.xml, xdg-shell.xml and
// ext-session-lock-v1.xml.

import TestSupport
import WaylandClient

extension InterfaceTable {
  /// The protocols of which Debian has an XML file.
  static let describedTests = [
    virtualPointerManager, virtualPointer, windowBase, windowSurface, window,
  ]
  static let virtualPointerManager = InterfaceTable(
    "zwlr_virtual_pointer_manager_v1", 1, VirtualPointerManagerRequest.self)
  static let virtualPointer = InterfaceTable(
    "zwlr_virtual_pointer_v1", 1, VirtualPointerRequest.self)
  static let virtualKeyboardManager = InterfaceTable(
    "zwp_virtual_keyboard_manager_v1", 1, VirtualKeyboardManagerRequest.self)
  static let virtualKeyboard = InterfaceTable(
    "zwp_virtual_keyboard_v1", 1, VirtualKeyboardRequest.self)
  static let sessionLockManager = InterfaceTable(
    "ext_session_lock_manager_v1", 1, SessionLockManagerRequest.self)
  static let sessionLock = InterfaceTable(
    "ext_session_lock_v1", 1, SessionLockRequest.self, SessionLockEvent.self)
  static let sessionLockSurface = InterfaceTable(
    "ext_session_lock_surface_v1", 1, SessionLockSurfaceRequest.self,
    SessionLockSurfaceEvent.self)
  static let windowBase = InterfaceTable(
    "xdg_wm_base", 1, WindowBaseRequest.self, WindowBaseEvent.self)
  static let windowSurface = InterfaceTable(
    "xdg_surface", 1, WindowSurfaceRequest.self, WindowSurfaceEvent.self)
  static let window = InterfaceTable("xdg_toplevel", 1, WindowRequest.self, WindowEvent.self)
}

extension CInterfaces {
  static let forTests = CInterfaces(
    InterfaceTable.all + InterfaceTable.describedTests
      + [
        .virtualKeyboardManager, .virtualKeyboard, .sessionLockManager, .sessionLock,
        .sessionLockSurface,
      ])
}

extension CompositorClient {
  /// A client that may use all interfaces of the tests.
  init(_ server: WaylandServer) throws { try self.init(server, .forTests) }
}

enum VirtualPointerManagerRequest: Int, MessageSet {
  case createVirtualPointer, destroy
  var message: Message {
    switch self {
    case .createVirtualPointer:
      Message("create_virtual_pointer", "?on", "wl_seat", "zwlr_virtual_pointer_v1")
    case .destroy: Message("destroy")
    }
  }
}

enum VirtualPointerRequest: Int, MessageSet {
  case motion, motionAbsolute, button, axis, frame, axisSource, axisStop, axisDiscrete, destroy
  var message: Message {
    switch self {
    case .motion: Message("motion", "uff")
    case .motionAbsolute: Message("motion_absolute", "uuuuu")
    case .button: Message("button", "uuu")
    case .axis: Message("axis", "uuf")
    case .frame: Message("frame")
    case .axisSource: Message("axis_source", "u")
    case .axisStop: Message("axis_stop", "uu")
    case .axisDiscrete: Message("axis_discrete", "uufi")
    case .destroy: Message("destroy")
    }
  }
}

enum VirtualKeyboardManagerRequest: Int, MessageSet {
  case createVirtualKeyboard
  var message: Message {
    Message("create_virtual_keyboard", "on", "wl_seat", "zwp_virtual_keyboard_v1")
  }
}

enum VirtualKeyboardRequest: Int, MessageSet {
  case keymap, key, modifiers, destroy
  var message: Message {
    switch self {
    case .keymap: Message("keymap", "uhu")
    case .key: Message("key", "uuu")
    case .modifiers: Message("modifiers", "uuuu")
    case .destroy: Message("destroy")
    }
  }
}

enum WindowBaseRequest: Int, MessageSet {
  case destroy, createPositioner, getSurface, pong
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .createPositioner: Message("create_positioner", "n", "xdg_positioner")
    case .getSurface: Message("get_xdg_surface", "no", "xdg_surface", "wl_surface")
    case .pong: Message("pong", "u")
    }
  }
}

enum WindowBaseEvent: Int, MessageSet {
  case ping
  var message: Message { Message("ping", "u") }
}

enum WindowSurfaceRequest: Int, MessageSet {
  case destroy, getToplevel, getPopup, setWindowGeometry, ackConfigure
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getToplevel: Message("get_toplevel", "n", "xdg_toplevel")
    case .getPopup:
      Message("get_popup", "n?oo", "xdg_popup", "xdg_surface", "xdg_positioner")
    case .setWindowGeometry: Message("set_window_geometry", "iiii")
    case .ackConfigure: Message("ack_configure", "u")
    }
  }
}

enum WindowSurfaceEvent: Int, MessageSet {
  case configure
  var message: Message { Message("configure", "u") }
}

enum WindowRequest: Int, MessageSet {
  case destroy, setParent, setTitle, setAppID, showWindowMenu, move, resize, setMaxSize
  case setMinSize, setMaximized, unsetMaximized, setFullscreen, unsetFullscreen, setMinimized
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .setParent: Message("set_parent", "?o", "xdg_toplevel")
    case .setTitle: Message("set_title", "s")
    case .setAppID: Message("set_app_id", "s")
    case .showWindowMenu: Message("show_window_menu", "ouii", "wl_seat")
    case .move: Message("move", "ou", "wl_seat")
    case .resize: Message("resize", "ouu", "wl_seat")
    case .setMaxSize: Message("set_max_size", "ii")
    case .setMinSize: Message("set_min_size", "ii")
    case .setMaximized: Message("set_maximized")
    case .unsetMaximized: Message("unset_maximized")
    case .setFullscreen: Message("set_fullscreen", "?o", "wl_output")
    case .unsetFullscreen: Message("unset_fullscreen")
    case .setMinimized: Message("set_minimized")
    }
  }
}

enum WindowEvent: Int, MessageSet {
  case configure, close
  var message: Message {
    switch self {
    case .configure: Message("configure", "iia")
    case .close: Message("close")
    }
  }
}

enum SessionLockManagerRequest: Int, MessageSet {
  case destroy, lock
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .lock: Message("lock", "n", "ext_session_lock_v1")
    }
  }
}

enum SessionLockRequest: Int, MessageSet {
  case destroy, getLockSurface, unlockAndDestroy
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getLockSurface:
      Message(
        "get_lock_surface", "noo", "ext_session_lock_surface_v1", "wl_surface", "wl_output")
    case .unlockAndDestroy: Message("unlock_and_destroy")
    }
  }
}

enum SessionLockEvent: Int, MessageSet {
  case locked, finished
  var message: Message {
    switch self {
    case .locked: Message("locked")
    case .finished: Message("finished")
    }
  }
}

enum SessionLockSurfaceRequest: Int, MessageSet {
  case destroy, ackConfigure
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .ackConfigure: Message("ack_configure", "u")
    }
  }
}

enum SessionLockSurfaceEvent: Int, MessageSet {
  case configure
  var message: Message { Message("configure", "uuu") }
}
