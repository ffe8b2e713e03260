import Frost
import Panes
import Raster

// Panes are brought up to date with their cells.
extension Engine where Server: ~Copyable {
  /// Brings all panes up to date with their cells, from the lowest to the highest, because a pane may show the panes
  /// below it. Before the capture of a frame, only panes appear that are not drawn.
  mutating func advanceEntries(isCaptured: Bool) {
    updateWindowsBetween()
    let composed = board.entries.indices.filter { board.entries[$0].backdrop.isComposed }
    for index in board.entries.indices {
      let entry = board.entries[index]
      composeBackdrop(ofEntry: index)
      if isCaptured { updateScheme(ofCaptured: entry) }
      if isCaptured ? canAppear(entry) : canAppearEarly(entry), admitPixels(of: entry),
        decideBackground(of: entry)
      {
        if entry.drawn == nil { decideScheme(of: entry) }
        let place = entry.drawn?.pane
        promote(entry)
        if let place, entry.drawn?.pane != place { updateScheme(of: entry) }
      }
      settle(entry)
      for higher in composed where higher > index {
        damageComposedBackdrop(of: board.entries[higher], entry.undrawn)
      }
    }
  }

  /// Whether the next appearance of a pane can be drawn: all its cells have values.
  func canAppear(_ entry: PaneEntry) -> Bool {
    guard case .awaiting(let next, _) = entry.phase, !entry.isAwaitingRelease else { return false }
    return next.needs.allSatisfy { store.isKnown($0.value, of: $0.key) }
  }

  /// Whether a pane may appear before the capture of a frame, which corrects it.
  func canAppearEarly(_ entry: PaneEntry) -> Bool {
    entry.drawn == nil && !entry.awaitsBackground && canAppear(entry)
  }

  /// Whether a pane waits until wallpaper is known that windows cover now, or until the pixels of its window are.
  func awaitsWallpaper(_ entry: PaneEntry) -> Bool {
    guard case .awaiting(let next, _) = entry.phase else { return false }
    if let window = next.window {
      let view = window.gridKey.backdrop.view
      if server.hiddenRegion(of: view).intersects(window.visible), !canAppear(entry) { return true }
    }
    let views = [next.backdrop.view, .belowPanes(next.layer)]
    let isHidden = views.contains { view in
      let hidden = server.hiddenRegion(of: view)
      if hidden.isEmpty { return false }
      // Unknown wallpaper below the shadow counts too.
      return hidden.intersects(next.bounds)
        || next.sourceRegions.contains { $0.key.view == view && hidden.intersects($0.value) }
    }
    return isHidden && !canAppear(entry)
  }

  /// Decides the scheme of a pane after a capture.
  private mutating func updateScheme(ofCaptured entry: PaneEntry) {
    if let trial = entry.trial {
      if case .untilCapture = trial { entry.trial = .begun }
      decideScheme(of: entry)
    }
    if entry.drawn?.needsSettling == true { updateScheme(of: entry) }
  }

  /// Whether the frame may show a pane, if it is new.
  private mutating func admitPixels(of entry: PaneEntry) -> Bool {
    guard case .awaiting(let next, nil) = entry.phase else { return true }
    return newPixels.admit(next.bounds.area)
  }

  /// Makes the next appearance of a pane the drawn one. Its cells must have values.
  private mutating func promote(_ entry: PaneEntry) {
    guard case .awaiting(let next, let shown) = entry.phase else { return }
    var kept = Region()
    if let shown {
      next.reuseCells(of: shown)
      uncover(entry)
      kept = keptRegion(of: entry, from: shown, to: next)
    } else {
      entry.trial = store.mayMissCells(of: entry.owner) ? .untilCapture : .begun
    }
    entry.undrawn = Region(next.bounds).subtracting(kept)
    setPhase(of: entry, .drawable(next))
  }

  /// The pixels that stay right on the screen when a pane changes its appearance, usually when it moves.
  private func keptRegion(
    of entry: PaneEntry, from shown: Appearance, to next: Appearance
  ) -> Region {
    guard server.drawsOnScreen, !entry.isOver, let state = entry.shownState, !state.hasAlpha,
      !next.layout.state.hasAlpha
    else { return Region() }
    return next.regionDrawn(like: shown).subtracting(entry.undrawn)
  }

  /// Updates the glass of a pane, if it is drawn.
  private mutating func settle(_ entry: PaneEntry) {
    guard let drawn = entry.drawn, drawn.needsSettling else { return }
    let start = clock()
    let threads = threads(for: drawn.pane.area)
    entry.undrawn.form(union: drawn.settle(from: store, threads: threads))
    statistics.blurring += clock() - start
  }

  /// The number of threads for a change of `pixelCount` pixels.
  func threads(for pixelCount: Int) -> Int { pixelCount > largePixelCount ? threads : 1 }
}
