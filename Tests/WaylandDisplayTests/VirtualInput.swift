import Glibc
import TestSupport
import WaylandClient

/// A pointer and a keyboard without hardware on a compositor. The time of their events passes by calls only.
final class VirtualInput {
  private let client: CompositorClient
  private let pointer, keyboard: WaylandObject
  private let size: (width: Int, height: Int)
  private let keymap: MemoryFile
  private var time = 1000
  private(set) var x = 0, y = 0

  /// `symbols` names the symbols of the keymap; all others are on a keyboard of the United States.
  init(_ server: WaylandServer, width: Int, height: Int, symbols: String = "pc+us") throws {
    client = try CompositorClient(server)
    size = (width, height)
    let seat = try client.bind(.seat)
    pointer = client.connection.make(
      .virtualPointer, by: VirtualPointerManagerRequest.createVirtualPointer,
      of: try client.bind(.virtualPointerManager), [.object(seat), .newObject])
    keyboard = client.connection.make(
      .virtualKeyboard, by: VirtualKeyboardManagerRequest.createVirtualKeyboard,
      of: try client.bind(.virtualKeyboardManager), [.object(seat), .newObject])
    let text = Array(Self.keymap(symbols).utf8) + [0]
    keymap = try MemoryFile(byteCount: text.count)
    guard unsafe pwrite(keymap.number, text, text.count, 0) == text.count else {
      throw TestFailure("the keymap was not written")
    }
    client.connection.send(
      VirtualKeyboardRequest.keymap, to: keyboard,
      [.uint(1), .descriptor(keymap.number), .uint(text.count)])
    try client.connection.roundTrip()
  }

  private static func keymap(_ symbols: String) -> String {
    """
    xkb_keymap {
      xkb_keycodes { include "evdev+aliases(qwerty)" };
      xkb_types { include "complete" };
      xkb_compatibility { include "complete" };
      xkb_symbols { include "\(symbols)" };
    };
    """
  }

  /// The first button of a mouse, and others.
  static let buttons = 0x110...0x112

  /// Moves the pointer to the middle of a pixel.
  func move(_ x: Int, _ y: Int, after milliseconds: Int = 10) throws {
    time += milliseconds
    (self.x, self.y) = (x, y)
    client.connection.send(
      VirtualPointerRequest.motionAbsolute, to: pointer,
      [
        .uint(time), .uint(2 * x + 1), .uint(2 * y + 1), .uint(2 * size.width),
        .uint(2 * size.height),
      ])
    try finishFrame()
  }

  func press(_ button: Int = VirtualInput.buttons.lowerBound) throws {
    try set(button, isPressed: true)
  }

  func release(
    _ button: Int = VirtualInput.buttons.lowerBound, after milliseconds: Int = 10
  ) throws {
    time += milliseconds
    try set(button, isPressed: false)
  }

  private func set(_ button: Int, isPressed: Bool) throws {
    client.connection.send(
      VirtualPointerRequest.button, to: pointer,
      [.uint(time), .uint(button), .uint(isPressed ? 1 : 0)])
    try finishFrame()
  }

  private func finishFrame() throws {
    client.connection.send(VirtualPointerRequest.frame, to: pointer)
    try client.connection.roundTrip()
  }

  /// Presses and releases a key, as evdev counts.
  func type(_ key: Int) throws {
    for state in [1, 0] {
      time += 10
      client.connection.send(
        VirtualKeyboardRequest.key, to: keyboard, [.uint(time), .uint(key), .uint(state)])
    }
    try client.connection.roundTrip()
  }

  static let escapeKey = 1
  static let capsLockKey = 58
  static let letterKey = 30
}
