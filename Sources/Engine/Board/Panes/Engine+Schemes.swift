import Frost
import Panes
import Raster

/// The schemes of adaptive panes: that of the desktop, or else the one that suits the backdrop.
extension Engine where Server: ~Copyable {
  /// Decides the scheme of a pane that appears, and whose cells have values. Its look changes at once.
  mutating func decideScheme(of entry: PaneEntry) {
    entry.schemePlace = entry.wanted?.pane
    entry.schemeWait = nil
    guard let scheme = newScheme(of: entry), scheme != entry.scheme else { return }
    let old = entry.look
    entry.scheme = scheme
    entry.looks = entry.looks.replacing(old, by: entry.look)
    entry.transition = entry.transition?.replacing(old, by: entry.look)
    updateAppearance(of: entry)
  }

  /// The scheme that a pane has when it appears or becomes adaptive; nil if it is not known.
  func newScheme(of entry: PaneEntry) -> ColorScheme? {
    guard entry.pane.isAdaptive, let wanted = entry.wanted else { return nil }
    if entry.isOver { return scheme(ofBackground: entry) }
    return server.colorScheme ?? backdropScheme(of: wanted, last: nil)
  }

  /// The scheme of the window that a pane is over: a dark window needs dark glass.
  private func scheme(ofBackground entry: PaneEntry) -> ColorScheme? {
    entry.backgrounds.background.map { ColorScheme(onLuminance: $0.luminance, last: nil) }
  }

  /// Decides the scheme of a pane whose backdrop or desktop may have changed. Its look changes in a transition. A change of the
  /// backdrop alone must last: where a wallpaper program starts again, the screen is black for a moment.
  mutating func updateScheme(of entry: PaneEntry) {
    guard entry.pane.isAdaptive, !entry.isOver, let drawn = entry.drawn else { return }
    let isElsewhere = updateSchemePlace(of: entry, drawn.pane)
    let scheme =
      server.colorScheme ?? backdropScheme(of: drawn, last: isElsewhere ? nil : entry.scheme)
    guard let scheme, scheme != entry.scheme else { return entry.schemeWait = nil }
    if server.colorScheme == nil, !isElsewhere {
      entry.schemeWait = entry.schemeWait ?? .begun
    } else {
      change(entry, to: scheme)
    }
  }

  private mutating func change(_ entry: PaneEntry, to scheme: ColorScheme) {
    entry.schemeWait = nil
    entry.scheme = scheme
    if entry.transition?.hides == true { return }
    startTransition(of: entry, from: entry.looks, over: .schemeChange)
  }

  /// The time for which a backdrop must want the other scheme.
  private static var schemePause: Duration { .seconds(1) }

  /// The time for which a pane that appears is on trial: long enough for a busy server to place its window.
  private static var trialTime: Duration { .milliseconds(500) }

  /// The next time at which a scheme changes.
  var nextSchemeChange: Duration? {
    board.entries.compactMap { entry in
      if case .until(let time) = entry.schemeWait { time } else { nil }
    }.min()
  }

  /// Changes the schemes that have waited long enough, and ends trials.
  mutating func advanceSchemes(now: Duration) {
    for entry in board.entries {
      switch entry.trial {
      case .begun: entry.trial = .until(now + Self.trialTime)
      case .until(let time) where time <= now: entry.trial = nil
      case .untilCapture, .until, nil: break
      }
      switch entry.schemeWait {
      case .begun: entry.schemeWait = .until(now + Self.schemePause)
      case .until(let time) where time <= now:
        entry.schemeWait = nil
        guard let drawn = entry.drawn, let scheme = backdropScheme(of: drawn, last: entry.scheme)
        else { continue }
        if scheme != entry.scheme { change(entry, to: scheme) }
      case .until, nil: continue
      }
    }
  }

  /// Whether more than half of a pane is outside of the place for which its scheme was decided, because it has grown or moved.
  /// Then the present scheme has no weight.
  private func updateSchemePlace(of entry: PaneEntry, _ place: Rect) -> Bool {
    let known = entry.schemePlace ?? place
    let isElsewhere = 2 * known.intersection(place).area < place.area
    entry.schemePlace = isElsewhere ? place : known
    return isElsewhere
  }

  /// Updates the schemes of all panes, because that of the desktop changed.
  mutating func updateSchemes() {
    for entry in board.entries { updateScheme(of: entry) }
  }

  /// The scheme for the backdrop of an appearance; nil if it is not known.
  private func backdropScheme(of appearance: Appearance, last: ColorScheme?) -> ColorScheme? {
    guard let face = appearance.faces.last, let grid = store.cellGrid(face.key) else { return nil }
    return ColorScheme(
      onLuminance: grid.meanLuminance(of: appearance.pane), last: last)
  }
}
