/// A transition from one look to another, as a value. The time is an argument.
struct Transition {
  private var from: LookMix
  /// nil if the pane disappears.
  private var to: Look?
  private var progress: TransitionProgress

  init(from: LookMix, to: Look?, length: Duration) {
    self.from = from.visible
    self.to = to
    progress = TransitionProgress(length: length)
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
    from.mixed(with: to, progress.part(now: now))
  }

  func isOver(now: Duration) -> Bool { progress.isOver(now: now) }
}
