import CXCB
import Engine

/// The pointer, fingers and the keyboard: requests of the X Input Extension 2.2 and of the core protocol.
extension XConnection {
  /// Reports presses of the first button and touches on a window, and all that follows until their ends. Without the
  /// extension nothing is reported.
  ///
  /// Grabs, unlike selected events, report moves only while a button is pressed, so a pointer that moves over a drawer
  /// does not wake the daemon.
  mutating func grabContacts(_ window: UInt32) {
    if extensions.input == nil { return }
    let buttonEvents =
      XCB_INPUT_XI_EVENT_MASK_BUTTON_PRESS.rawValue
      | XCB_INPUT_XI_EVENT_MASK_BUTTON_RELEASE.rawValue | XCB_INPUT_XI_EVENT_MASK_MOTION.rawValue
    let touchEvents =
      XCB_INPUT_XI_EVENT_MASK_TOUCH_BEGIN.rawValue | XCB_INPUT_XI_EVENT_MASK_TOUCH_UPDATE.rawValue
      | XCB_INPUT_XI_EVENT_MASK_TOUCH_END.rawValue
    grab(
      window, XCB_INPUT_GRAB_TYPE_BUTTON, detail: 1, mode: XCB_INPUT_GRAB_MODE_22_ASYNC,
      buttonEvents)
    grab(
      window, XCB_INPUT_GRAB_TYPE_TOUCH_BEGIN, detail: 0, mode: XCB_INPUT_GRAB_MODE_22_TOUCH,
      touchEvents)
  }

  private mutating func grab(
    _ window: UInt32, _ kind: xcb_input_grab_type_t, detail: UInt32,
    mode: xcb_input_grab_mode_22_t, _ events: UInt32
  ) {
    let cookie = unsafe xcb_input_xi_passive_grab_device(
      raw, 0, window, 0, detail, Self.masterDevices, 1, 1, UInt8(kind.rawValue),
      UInt8(mode.rawValue), UInt8(XCB_INPUT_GRAB_MODE_22_ASYNC.rawValue), 0, [events],
      [Self.anyModifier])
    unsafe expect(cookie.sequence, xcb_input_xi_passive_grab_device_reply_t.self) { _ in
      .contactGrab
    }
  }

  /// Ends the reports of `grabContacts`.
  mutating func ungrabContacts(_ window: UInt32) {
    if extensions.input == nil { return }
    for (kind, detail) in [
      (XCB_INPUT_GRAB_TYPE_BUTTON, 1), (XCB_INPUT_GRAB_TYPE_TOUCH_BEGIN, 0),
    ] {
      let cookie = unsafe xcb_input_xi_passive_ungrab_device(
        raw, window, UInt32(detail), Self.masterDevices, 1, UInt8(kind.rawValue),
        [Self.anyModifier])
      record(cookie, .ungrabContacts, about: window)
    }
  }

  /// Takes a touch that began on a window with a grab, so that its end is reported too.
  mutating func acceptTouch(_ touch: XTouch) {
    let cookie = unsafe xcb_input_xi_allow_events(
      raw, 0, touch.device, UInt8(XCB_INPUT_EVENT_MODE_ACCEPT_TOUCH.rawValue), touch.number,
      touch.window)
    record(cookie, .acceptTouch, about: touch.window)
  }

  private static var masterDevices: UInt16 { UInt16(XCB_INPUT_DEVICE_ALL_MASTER.rawValue) }
  private static var anyModifier: UInt32 { 1 << 31 }

  // MARK: Keyboard

  /// Requests the window that has the keyboard, for an overlay that will get it at a time.
  mutating func requestFocus(for overlay: OverlayID, time: UInt32) {
    let cookie = unsafe xcb_get_input_focus(raw)
    unsafe expect(cookie.sequence, xcb_get_input_focus_reply_t.self) {
      unsafe .focus(overlay, time: time, current: $0?.pointee.focus ?? 0)
    }
  }

  /// Gives a window the keyboard; without a time at once.
  mutating func setFocus(_ window: UInt32, time: UInt32 = 0) {
    let cookie = unsafe xcb_set_input_focus(
      raw, UInt8(XCB_INPUT_FOCUS_POINTER_ROOT.rawValue), window, time)
    record(cookie, .setInputFocus, about: window)
  }

  /// Requests the meaning of a key that was pressed in a window.
  mutating func requestKeySymbol(_ key: UInt8, in window: UInt32) {
    let cookie = unsafe xcb_get_keyboard_mapping(raw, key, 1)
    unsafe expect(cookie.sequence, xcb_get_keyboard_mapping_reply_t.self) {
      unsafe .keySymbol(window, firstSymbol($0))
    }
  }

  // MARK: Events

  /// Decodes an event of the X Input Extension; nil if this module does not handle it.
  func decodeInput(_ event: UnsafeMutablePointer<xcb_generic_event_t>) -> XEvent? {
    // Events of buttons, of the pointer and of fingers have the same form.
    let input = unsafe UnsafeRawPointer(event).loadUnaligned(
      as: xcb_input_button_press_event_t.self)
    guard input.extension == extensions.input else { return nil }
    let phases: [Int32: (phase: Contact.Phase, isTouch: Bool)] = [
      XCB_INPUT_BUTTON_PRESS: (.began, false), XCB_INPUT_MOTION: (.moved, false),
      XCB_INPUT_BUTTON_RELEASE: (.ended, false), XCB_INPUT_TOUCH_BEGIN: (.began, true),
      XCB_INPUT_TOUCH_UPDATE: (.moved, true), XCB_INPUT_TOUCH_END: (.ended, true),
    ]
    guard let (phase, isTouch) = phases[Int32(input.event_type)] else { return nil }
    // The grab of the first button reports the others as well.
    if !isTouch, phase != .moved, input.detail != 1 { return nil }
    let contact = Contact(
      isTouch ? .finger(input.detail) : .pointer, phase, x: Double(input.root_x) / 65536,
      y: Double(input.root_y) / 65536, time: input.time)
    return .contact(input.event, contact, device: input.deviceid)
  }
}

/// The first symbol of a key; nil if the request failed.
private func firstSymbol(
  _ reply: UnsafeMutablePointer<xcb_get_keyboard_mapping_reply_t>?
) -> UInt32? {
  guard let reply = unsafe reply, unsafe xcb_get_keyboard_mapping_keysyms_length(reply) > 0
  else { return nil }
  return unsafe xcb_get_keyboard_mapping_keysyms(reply)?.pointee
}

/// A touch on a window with a grab.
struct XTouch: Equatable {
  let window: UInt32
  let device: UInt16
  let number: UInt32
}
