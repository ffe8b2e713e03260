import Frost
import Panes
import Raster

/// Changes of the wanted panes, which become work for the next frame.
extension Engine where Server: ~Copyable {
  mutating func insert(_ pane: Pane, fade: Fade) {
    for site in sites(of: pane) { insert(pane, site, at: board.entries.endIndex, fade: fade) }
  }

  private mutating func insert(_ pane: Pane, _ site: PaneSite, at index: Int, fade: Fade) {
    let entry = PaneEntry(
      pane, site, in: server.colorScheme ?? .dark, overlay: server.makeOverlay(pane.name))
    board.entries.insert(entry, at: index)
    locate(entry)
    sortEntries()
    startTransition(of: entry, from: LookMix(entry.look, weight: 0), over: fade)
  }

  /// Replaces a pane by another one with the same name, on each of its outputs. A pane on one output that goes to
  /// another one keeps its overlay.
  mutating func replace(by pane: Pane, fade: Fade) {
    let sites = sites(of: pane)
    let old = board.entries(of: pane.name)
    let changesLayer = old.contains { $0.pane.layer != pane.layer }
    var leaving = old.filter { !sites.contains($0.site) }
    for site in sites {
      if let entry = old.first(where: { $0.site == site }) {
        replace(entry, by: pane, fade: fade)
      } else if sites.count == 1, !leaving.isEmpty {
        let entry = leaving.removeFirst()
        entry.site = site
        replace(entry, by: pane, fade: fade)
      } else {
        // If the layer changes, all entries of the pane go on top of the new layer.
        let last = changesLayer ? nil : board.entries.lastIndex { $0.pane.name == pane.name }
        insert(pane, site, at: (last ?? board.entries.endIndex - 1) + 1, fade: fade)
      }
    }
    for entry in leaving { discard(entry) }
    sortOutputs(of: pane)
  }

  /// Sorts the entries of a pane by the outputs. The entry of a later output is above the others.
  private mutating func sortOutputs(of pane: Pane) {
    let indices = board.entries.indices.filter { board.entries[$0].pane.name == pane.name }
    let own = board.entries(of: pane.name)
    let sorted = sites(of: pane).compactMap { site in own.first { $0.site == site } }
    if own.elementsEqual(sorted, by: ===) { return }
    cancelPainting()
    for (index, entry) in zip(indices, sorted) { board.entries[index] = entry }
    server.setOrder(board.order)
    // Another entry may be visible through the soft parts now.
    markChanged(own.compactMap { $0.drawn?.bounds }, belowEntriesFrom: 0)
  }

  mutating func discard(_ entry: PaneEntry) {
    hide(entry)
    board.entries.removeAll { $0 === entry }
    server.removeOverlay(entry.overlay)
    server.setOrder(board.order)
  }

  /// Sorts the panes by their layers, each layer in its present order, those behind windows last, and sets the stacking order.
  mutating func sortEntries() {
    board.sort()
    server.setOrder(board.order)
  }

  private mutating func replace(_ entry: PaneEntry, by pane: Pane, fade: Fade) {
    entry.pane.end = pane.end
    let old = entry.pane
    // A pane at the pointer finds its output each time that it appears.
    if entry.site == .output(.pointer), pane.isShown, !old.isShown { entry.output = nil }
    // A change without a fade ends a transition, even if it changes nothing else.
    let endsTransition = fade == .none && entry.transition != nil
    if pane == old && !endsTransition { return }
    let oldFrame = entry.frame
    entry.pane = pane
    locate(entry)
    if !old.isAdaptive, let scheme = newScheme(of: entry) { entry.scheme = scheme }
    if pane.layer != old.layer { changeLayer(of: entry) }
    // A size that follows the content may be the same.
    let isAtSamePlace =
      pane.placement == old.placement || pane.placement.isAuto && entry.frame == oldFrame
    let isMoved = !isAtSamePlace || pane.sees != old.sees || pane.layer != old.layer
    if old.isShown || entry.transition != nil {
      // The transition of a pane that was disappearing starts at its current looks.
      startTransition(of: entry, from: entry.looks, over: isMoved ? .none : fade)
    } else {
      startTransition(
        of: entry, from: LookMix(entry.look, weight: 0), over: pane.isShown ? fade : .none)
    }
  }

  /// Moves a pane on top of those of its layer.
  private mutating func changeLayer(of entry: PaneEntry) {
    cancelPainting()
    uncover(entry)
    board.entries.removeAll { $0 === entry }
    board.entries.append(entry)
    sortEntries()
    uncover(entry)
    if let drawn = entry.drawn { entry.markChangedBelow([drawn.bounds]) }
    // It is above other panes now.
    store.damage(Region(server.screen.bounds), of: entry.backdrop)
  }

  /// Changes the look of a pane to that of its settings, at once or in a transition.
  mutating func startTransition(of entry: PaneEntry, from start: LookMix, over fade: Fade) {
    let look = entry.look
    if fade == .none {
      entry.transition = nil
      entry.looks = LookMix(look)
    } else {
      let transition = Transition(
        from: start, to: entry.pane.isShown ? look : nil, length: fade.duration)
      entry.transition = transition
      entry.looks = transition.first
    }
    updateAppearance(of: entry)
  }

  /// Whether a pane is in a transition, or a drawer falls.
  package var isFading: Bool {
    board.entries.contains {
      $0.transition != nil || $0.outputFade != nil || $0.drawer?.isFalling == true
    }
  }

