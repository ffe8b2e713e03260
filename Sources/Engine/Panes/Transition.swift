/// A transition from one look to another, as a value. The time is an argument.
struct Transition {
  private var from: LookMix
  /// nil if the pane disappears.
  private var to: Look?
  private let length: Duration
  /// The time of its first frame.
  private var start: Duration?

  init(from: LookMix, to: Look?, length: Duration) {
    self.from = from.visible
    self.to = to
    self.length = length
  }

  /// The transition with a look in place of another one.
  func replacing(_ old: Look, by new: Look) -> Transition {
    var transition = self
    transition.from = from.replacing(old, by: new)
    if to == old { transition.to = new }
    return transition
  }

  /// Whether the pane is hidden at the end.
  var hides: Bool { to == nil }

  /// The looks before it starts.
  var first: LookMix { from.mixed(with: to, 0) }

  /// The looks at a time. The first call starts the transition.
  mutating func looks(now: Duration) -> LookMix {
    let passed = now - (start ?? now)
    start = start ?? now
    let part = min(1, passed / length)
    // Smoothstep, 3t^2 - 2t^3: slow at both ends.
    return from.mixed(with: to, part * part * (3 - 2 * part))
  }

  func isOver(now: Duration) -> Bool { start.map { now - $0 >= length } ?? false }
}
