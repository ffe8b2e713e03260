import Frost
import Panes
import Raster

/// Glass over windows: where it belongs, and which background it replaces.
extension Engine where Server: ~Copyable {
  /// Puts the glass of a pane behind windows beneath its window or over it, as the window and the settings are now.
  mutating func updateGlassPlace(of entry: PaneEntry) {
    let choice = entry.pane.keying?.background ?? .none
    let isOver = entry.target?.takesGlassOver(choice, blends: server.blendsAlpha) == true
    if (choice, entry.site.window) != (entry.backgrounds.choice, entry.backgrounds.window) {
      entry.backgrounds = BackgroundWatch(choice, of: entry.site.window)
    }
    if isOver == entry.isOver { return }
    if entry.wanted != nil || entry.shownState != nil { hide(entry) }
    entry.isOver = isOver
    server.setOrder(board.order)
  }

  /// Looks at the background of a window before the glass over it appears. Returns whether the glass can appear. The pixels of the
  /// window must have values.
  mutating func decideBackground(of entry: PaneEntry) -> Bool {
    guard entry.isOver, entry.backgrounds.background == nil else { return true }
    look(at: entry, entry.wanted)
    // A refused window has no layout, so the entry is hidden now.
    return entry.backgrounds.background != nil
  }

  /// Looks at the background of a window, from the pixels of an appearance, and follows its change.
  private mutating func look(at entry: PaneEntry, _ appearance: Appearance?) {
    guard let window = appearance?.window, let pixels = store.pixelGrid(window.gridKey),
      let sample = ColorSample(of: pixels, window.visible)
    else { return }
    if entry.backgrounds.apply(sample) { updateAppearance(of: entry) }
    obstacleLog.update(lastingObstacles)
  }

  /// The next time at which a window is looked at again.
  var nextLook: Duration? { board.entries.compactMap { nextLook(at: $0) }.min() }

  /// The next time at which the window of a pane is looked at again; nil if it is not over one that it can look at.
  private func nextLook(at entry: PaneEntry) -> Duration? {
    guard entry.isOver, entry.isVisible, let client = entry.target?.client,
      canLook(at: entry) || entry.backgrounds.isRefused
    else { return nil }
    return entry.backgrounds.nextLook(area: client.rect.area)
  }

  /// Whether the pixels of the window of a pane are known. While its next appearance is awaited they may be those of another window.
  private func canLook(at entry: PaneEntry) -> Bool {
    entry.drawn != nil && entry.drawn === entry.wanted
  }

  /// Looks again at the windows that have changed much.
  mutating func advanceBackgrounds(now: Duration) {
    if isPainting { return }
    for entry in board.entries where entry.isOver && entry.isVisible {
      let isDue = nextLook(at: entry).map { $0 <= now } ?? false
      if isDue, entry.backgrounds.isRefused {
        entry.backgrounds.retry()
        updateAppearance(of: entry)
      } else if canLook(at: entry), isDue || entry.backgrounds.state == .unknown {
        // The window has changed, or the declared background.
        let color = entry.backgrounds.background?.color
        look(at: entry, entry.drawn)
        if entry.backgrounds.background?.color != color { decideScheme(of: entry) }
      }
      if entry.backgrounds.state != .unknown { entry.backgrounds.advance(now: now) }
    }
  }

  /// The pixels of the window that an appearance is over; nil if it is over none.
  func windowPixels(of appearance: Appearance) -> PixelGrid? {
    appearance.window.flatMap { store.pixelGrid($0.gridKey) }
  }
}
