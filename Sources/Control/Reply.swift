/// What the daemon answers. On the wire it is one line of JSON: see `Reply+Line.swift`.
package enum Reply: Equatable, Sendable {
  case done
  case panes([PaneReport])
  case status(StatusReport)
  /// The pixels are in the file that comes with the reply: see `FileDescriptor.makePixelFile`.
  case picture(PictureReport)
  /// What is wrong, in one line that also says what would be right.
  case failure(FailureKind, String)
}

/// Whose fault a failure is: it decides the exit status of the command line (see sysexits.h).
package enum FailureKind: String, CaseIterable, Codable, Sendable {
  /// The request is wrong.
  case usage
  /// What the request names holds nonsense.
  case data
  /// What should be read is not there, or cannot be opened.
  case noInput
  /// The daemon, or the display server, cannot do it.
  case unavailable
  /// A bug of ours.
  case `internal`
  case cannotCreate
  case configuration

  package var exitStatus: Int32 {
    switch self {
    case .usage: 64
    case .data: 65
    case .noInput: 66
    case .unavailable: 69
    case .internal: 70
    case .cannotCreate: 73
    case .configuration: 78
    }
  }
}
