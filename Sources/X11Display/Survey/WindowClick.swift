package import Engine

/// The choice of a place on the screen by a click, as xprop asks for it: the pointer is a cross, and no other program gets
/// the click.
///
/// Sendable because the thread that makes it then gives it up.
package struct WindowClick: ~Copyable, @unchecked Sendable {
  private var x: XConnection
  /// Whether Escape cancels it.
  package let hasKeyboard: Bool

  /// The action of the user.
  package enum Choice: Equatable, Sendable {
    case clicked(x: Int, y: Int)
    case cancelled
  }

  /// Takes the pointer, and the keyboard if it is free. Nil if another program keeps the pointer for longer than a
  /// moment, as one with an open menu does. Throws `unreachable`, `unsupported` or `lost`.
  package init?(on display: String) throws(DisplayError) {
    var x = try XConnection(display: display)
    guard try x.grabPointer() else { return nil }
    hasKeyboard = x.grabKeyboard()
    self.x = x
  }

  /// Waits for a click of the first button, or for Escape or the third button, and until the button is released, so that
  /// no other program gets the release alone. Throws `lost`.
  package mutating func wait() throws(DisplayError) -> Choice {
    var pressed: (button: UInt8, choice: Choice)?
    while true {
      switch try x.awaitItem() {
      case .event(.button(let button, isPressed: true, let left, let top)) where pressed == nil:
        let choices: [UInt8: Choice] = [1: .clicked(x: left, y: top), 3: .cancelled]
        pressed = choices[button].map { (button, $0) }
      case .event(.button(let button, isPressed: false, _, _)):
        if let pressed, pressed.button == button { return pressed.choice }
      case .event(.keyPressed(let window, let key, _)): x.requestKeySymbol(key, in: window)
      case .reply(.keySymbol(_, X11Display.escapeSymbol)): return .cancelled
      default: break
      }
    }
  }
}
