import Engine

/// The keyboard: which overlay has it, and which window had it before.
struct OverlayFocus {
  /// The window of an overlay that has the keyboard.
  private var holder: UInt32?
  /// The window that had it before.
  private var former: UInt32?

  /// Gives a window of an overlay the keyboard. `current` is the window that has it.
  mutating func set(
    _ window: UInt32, from current: UInt32, time: UInt32, _ x: inout XConnection
  ) {
    if current != window { former = current }
    x.setFocus(window, time: time)
  }

  /// Records that a window of an overlay got or lost the keyboard.
  mutating func record(_ window: UInt32, hasFocus: Bool) {
    if hasFocus {
      holder = window
    } else if holder == window {
      holder = nil
    }
  }

  /// Gives the keyboard back if one of the windows has it.
  mutating func release(_ windows: [UInt32], _ x: inout XConnection) {
    guard let holder, windows.contains(holder) else { return }
    x.setFocus(former ?? Self.pointerRoot)
    (self.holder, former) = (nil, nil)
  }

  /// The value that means that the window with the pointer has the keyboard.
  private static var pointerRoot: UInt32 { 1 }
}
