import Control
import Engine

/// An error that ends the daemon.
enum DaemonError: Error, CustomStringConvertible {
  case display(DisplayError)
  case control(ControlError)

  var description: String {
    switch self {
    case .display(let error): "\(error)"
    case .control(let error): "\(error)"
    }
  }

  /// The exit status, as in sysexits.h. With 75, for a lost display, the systemd unit restarts the
  /// daemon.
  var exitStatus: Int32 {
    switch self {
    case .display(.lost): 75
    case .display(.unreachable), .display(.unsupported), .display(.alreadyServed): 69
    case .control(let error): error.kind.exitStatus
    }
  }

  /// Whether another display may be served instead: this one is not there, or cannot show glass.
  var allowsOtherDisplay: Bool {
    switch self {
    case .display(.unreachable), .display(.unsupported): true
    case .display(.lost), .display(.alreadyServed), .control: false
    }
  }
}
