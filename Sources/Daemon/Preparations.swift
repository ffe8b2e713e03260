import Control
import Engine
import Frost

/// Requests that wait for decorations, which a thread makes: for one request at a time, because they can need much
/// memory.
struct Preparations {
  private var running: (incoming: Incoming, task: BackgroundTask<[Decoration]>)?
  /// The requests that wait for the end of the running one.
  private var queue: [Incoming] = []

  /// Becomes readable when decorations are complete.
  var descriptors: [Int32] { running.map { [$0.task.descriptor] } ?? [] }

  /// The clients that wait.
  var clients: [ClientID] { (running.map { [$0.incoming] } ?? [] + queue).map(\.client) }

  /// Starts to make the decorations that a request needs, or queues the request. Returns false if there are none, or
  /// no thread for them.
  mutating func start(_ plans: [DecorationPlan], for incoming: Incoming) -> Bool {
    if plans.isEmpty { return false }
    if running != nil {
      queue.append(incoming)
      return true
    }
    guard let task = try? BackgroundTask({ plans.map { $0.make() } }) else { return false }
    running = (incoming, task)
    return true
  }

  /// The request whose decorations are complete, and the requests that must be started again after it.
  mutating func takeComplete() -> (incoming: Incoming, decorations: [Decoration], next: [Incoming])?
  {
    guard let (incoming, task) = running, let decorations = task.take() else { return nil }
    running = nil
    defer { queue = [] }
    return (incoming, decorations, queue)
  }
}
