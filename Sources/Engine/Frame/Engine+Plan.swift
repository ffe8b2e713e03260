import Frost
import Panes
import Raster

/// Determines how the undrawn regions of panes are drawn into their overlays, from the lowest pane to the highest.
/// Parts whose pixels would be lost, because a higher overlay covers them, are not drawn.
///
/// If the display does not blend overlays, the soft parts of a pane (shadow, corners) must contain
/// the pixels below them: backdrop and lower panes. Soft parts without a lower pane are composed
/// over the backdrop in the buffer of the overlay. All others are composed in a `SoftCanvas` for each layer, in
/// one pass over the panes, so the number of drawn pixels is linear in the number of panes.
extension Engine where Server: ~Copyable {
  /// The steps that draw and send all undrawn regions. The glass of all drawn panes must be settled.
  mutating func plannedSteps() -> [Painting.Step] {
    let start = clock()
    redrawSoftPartsAboveChanges()
    var steps: [Painting.Step] = []
    for layer in StackingLayer.allCases
    where board.entries.contains(where: { $0.pane.layer == layer }) {
      steps += self.steps(of: layer)
    }
    statistics.presenting += clock() - start
    return steps
  }

  /// The steps that draw the undrawn regions of a layer, which are no longer undrawn then.
  private func steps(of layer: StackingLayer) -> [Painting.Step] {
    let parts = board.entries.indices.map {
      board.entries[$0].pane.layer == layer ? undrawnParts(ofEntry: $0) : nil
    }
    let canvas = makeCanvas(for: parts, of: layer)
    let visible = canvas == nil ? [] : visibleRegions(through: parts, of: layer)
    var steps: [Painting.Step] = []
    for (index, parts) in zip(board.entries.indices, parts) {
      let entry = board.entries[index]
      guard let drawn = entry.drawn else { continue }
      if let canvas, !visible[index].isEmpty {
        steps.append(.compose(drawn, in: visible[index], canvas))
      }
      if let parts {
        steps.append(
          .update(OverlayDrawing(entry, drawn, parts, undrawn: entry.undrawn, canvas)))
        entry.undrawn = Region()
      }
    }
    return steps
  }

  /// The region of each pane that must be drawn into the canvas of a layer: its own shared parts, and what is
  /// visible of it through the shared parts of higher panes. Glass hides what is below it, so of a stack of
  /// panes few are visible at one place.
  private func visibleRegions(
    through parts: [UndrawnParts?], of layer: StackingLayer
  ) -> [Region] {
    var visible = [Region](repeating: Region(), count: board.entries.count)
    var opening = Opening(region: Region())
    for index in board.entries.indices.reversed() {
      // Glass over a window is a part of that.
      guard let drawn = board.entries[index].drawn, board.entries[index].pane.layer <= layer,
        !board.entries[index].isOver
      else { continue }
      let own = Region(parts[index]?.shared ?? [])
      let windows = windows(between: board.entries[index].pane.layer, and: layer)
      let uncovered = Region(drawn.bounds).subtracting(windows)
      visible[index] = opening.close(by: drawn, uncovered).union(own)
      opening.open(own)
    }
    return visible
  }

  /// The region of windows that cover panes of a layer and not those of a higher one.
  func windows(between lower: StackingLayer, and upper: StackingLayer) -> Region {
    windowsBetween[LayerPair(lower: lower, upper: upper)] ?? Region()
  }

  /// Records where windows between two layers have appeared or disappeared: there the panes of the upper layer show
  /// other pixels below them.
  mutating func updateWindowsBetween() {
    let wanted = board.entries.filter { $0.wanted != nil }
    let lowers = Set(wanted.map(\.pane.layer))
    let uppers = Set(wanted.filter { $0.wanted?.pixelKey != nil }.map(\.pane.layer))
    var between: [LayerPair: Region] = [:]
    for upper in uppers {
      for lower in lowers where lower < upper {
        let pair = LayerPair(lower: lower, upper: upper)
        let region = server.regionOfWindows(above: lower, below: upper)
        between[pair] = region
        guard let old = windowsBetween[pair], old != region else { continue }
        let changed = old.subtracting(region).union(region.subtracting(old))
        for entry in wanted where entry.pane.layer == upper {
          markChanged(changed, below: entry)
        }
      }
    }
    windowsBetween = between
  }

