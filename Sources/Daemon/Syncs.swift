import Control
import Engine

/// The syncs of clients. Each waits until the engine has settled, then until content, the configuration and the wallpaper are drawn
/// if they are due, and then until the engine shows them.
struct Syncs {
  private var syncs: [(client: ClientID, stage: Stage)] = []

  private enum Stage {
    /// The engine completes the ticket.
    case settling(Ticket)
    /// The sync waits for the drawings that were due at first, and not for those of later changes; nil before they are known.
    case drawing([DrawingKey]?)
    /// The engine completes the ticket, and nothing more is awaited.
    case showing(Ticket)

    var ticket: Ticket? {
      switch self {
      case .settling(let ticket), .showing(let ticket): ticket
      case .drawing: nil
      }
    }
  }

  /// The clients that wait.
  var clients: [ClientID] { syncs.map(\.client) }

  /// Whether one waits for drawings.
  var awaitsDrawings: Bool {
    syncs.contains { if case .drawing = $0.stage { true } else { false } }
  }

  /// Begins with a sync of the engine.
  mutating func begin(_ client: ClientID, _ ticket: Ticket) {
    syncs.append((client, .settling(ticket)))
  }

  /// Continues, after all drawings, with the last sync of the engine.
  mutating func beginShowing(_ client: ClientID, _ ticket: Ticket) {
    syncs.append((client, .showing(ticket)))
  }

  /// The engine has completed a ticket. Returns the client whose sync ends with that; nil if it waits for drawings now, because
  /// some are due.
  mutating func complete(_ ticket: Ticket, isDrawn: Bool) -> ClientID? {
    guard let index = syncs.firstIndex(where: { $0.stage.ticket == ticket }) else { return nil }
    if case .settling = syncs[index].stage, !isDrawn {
      syncs[index].stage = .drawing(nil)
      return nil
    }
    return syncs.remove(at: index).client
  }

  /// Removes the sync whose ticket has failed. Returns its client.
  mutating func fail(_ ticket: Ticket) -> ClientID? {
    guard let index = syncs.firstIndex(where: { $0.stage.ticket == ticket }) else { return nil }
    return syncs.remove(at: index).client
  }

  /// Removes the syncs that have waited for all drawings, and returns their clients: `beginShowing` is next. `pending` has the
  /// drawings that are made again now; `isBusy` says that other things are awaited.
  mutating func takeDrawn(_ pending: [DrawingKey], isBusy: Bool) -> [ClientID] {
    var drawn: [ClientID] = []
    for i in syncs.indices.reversed() {
      guard case .drawing(let known) = syncs[i].stage else { continue }
      let keys = known ?? pending
      if isBusy || pending.contains(where: keys.contains) {
        syncs[i].stage = .drawing(keys)
      } else {
        drawn.append(syncs.remove(at: i).client)
      }
    }
    return drawn.reversed()
  }
}
