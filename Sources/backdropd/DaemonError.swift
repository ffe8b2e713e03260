import Control
import Desktop

/// Why the daemon ends without being asked to.
enum DaemonError: Error, CustomStringConvertible {
  case desktop(DesktopError)
  case control(ControlError)

  var description: String {
    switch self {
    case .desktop(let error): "\(error)"
    case .control(let error): "\(error)"
    }
  }

  /// As sysexits.h has them. 75, a lost display, has the unit start us again.
  var exitStatus: Int32 {
    switch self {
    case .desktop(.lost): 75
    case .desktop(.unreachable), .desktop(.unsupported), .desktop(.alreadyServed): 69
    case .control(.alreadyServed): 69
    case .control(let error): error.kind.exitStatus
    }
  }
}
