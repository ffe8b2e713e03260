import Frost
import Panes

/// How a pane comes to look as it should: at once, or over a time.
extension Engine where Server: ~Copyable {
  /// Whether a pane is on its way.
  package var isFading: Bool { shown.contains { $0.fade != nil } }

  /// Makes a pane's glass anew; with a fade, it begins clear.
  mutating func remake(_ entry: ShownPane, fade: Fade) {
    entry.fade = nil
    entry.discardGlass()
    self.fade(entry, from: .clear, over: fade)
  }

  /// Brings a pane to how it should look: clear, if it is to be hidden.
  mutating func fade(_ entry: ShownPane, from start: Look, over fade: Fade) {
    let end = Look(of: entry.pane)
    if fade != .none {
      entry.fade = FadingLook(
        from: start, to: end, length: fade.duration, hides: !entry.pane.isShown)
      take(start, for: entry)
    } else {
      entry.fade = nil
      take(end, for: entry)
    }
  }

  /// A new glass may look further around its pane than the old one. A pane that has none is hidden
  /// first: windows that are watched no more lose what an overlay still covers.
  private mutating func take(_ look: Look, for entry: ShownPane) {
    guard entry.take(look, on: stage) else { return }
    if entry.glass == nil { hide(entry) }
    watch()
  }

  /// Takes panes that fade a step further.
  mutating func advanceFades(now: Duration) {
    for entry in shown {
      guard var fade = entry.fade else { continue }
      take(fade.look(now: now), for: entry)
      let isOver = fade.isOver(now: now)
      entry.fade = isOver ? nil : fade
      if isOver && fade.hides {
        entry.discardGlass()
        hide(entry)
        watch()
      }
    }
  }
}
