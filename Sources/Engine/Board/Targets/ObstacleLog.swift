/// The obstacles of glass behind windows that are to be told: each once when it has lasted for a moment, and again only
/// after it was gone.
struct ObstacleLog {
  private var told: Set<PaneObstacle> = []
  /// The obstacles that were not reported yet, each with the time since when it is known.
  private var untold: [PaneObstacle: Duration] = [:]
  /// All obstacles at the last update.
  private var current: Set<PaneObstacle> = []

  /// Windows are opaque for a moment when their programs start, and nothing blends them while a compositor starts.
  static var delay: Duration { .seconds(1) }

  /// The time at which `advance` is to be called; nil if there is none.
  var deadline: Duration? { untold.values.min().map { $0 + Self.delay } }

  /// Records which obstacles there are now. An obstacle that comes and goes before the next `advance` does not count.
  mutating func update(_ current: Set<PaneObstacle>) { self.current = current }

  /// Returns those to report at this time, because they have lasted for long enough.
  mutating func advance(to now: Duration) -> [PaneObstacle] {
    if untold.isEmpty, current == told { return [] }
    told.formIntersection(current)
    untold = untold.filter { current.contains($0.key) }
    for new in current.subtracting(told) where untold[new] == nil { untold[new] = now }
    let old = untold.filter { $0.value + Self.delay <= now }.keys
    told.formUnion(old)
    untold = untold.filter { !told.contains($0.key) }
    return old.sorted { ($0.pane, $0.reason.rawValue) < ($1.pane, $1.reason.rawValue) }
  }
}

/// Why glass of a pane behind windows is not shown.
package struct PaneObstacle: Hashable, Sendable {
  package let pane: String
  package let reason: TargetState.Obstacle

  package init(pane: String, reason: TargetState.Obstacle) {
    self.pane = pane
    self.reason = reason
  }
}

extension PaneObstacle: CustomStringConvertible {
  /// The reason, and what to do, as one line.
  package var description: String {
    let advice =
      switch reason {
      case .noWindows: TargetState.Obstacle.serverAdvice
      case .noCompositor: DesktopPrograms.generalCompositorAdvice
      case .costlyTitle:
        "\(TargetState.Obstacle.titleAdvice); 'backdropctl behind list' has the window"
      case .uneven: TargetState.Obstacle.colorAdvice
      case .opaque, .fullscreen, .hidden, .locked, .outside, .pending:
        "'backdropctl list' says what to do"
      }
    return "the glass of '\(pane)' is not shown: \(reason.finding); \(advice)"
  }
}
