import Control
import Engine
import Frost

/// Requests that wait for decorations, which threads make.
struct Preparations {
  private struct Preparation {
    let incoming: Incoming
    let task: BackgroundTask<[Decoration]>
  }

  private var preparations: [Preparation] = []

  /// The descriptors that become readable when decorations are complete.
  var descriptors: [Int32] { preparations.map(\.task.descriptor) }

  /// Starts to make the decorations that a request needs. Returns false if there are none, or no thread for them.
  mutating func start(_ plans: [DecorationPlan], for incoming: Incoming) -> Bool {
    if plans.isEmpty { return false }
    guard let task = try? BackgroundTask({ plans.map { $0.make() } }) else { return false }
    preparations.append(Preparation(incoming: incoming, task: task))
    return true
  }

  /// The requests whose decorations are complete, in the order of their starts.
  mutating func takeComplete() -> [(incoming: Incoming, decorations: [Decoration])] {
    preparations.compactMap { preparation in
      guard let decorations = preparation.task.take() else { return nil }
      preparations.removeAll { $0.task === preparation.task }
      return (preparation.incoming, decorations)
    }
  }
}