  /// Steps all transitions to a time.
  mutating func advanceTransitions(now: Duration) {
    for entry in board.entries where entry.transition != nil || entry.outputFade != nil {
      if var transition = entry.transition {
        entry.looks = transition.looks(now: now)
        entry.transition = transition.isOver(now: now) ? nil : transition
      }
      if entry.outputFade?.advance(now: now) == false { entry.outputFade = nil }
      updateAppearance(of: entry)
    }
  }

  // MARK: Appearance

  /// Updates the wanted appearance of a pane from its settings, its look and its output. If a painting draws the
  /// appearance that would change, this is done at its end.
  mutating func updateAppearance(of entry: PaneEntry) {
    entry.isLookOutdated = false
    entry.placedPosition = entry.drawer?.position ?? 0
    // It appears when the position of the pointer is known; until then its transition waits.
    if entry.site == .output(.pointer), entry.output == nil, entry.isVisible, entry.wanted == nil {
      return
    }
    guard !isSuspended, entry.isVisible, let layout = makeLayout(of: entry),
      !isLocked(layout.state.rect)
    else {
      let wasChanging = entry.transition != nil
      hide(entry)
      // Without the shadow that it had before the transition it may be beside the locked part.
      if wasChanging, entry.pane.isShown { updateAppearance(of: entry) }
      return
    }
    if let wanted = entry.wanted, wanted.canShow(entry, layout) {
      if isPainting, wanted === entry.drawn {
        entry.isLookOutdated = true
      } else {
        change(wanted, of: entry, to: layout)
      }
    } else {
      prepare(entry, layout)
    }
  }

  /// Applies the looks that had to wait for the end of a painting.
  mutating func updateOutdatedLooks() {
    if isPainting { return }
    for entry in board.entries where entry.isLookOutdated { updateAppearance(of: entry) }
  }

  /// Whether a part of the screen is locked, so that no pane may be shown there.
  func isLocked(_ rect: Rect) -> Bool {
    sessionLock != nil || server.lockedRegion.intersects(rect)
  }

  /// The layout of a pane on its output; nil if it is outside, or if the output is not there.
  private func makeLayout(of entry: PaneEntry) -> PaneLayout? {
    guard let output = entry.output else { return nil }
    return PaneLayout(
      entry, on: output, of: server.screen, blendsAlpha: server.blendsAlpha,
      isSheet: server.way == .handedOver, sharing: knownDecorations)
  }

  /// Changes an appearance to one that needs no other cells.
  private mutating func change(
    _ wanted: Appearance, of entry: PaneEntry, to layout: PaneLayout
  ) {
    switch entry.phase {
    case .hidden: break
    case .awaiting(_, let shown):
      let next = Appearance(entry, layout, reusing: wanted)
      setPhase(of: entry, .awaiting(next: next, shown: shown))
    case .drawable:
      let (next, undrawn) = wanted.changed(to: entry, layout)
      let needsOthers = next.needs != wanted.needs
      entry.phase = .drawable(next)
      entry.undrawn.form(union: undrawn)
      if needsOthers { setPhase(of: entry, entry.phase) }
    }
  }

  /// Prepares a new appearance of a pane. The current one is shown until the new one is drawable.
  private mutating func prepare(_ entry: PaneEntry, _ layout: PaneLayout) {
    let next = Appearance(entry, layout, reusing: entry.wanted)
    setPhase(of: entry, .awaiting(next: next, shown: entry.drawn))
  }

  mutating func hide(_ entry: PaneEntry) {
    if entry.drawn != nil || entry.shownState != nil { cancelPainting() }
    uncover(entry)
    if entry.shownState != nil { server.hide(entry.overlay) }
    entry.overlayPhase = .unmapped
    entry.transition = nil
    entry.outputFade = nil
    loseContacts(of: entry)
    if !entry.isVisible || isSuspended { entry.drawer?.rest() }
    entry.looks = LookMix(entry.look)
    setPhase(of: entry, .hidden)
  }

  mutating func setPhase(of entry: PaneEntry, _ phase: PaneEntry.Phase) {
    entry.phase = phase
    if case .hidden = phase { entry.undrawn = Region() }
    var needs: [GridKey: Region] = [:]
    for appearance in entry.appearances {
      needs.merge(appearance.needs) { $0.union($1) }
    }
    store.setNeeds(of: entry.owner, needs, now: clock())
    watch.invalidate()
  }

  /// Handles that the drawn pixels of a pane appear or disappear.
  mutating func uncover(_ entry: PaneEntry) {
    guard let drawn = entry.drawn, let index = board.entries.firstIndex(where: { $0 === entry })
    else { return }
    markChanged([drawn.bounds], belowEntriesFrom: index + 1)
  }

  /// Handles that pixels below some panes changed, the first of them at `index`.
  mutating func markChanged(_ rects: [Rect], belowEntriesFrom index: Int) {
    let changed = Region(covering: rects)
    for entry in board.entries[index...] { markChanged(changed, below: entry) }
  }

  /// Handles that pixels below a pane changed: its soft parts must be redrawn there, and the backdrop that is composed for
  /// it is stale.
  mutating func markChanged(_ changed: Region, below entry: PaneEntry) {
    entry.markChangedBelow(changed.rects)
    damageComposedBackdrop(of: entry, changed)
  }
}
