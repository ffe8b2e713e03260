import Engine
import WaylandClient

/// A seat: a pointer, a touch screen and a keyboard that belong together. Each may come and go.
///
/// They are bound only while an overlay needs them. So a pointer that moves over panes that only swallow clicks does not
/// wake the daemon, and neither does a change of the keymap.
struct InputSeat {
  /// The name of its global.
  let id: Int
  let object: WaylandObject
  private let version: Int
  private(set) var hasPointer = false, hasTouch = false, hasKeyboard = false
  private(set) var pointer, touch: WaylandObject?
  private(set) var keyboard: InputKeyboard?

  init(id: Int, _ object: WaylandObject, version: Int) {
    (self.id, self.object, self.version) = (id, object, version)
  }

  mutating func setCapabilities(_ bits: Int) {
    (hasPointer, hasKeyboard, hasTouch) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
  }

  /// Binds what is there and needed, and releases everything else. Returns the ends of contacts that follow.
  ///
  /// No pointer image is set, so the pointer keeps the image of the surface that it was on before. Setting an image needs a
  /// cursor theme, or cursor-shape-v1, which compositors offer since 2023 and the tests cannot check.
  mutating func update(
    reportsContacts: Bool, takesKeyboard: Bool, _ connection: borrowing WaylandConnection
  ) -> [PointingEvent<WaylandObject>] {
    var lost: [PointingEvent<WaylandObject>] = []
    if Self.isOutdated(pointer, needed: hasPointer && reportsContacts) {
      if pointer != nil { lost.append(.pointerRemoved) }
      pointer = toggled(
        pointer, .pointer, by: .getPointer, releasedBy: PointerRequest.release, connection)
    }
    if Self.isOutdated(touch, needed: hasTouch && reportsContacts) {
      if touch != nil { lost.append(.touchCancelled) }
      touch = toggled(touch, .touch, by: .getTouch, releasedBy: TouchRequest.release, connection)
    }
    if Self.isOutdated(keyboard?.object, needed: hasKeyboard && takesKeyboard) {
      keyboard = toggled(
        keyboard?.object, .keyboard, by: .getKeyboard, releasedBy: KeyboardRequest.release,
        connection
      ).map { InputKeyboard(object: $0) }
    }
    return lost
  }

  private static func isOutdated(_ object: WaylandObject?, needed: Bool) -> Bool {
    (object != nil) != needed
  }

  /// Releases an object, or makes it if there is none.
  private func toggled<Release: MessageSet>(
    _ object: WaylandObject?, _ table: InterfaceTable, by request: SeatRequest,
    releasedBy release: Release, _ connection: borrowing WaylandConnection
  ) -> WaylandObject? {
    guard let object else {
      return connection.make(table, by: request, of: self.object, [.newObject])
    }
    Self.end(object, by: release, isKnown: version >= 3, connection)
    return nil
  }

  /// Releases everything. Returns the ends of contacts that follow.
  mutating func close(
    _ connection: borrowing WaylandConnection
  ) -> [PointingEvent<WaylandObject>] {
    let lost = update(reportsContacts: false, takesKeyboard: false, connection)
    Self.end(object, by: SeatRequest.release, isKnown: version >= 5, connection)
    return lost
  }

  private static func end<Release: MessageSet>(
    _ object: WaylandObject, by release: Release, isKnown: Bool,
    _ connection: borrowing WaylandConnection
  ) {
    if isKnown {
      connection.send(release, to: object, destroys: true)
    } else {
      connection.release(object)
    }
  }

  // MARK: Events

  /// Applies an event of its keyboard. Returns the surface on which Escape was pressed.
  mutating func handleKeyboardEvent(_ event: WaylandEvent) -> WaylandObject? {
    keyboard?.handle(event)
  }

  /// The first button of a mouse, as evdev counts.
  private static var firstButton: Int { 0x110 }

  /// An event of its pointer or its touch screen; nil if it has no meaning here.
  func pointingEvent(_ event: WaylandEvent) -> PointingEvent<WaylandObject>? {
    event.object == pointer ? pointerEvent(event) : touchEvent(event)
  }

  private func pointerEvent(_ event: WaylandEvent) -> PointingEvent<WaylandObject>? {
    switch PointerEvent(rawValue: event.opcode) {
    case .enter:
      event.object(1).map {
        .pointerEntered($0, x: event.fraction(2), y: event.fraction(3))
      } ?? .pointerLeft
    case .leave: .pointerLeft
    case .motion:
      .pointerMoved(x: event.fraction(1), y: event.fraction(2), time: event.time(0))
    case .button where event.number(2) == Self.firstButton:
      event.number(3) == 1
        ? .buttonPressed(time: event.time(1)) : .buttonReleased(time: event.time(1))
    case .button, .axis, .frame, .axisSource, .axisStop, .axisDiscrete, nil: nil
    }
  }

  private func touchEvent(_ event: WaylandEvent) -> PointingEvent<WaylandObject>? {
    func finger(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: event.number(index)) }
    return switch TouchEvent(rawValue: event.opcode) {
    case .down:
      event.object(2).map {
        .fingerDown(
          finger(3), $0, x: event.fraction(4), y: event.fraction(5), time: event.time(1))
      }
    case .up: .fingerUp(finger(2), time: event.time(1))
    case .motion:
      .fingerMoved(
        finger(1), x: event.fraction(2), y: event.fraction(3), time: event.time(0))
    case .cancel: .touchCancelled
    case .frame, nil: nil
    }
  }
}

/// A keyboard, and the surface that it types into.
struct InputKeyboard {
  let object: WaylandObject
  private var keymap = Keymap.standard
  private var focus: WaylandObject?

  init(object: WaylandObject) { self.object = object }

  /// A keymap is larger than this only by an error.
  private static var largestKeymap: Int { 1 << 20 }

  /// Applies an event. Returns the surface on which Escape was pressed.
  mutating func handle(_ event: WaylandEvent) -> WaylandObject? {
    switch KeyboardEvent(rawValue: event.opcode) {
    case .keymap:
      guard case .file(let file) = event.arguments[1] else { return nil }
      // 1 is the text of XKB.
      let size = event.number(0) == 1 ? min(event.number(2), Self.largestKeymap) : 0
      keymap = Keymap(parsing: file.bytes(size))
    case .enter: focus = event.object(1)
    case .leave: focus = nil
    case .key where event.number(3) == 1 && keymap.escapeKeys.contains(event.number(2)):
      return focus
    case .key, .modifiers, .repeatInfo, nil: break
    }
    return nil
  }
}

extension WaylandEvent {
  /// A time among the arguments, in milliseconds.
  fileprivate func time(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(index)) }
}
