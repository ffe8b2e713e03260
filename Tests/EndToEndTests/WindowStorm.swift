import CXCB
import Glibc
import Raster
import TestDice
import TestSupport

/// A client that creates and destroys windows as fast as possible, with three or four requests for each:
/// windows of `TestClient` have pictures.
@safe final class WindowStorm {
  private let connection: OpaquePointer
  private let root: UInt32
  private var dice: Dice

  init(on server: XServer, seed: UInt64) throws {
    dice = Dice(seed: seed)
    unsafe connection = unsafe xcb_connect(server.display, nil)
    guard unsafe xcb_connection_has_error(connection) == 0,
      let screen = unsafe xcb_setup_roots_iterator(xcb_get_setup(connection)).data
    else {
      unsafe xcb_disconnect(connection)
      throw TestFailure("cannot connect to display \(server.display)")
    }
    root = unsafe screen.pointee.root
  }

  deinit { unsafe xcb_disconnect(connection) }

  /// Creates windows at random places in a part of the screen, and destroys each after `atOnce` more were
  /// created. Returns when the server has destroyed all.
  func run(_ count: Int, over rect: Rect, atOnce: Int) throws {
    var living: [UInt32] = []
    for i in 0..<count {
      let window = make(in: rect, below: i % 2 == 0)
      if living.count < atOnce {
        living.append(window)
      } else {
        _ = unsafe xcb_destroy_window(connection, living[i % atOnce])
        living[i % atOnce] = window
      }
      if i % 1000 == 999 { try sync() }
    }
    for window in living { _ = unsafe xcb_destroy_window(connection, window) }
    try sync()
  }

  /// Creates a window of a colour that is not black, `below` all others or above them.
  private func make(in rect: Rect, below: Bool) -> UInt32 {
    let size = 16
    let window = unsafe xcb_generate_id(connection)
    let x = Int.random(in: rect.x...rect.maxX - size, using: &dice)
    let y = Int.random(in: rect.y...rect.maxY - size, using: &dice)
    let color = UInt32.random(in: 1...0xFF_FFFF, using: &dice)
    _ = unsafe xcb_create_window(
      connection, 0, window, root, Int16(x), Int16(y), UInt16(size), UInt16(size), 0,
      UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0,
      XCB_CW_BACK_PIXEL.rawValue, [color])
    if below {
      _ = unsafe xcb_configure_window(
        connection, window, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue),
        [XCB_STACK_MODE_BELOW.rawValue])
    }
    _ = unsafe xcb_map_window(connection, window)
    return window
  }

  private func sync() throws {
    let reply = unsafe xcb_get_input_focus_reply(
      connection, xcb_get_input_focus(connection), nil)
    guard unsafe reply != nil else { throw TestFailure("the connection of the storm is lost") }
    unsafe free(reply)
  }
}
