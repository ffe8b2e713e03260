import CXCB
package import Engine
package import Raster

/// The choice of a rectangle on the live screen, which the user drags. A label at the pointer says what to do, then a frame and
/// the label show the rectangle.
///
/// Sendable because the thread that makes it then gives it up.
package struct RectangleSelection: ~Copyable, @unchecked Sendable {
  private var x: XConnection
  private var choice: RectangleChoice
  private var frame: SelectionFrame
  private let screen: Rect
  /// Whether Escape cancels it.
  package let hasKeyboard: Bool

  /// The action of the user.
  package enum Choice: Equatable, Sendable {
    case selected(Rect)
    case cancelled
  }

  /// Takes the pointer, and the keyboard if it is free. Nil if another program keeps the pointer for longer than a
  /// moment, as one with an open menu does. Throws `unreachable`, `unsupported` or `lost`.
  package init?(on display: String) throws(DisplayError) {
    var x = try XConnection(display: display)
    guard try x.grabPointer(reportsMotion: true) else { return nil }
    self.init(x)
  }

  /// `connection` has the pointer. An initialiser of its own, because an assertion of the compiler of Swift 6.2 fails if one
  /// of a noncopyable type throws after properties have values.
  private init(_ connection: consuming XConnection) {
    var x = connection
    let size = x.screen.initialSize
    screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
    hasKeyboard = x.grabKeyboard()
    choice = RectangleChoice(screen: screen)
    frame = SelectionFrame(&x, exposures: XCB_EVENT_MASK_EXPOSURE.rawValue)
    self.x = x
  }

  /// Waits until a rectangle is chosen, or the user cancels. `hint` is shown until the drag begins, and `label` draws the
  /// label of a rectangle; both are opaque. Throws `lost`.
  package mutating func wait(
    hint: Bitmap, label: (Rect) -> Bitmap
  ) throws(DisplayError) -> Choice {
    x.requestPointer()
    while true {
      let item = try x.awaitItem()
      if choice.rect == nil, let (left, top) = item.pointer {
        frame.show(hint, atPointerX: left, y: top, &x, screen: screen)
      }
      guard let input = input(item) else { continue }
      let former = choice
      switch choice.handle(input) {
      case .chosen(let rect): return .selected(rect)
      case .cancelled: return .cancelled
      case .undecided:
        guard choice != former, let rect = choice.rect else { continue }
        frame.show(rect, label: label(rect), &x, screen: screen)
      }
    }
  }

  /// The input of the user in an item; nil if the item is none.
  private mutating func input(_ item: XItem) -> RectangleChoice.Input? {
    switch item {
    case .event(.button(1, let isPressed, let left, let top)):
      return isPressed ? .pressed(x: left, y: top) : .released(x: left, y: top)
    case .event(.button(3, isPressed: false, _, _)): return .cancelled
    case .event(.pointerMoved(let left, let top)): return .moved(x: left, y: top)
    case .event(.exposed(let window, _)): frame.redraw(window, &x)
    case .event(.keyPressed(let window, let key, _)): x.requestKeySymbol(key, in: window)
    case .reply(.keySymbol(_, X11Display.escapeSymbol)): return .cancelled
    default: break
    }
    return nil
  }
}

extension XItem {
  /// Where the pointer is, if the item says it.
  fileprivate var pointer: (x: Int, y: Int)? {
    switch self {
    case .event(.pointerMoved(let x, let y)), .reply(.pointer(let x, let y)): (x, y)
    default: nil
    }
  }
}