  /// Adds to the undrawn region of each pane the soft parts through which a change of a lower pane
  /// is visible. Reduces each undrawn region to few rectangles.
  private func redrawSoftPartsAboveChanges() {
    var changed: [Rect] = []
    for entry in board.entries {
      guard let drawn = entry.drawn else { continue }
      entry.markChangedBelow(changed)
      entry.undrawn = entry.undrawn.intersection(drawn.bounds)
      if entry.undrawn.rects.count > manyRects {
        entry.undrawn = Region(covering: entry.undrawn.rects).intersection(drawn.bounds)
          .simplified(to: manyRects)
      }
      changed += entry.undrawn.rects
    }
  }

  /// The visible part of the undrawn region of a pane, divided by what it needs from below; nil if there is
  /// nothing to present of the pane.
  private func undrawnParts(ofEntry index: Int) -> UndrawnParts? {
    let entry = board.entries[index]
    guard entry.hasUndrawnPixels, let drawn = entry.drawn else { return nil }
    // A pane that has changed its layer stays as it is until the pixels below the new layer are known.
    if drawn.pixelKey != nil, drawn.layer != entry.pane.layer { return nil }
    let undrawn = visiblePart(of: entry.undrawn, ofEntry: index)
    let soft = drawn.layout.softRegion.hulls(of: undrawn.rects)
    if soft.isEmpty { return UndrawnParts(glass: undrawn.rects, soft: [], shared: []) }
    let glass = undrawn.subtracting(drawn.layout.softRegion).rects
    let lower = board.entries[..<index].compactMap { $0.drawn?.bounds }
      .map { $0.intersection(drawn.bounds) }.filter { !$0.isEmpty }
    if lower.isEmpty { return UndrawnParts(glass: glass, soft: soft.rects, shared: []) }
    let shared = soft.intersection(Region(covering: lower))
    return UndrawnParts(
      glass: glass, soft: soft.subtracting(shared).rects, shared: shared.rects)
  }

  /// A region of a pane without parts whose pixels would be lost, because higher overlays cover them. The
  /// display reports the parts that become visible again. Stops if the region has many rectangles: to draw
  /// some pixels in vain costs less.
  private func visiblePart(of region: Region, ofEntry index: Int) -> Region {
    guard server.drawsOnScreen, !board.entries[index].isOver,
      board.entries[index].drawn?.layout.state.hasAlpha == false
    else { return region }
    var visible = region
    for higher in board.entries[(index + 1)...] where !higher.isOver {
      if visible.isEmpty || visible.rects.count > manyRects { break }
      if let state = higher.shownState, !state.hasAlpha { visible.subtract(state.rect) }
    }
    return visible
  }

  /// A canvas with the backdrop of a layer for the shared parts of its panes; nil if there are none.
  private func makeCanvas(for parts: [UndrawnParts?], of layer: StackingLayer) -> SoftCanvas? {
    let region = Region(covering: parts.flatMap { $0?.shared ?? [] }, blockSize: 16)
    guard !region.isEmpty, let grid = pixelGrid(of: layer) else { return nil }
    return SoftCanvas(region, over: grid)
  }

  /// The backdrop of the soft parts of a layer; nil if no pane has them. It is the same for all panes, because pixels
  /// belong to the screen.
  private func pixelGrid(of layer: StackingLayer) -> PixelGrid? {
    board.entries.lazy.compactMap { $0.drawn?.pixelKey }.first {
      $0.backdrop.view == .belowPanes(layer)
    }
    .flatMap { store.pixelGrid($0) }
  }
}

/// The number of rectangles of a region above which to handle them costs more than to draw more pixels.
private let manyRects = 16
