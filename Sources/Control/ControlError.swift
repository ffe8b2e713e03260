import Glibc
import Linux
import Panes

/// An error of the control socket, in the daemon or in a client.
package enum ControlError: Error, Equatable, Sendable {
  /// No display of this kind is given.
  case noDisplay(ServerChoice)
  /// XDG_RUNTIME_DIR is not set, or is not an absolute path.
  case noRuntimeDirectory
  /// The path has more bytes than a socket address can hold.
  case pathTooLong(String, limit: Int)
  /// Another daemon listens at the path of the socket; nil if its process is unknown.
  case alreadyServed(process: Int?)
  /// The daemon that is to be replaced does not end.
  case doesNotEnd(process: Int?)
  /// A file that is not a socket exists at this path.
  case notASocket(path: String)
  /// No daemon listens at this path. `given` is the display that the user named; nil if none.
  case noDaemon(display: String, path: String, given: String? = nil)
  /// The daemon closed the connection or did not reply within the timeout.
  case noAnswer(display: String)
  /// The reply is not in the protocol, or too long.
  case unreadableReply
  /// A system call failed.
  case system(action: String, errno: Int32)
}

extension ControlError: CustomStringConvertible {
  /// One line that names the error and the correction.
  package var description: String {
    switch self {
    case .noDisplay(.auto):
      "no display is given; set WAYLAND_DISPLAY or DISPLAY, or use --display, such as --display :0"
    case .noDisplay(.x11):
      "no X server is given; set DISPLAY or use --display, such as --display :0"
    case .noDisplay(.wayland):
      "no Wayland compositor is given; set WAYLAND_DISPLAY or use --display, such as --display wayland-1"
    case .noRuntimeDirectory:
      "XDG_RUNTIME_DIR is not set to an absolute path; the control socket is in this folder; set "
        + "it, such as XDG_RUNTIME_DIR=/run/user/$(id -u)"
    case .pathTooLong(let path, let limit):
      "the path of the socket is longer than \(limit) bytes: \(path); "
        + "set XDG_RUNTIME_DIR to a shorter path"
    case .alreadyServed(let process):
      "a backdropd\(named(process)) serves this display already; 'backdropd --replace' replaces it"
    case .doesNotEnd(let process):
      "the backdropd\(named(process)) that serves this display does not end; stop it first"
    case .notASocket(let path):
      "\(path) exists and is not a socket; move it, or set another XDG_RUNTIME_DIR"
    case .noDaemon(let display, let path, let given):
      "no backdropd answers on display \(display) (\(path)); "
        + "start it with '\(backdropctlCommand("start", on: given))'"
    case .noAnswer(let display):
      "backdropd on display \(display) closed the connection or does not answer; see its log"
    case .unreadableReply:
      "cannot read the reply of backdropd; use the same version of backdropd and backdropctl"
    case .system(let action, let code):
      "cannot \(action): \(errorText(code))"
    }
  }

  /// The same error of a command for which the user named a display.
  package func naming(_ given: String?) -> ControlError {
    guard case .noDaemon(let display, let path, _) = self else { return self }
    return .noDaemon(display: display, path: path, given: given)
  }

  private func named(_ process: Int?) -> String { process.map { " (process \($0))" } ?? "" }

  /// The cause, which determines the exit status.
  package var kind: FailureKind {
    switch self {
    case .noDisplay, .noRuntimeDirectory, .pathTooLong: .configuration
    case .notASocket, .system: .cannotCreate
    case .alreadyServed, .doesNotEnd, .noDaemon, .noAnswer: .unavailable
    case .unreadableReply: .internal
    }
  }
}

/// A command of `backdropctl` as advice, with the display that the user named; nil if none.
package func backdropctlCommand(_ name: String, on display: String?) -> String {
  "backdropctl \(name)\(display.map { " --display \(shellWord($0))" } ?? "")"
}
