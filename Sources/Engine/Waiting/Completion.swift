package import Raster

/// A request that is completed later.
package struct Ticket: Hashable, Sendable {
  /// Unique in the engine.
  package let number: UInt64
}

/// The completion of a request with a ticket.
package enum Completion: Sendable {
  case synced(Ticket)
  case picture(Ticket, Bitmap)
  case windows(Ticket, [TargetState])
  case failed(Ticket, EngineError)

  package var ticket: Ticket {
    switch self {
    case .synced(let ticket), .picture(let ticket, _), .windows(let ticket, _),
      .failed(let ticket, _):
      ticket
    }
  }
}
