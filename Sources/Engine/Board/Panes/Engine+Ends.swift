import Panes

/// Panes that are removed by themselves.
extension Engine where Server: ~Copyable {
  /// The next time at which the time of a pane is over.
  var nextEnd: Duration? {
    board.entries.compactMap { entry in
      if case .at(let time, _) = entry.pane.end { time } else { nil }
    }.min()
  }

  /// Hides the panes whose time is over.
  mutating func endPanes(now: Duration) {
    guard let nextEnd, nextEnd <= now else { return }
    for pane in panes {
      guard case .at(let time, let fade) = pane.end, time <= now else { continue }
      var pane = pane
      pane.isShown = false
      pane.end = .fading
      replace(by: pane, fade: isSuspended ? .none : fade)
    }
  }

  /// Removes the panes whose time is over and that have faded.
  mutating func removeEndedPanes() {
    let fading = Set(board.entries.filter { $0.pane.end == .fading }.map(\.pane.name))
    let ended = fading.filter { !board.entries(of: $0).contains(where: \.isVisible) }
    if ended.isEmpty { return }
    for entry in board.entries where ended.contains(entry.pane.name) { discard(entry) }
    report(.panesEnded)
    followTargets()
  }
}
