import Glibc

/// What can be wrong with the socket, on either side.
package enum ControlError: Error, Equatable, Sendable {
  case noDisplay
  /// XDG_RUNTIME_DIR is not set, or is no absolute path.
  case noRuntimeDirectory
  case pathTooLong(String, limit: Int)
  /// Another daemon answers there.
  case alreadyServed(path: String)
  /// Something stands in the socket's place, which must not be removed.
  case notASocket(path: String)
  case noDaemon(display: String, path: String)
  /// The daemon closed the connection, or said nothing for so long that the client gave up.
  case noAnswer(display: String)
  case unreadableReply
  case system(action: String, errno: Int32)
}

extension ControlError: CustomStringConvertible {
  /// One line: what is wrong, and what would be right.
  package var description: String {
    switch self {
    case .noDisplay:
      "no display is given; set DISPLAY or use --display, as in --display :0"
    case .noRuntimeDirectory:
      "XDG_RUNTIME_DIR is not set to an absolute path; the socket between backdropd and "
        + "backdropctl lives there, so set it, as in XDG_RUNTIME_DIR=/run/user/$(id -u)"
    case .pathTooLong(let path, let limit):
      "the socket's path would be longer than \(limit) bytes: \(path); "
        + "set XDG_RUNTIME_DIR to a shorter one"
    case .alreadyServed(let path):
      "a backdropd runs already for this display and answers at \(path)"
    case .notASocket(let path):
      "\(path) is there and is no socket; move it away, or set another XDG_RUNTIME_DIR"
    case .noDaemon(let display, let path):
      "no backdropd answers on display \(display) (\(path)); "
        + "start it with 'systemctl --user start backdropd' or 'backdropd &'"
    case .noAnswer(let display):
      "backdropd on display \(display) closed the connection or hangs; its log says why"
    case .unreadableReply:
      "backdropd's answer cannot be read; is it of the same version as backdropctl?"
    case .system(let action, let code):
      "cannot \(action): \(errorText(code))"
    }
  }

  package var kind: FailureKind {
    switch self {
    case .noDisplay, .noRuntimeDirectory, .pathTooLong: .configuration
    case .alreadyServed, .notASocket, .system: .cannotCreate
    case .noDaemon, .noAnswer: .unavailable
    case .unreadableReply: .internal
    }
  }
}

/// What the system says about an `errno`.
package func errorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
