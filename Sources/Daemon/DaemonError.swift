import Control
import Engine

/// An error that ends the daemon.
enum DaemonError: Error, CustomStringConvertible {
  case display(DisplayError)
  case control(ControlError)
  /// The display was not there for a time.
  case away(DisplayError, Duration)

  var description: String {
    switch self {
    case .display(let error): "\(error)"
    case .control(let error): "\(error)"
    case .away(let error, let time):
      time == .zero ? "\(error)" : "\(error); it was awaited for \(time / .seconds(1)) s"
    }
  }

  /// The exit status, as in sysexits.h. With 75, for a display that is not there, the systemd unit ends without a failure.
  var exitStatus: Int32 {
    switch self {
    case .display(.lost), .away: 75
    case .display(.unreachable), .display(.unsupported), .display(.alreadyServed): 69
    case .control(let error): error.kind.exitStatus
    }
  }

  /// Whether another display may be served instead: this one is not there, or cannot show glass.
  var allowsOtherDisplay: Bool {
    switch self {
    case .display(.unreachable), .display(.unsupported): true
    case .display(.lost), .display(.alreadyServed), .control, .away: false
    }
  }
}
