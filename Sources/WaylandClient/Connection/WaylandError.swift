/// An error of a connection to a compositor. The texts are complete messages.
package enum WaylandError: Error, Equatable, Sendable {
  /// No connection could be made.
  case unreachable(String)
  /// The connection broke.
  case lost(String)
  /// The compositor reported an error of this client and ended the connection.
  case refused(String)
  /// The system has no memory for pixels.
  case outOfMemory(String)
}

extension WaylandError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let text), .lost(let text), .refused(let text), .outOfMemory(let text): text
    }
  }
}
