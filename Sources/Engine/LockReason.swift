/// Why panes are hidden although they should be shown: the desktop is known to be hidden.
package enum LockReason: Equatable, Sendable {
  /// logind says that the session is locked.
  case session
  /// logind has not said yet whether it is.
  case unknownSession
  /// A window hides an output while a client, mostly its own, holds the keyboard. `name` is its class or its title; empty if it has none.
  case window(number: UInt32, name: String)
  /// The window of the screen saver of the X server covers the screen.
  case screenSaver
  /// The monitors are dark.
  case darkMonitors
  /// Another virtual terminal is shown in the place of the X server.
  case otherTerminal
}

extension LockReason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .session: "logind says that the session is locked"
    case .unknownSession: "logind has not said yet whether the session is locked"
    case .window(let number, let name):
      "window 0x\(String(number, radix: 16))\(name.isEmpty ? "" : " (\(name))") hides an output, "
        + "and the keyboard is held"
    case .screenSaver: "the screen saver of the X server covers the screen"
    case .darkMonitors: "the screen saver of the X server has switched the monitors dark"
    case .otherTerminal: "another virtual terminal is shown"
    }
  }
}
