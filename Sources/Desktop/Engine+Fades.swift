import Frost
import Panes

/// How the glass of a pane comes to be what it should be: at once, or over a time.
extension Engine where Server: ~Copyable {
  /// Whether a pane is on its way.
  package var isFading: Bool { shown.contains { $0.fade != nil } }

  /// Makes a pane's glass anew; with a fade, it begins clear.
  mutating func remake(_ entry: ShownPane, fade: Fade) {
    entry.fade = nil
    entry.discardGlass()
    self.fade(entry, from: .clear, over: fade)
  }

  /// Brings a pane's glass to what it should be: clear, if it is to be hidden.
  mutating func fade(_ entry: ShownPane, from start: Material, over fade: Fade) {
    let pane = entry.pane
    if fade != .none {
      entry.fade = FadingMaterial(
        from: start, to: pane.isShown ? pane.material : .clear, length: fade.duration,
        hides: !pane.isShown)
      take(start, for: entry)
    } else {
      entry.fade = nil
      take(pane.material, for: entry)
    }
  }

  /// A new glass may look further around its pane than the old one. A pane that has none is hidden
  /// first: windows that are watched no more lose what an overlay still covers.
  private mutating func take(_ material: Material, for entry: ShownPane) {
    guard entry.take(material, on: server.screen) else { return }
    if entry.glass == nil { hide(entry) }
    watch()
  }

  /// Takes panes that fade a step further.
  mutating func advanceFades(now: Duration) {
    for entry in shown {
      guard var fade = entry.fade else { continue }
      take(fade.material(now: now), for: entry)
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
