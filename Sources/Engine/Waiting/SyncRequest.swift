/// A sync that is not completed.
struct SyncRequest {
  let ticket: Ticket
  /// Whether it ends with the windows that may have glass behind them.
  var reportsWindows = false
  var phase: Phase
  private var rounds = 0

  enum Phase {
    /// Waits until all earlier events have arrived.
    case asking(AnswerID)
    case asked
    /// Waits until all changes are presented.
    case presenting
    /// Waits until the server has executed all sent requests.
    case confirming(AnswerID)
    case confirmed
    case done
  }

  /// The largest number of replies for which the sync waits until the display has learned all; and the largest number of frames
  /// and replies for which it waits until there are no more changes.
  private static let roundLimit = 16

  init(ticket: Ticket, answer: AnswerID) {
    self.ticket = ticket
    phase = .asking(answer)
  }

  /// Waits for the presentation from now on. It has all its rounds, however long the display was learning before.
  mutating func present() {
    phase = .presenting
    rounds = 0
  }

  var isDone: Bool { if case .done = phase { true } else { false } }
  var isPresenting: Bool { if case .presenting = phase { true } else { false } }

  mutating func recordAnswer(_ id: AnswerID) {
    switch phase {
    case .asking(id): phase = .asked
    case .confirming(id): phase = .confirmed
    default: break
    }
  }

  /// Counts a round. Returns whether it is allowed.
  mutating func takeRound() -> Bool {
    rounds += 1
    return rounds <= Self.roundLimit
  }
}
