import CXCB
package import Engine
package import Raster

/// The choice of a rectangle on the live screen, which the user drags. A frame and a label show it.
package struct RectangleSelection: ~Copyable {
  private var x: XConnection
  private var choice: RectangleChoice
  private var frame: SelectionFrame
  private let screen: Rect
  /// The modifiers of the keys whose symbols are requested, in order.
  private var modifiers: [UInt16] = []
  /// Whether keys change, take and cancel it.
  package let hasKeyboard: Bool

  /// What the user did.
  package enum Choice: Equatable, Sendable {
    case selected(Rect)
    case cancelled
  }

  /// Takes the pointer, and the keyboard if it is free. Nil if another program keeps the pointer for longer than a
  /// moment, as one with an open menu does. Throws `unreachable`, `unsupported` or `lost`.
  package init?(on display: String) throws(DisplayError) {
    var x = try XConnection(display: display)
    guard try x.takePointer(reportsMotion: true) else { return nil }
    self.init(x)
  }

  /// `connection` has the pointer. An initialiser of its own, because an assertion of the compiler of Swift 6.2 fails if one
  /// of a noncopyable type throws after properties have values.
  private init(_ connection: consuming XConnection) {
    var x = connection
    let size = x.screen.initialSize
    screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
    hasKeyboard = x.grabKeyboard()
    choice = RectangleChoice(screen: screen, hasKeyboard: hasKeyboard)
    frame = SelectionFrame(&x, exposures: XCB_EVENT_MASK_EXPOSURE.rawValue)
    self.x = x
  }

  /// Waits until a rectangle is chosen, or the user cancels. `label` draws the label of a rectangle, opaque. Throws `lost`.
  package mutating func wait(
    label: (Rect, _ isSettled: Bool) -> Bitmap
  ) throws(DisplayError) -> Choice {
    while true {
      guard let input = input(try x.awaitItem()) else { continue }
      let former = choice
      switch choice.take(input) {
      case .chosen(let rect): return .selected(rect)
      case .cancelled: return .cancelled
      case .undecided:
        guard choice != former, let rect = choice.rect else { continue }
        frame.show(rect, label: label(rect, choice.isSettled), &x, screen: screen)
      }
    }
  }

  /// What the user did; nil if it is something else.
  private mutating func input(_ item: XItem) -> RectangleChoice.Input? {
    switch item {
    case .event(.button(1, let isPressed, let left, let top)):
      return isPressed ? .pressed(x: left, y: top) : .released(x: left, y: top)
    case .event(.button(3, isPressed: false, _, _)): return .cancelled
    case .event(.pointerMoved(let left, let top)): return .moved(x: left, y: top)
    case .event(.exposed(let window, _)): frame.redraw(window, &x)
    case .event(.keyPressed(let window, let key, let modifiers)):
      self.modifiers.append(modifiers)
      x.requestKeySymbol(key, in: window)
    case .reply(.keySymbol(_, let symbol)):
      if let held = modifiers.first {
        modifiers.removeFirst()
        return symbol.flatMap { input($0, held) }
      }
    default: break
    }
    return nil
  }

  /// The symbols are those of X11/keysymdef.h.
  private func input(_ symbol: UInt32, _ modifiers: UInt16) -> RectangleChoice.Input? {
    let step = modifiers & UInt16(XCB_MOD_MASK_CONTROL.rawValue) != 0 ? 10 : 1
    let changesSize = modifiers & UInt16(XCB_MOD_MASK_SHIFT.rawValue) != 0
    func arrow(_ x: Int, _ y: Int) -> RectangleChoice.Input {
      .arrow(x: step * x, y: step * y, changesSize: changesSize)
    }
    return switch symbol {
    case X11Display.escapeSymbol: .cancelled
    // Return and that of the keypad.
    case 0xff0d, 0xff8d: .accepted
    case 0xff51: arrow(-1, 0)
    case 0xff52: arrow(0, -1)
    case 0xff53: arrow(1, 0)
    case 0xff54: arrow(0, 1)
    default: nil
    }
  }
}
