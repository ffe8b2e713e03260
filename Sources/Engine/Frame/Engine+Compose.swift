import Panes
import Raster

/// Backdrops that contain panes. The engine composes one for each pane that shows the panes below it.
extension Engine where Server: ~Copyable {
  /// Computes the stale cells of the backdrop of a pane, if it is composed. The panes below must be settled. Cells stay
  /// stale if the pixels below the panes are not known.
  mutating func composeBackdrop(ofEntry index: Int) {
    let entry = board.entries[index]
    guard entry.backdrop.isComposed, entry.wanted != nil else { return }
    let start = clock()
    var changes: [GridKey: [Rect]] = [:]
    for target in store.startComposing(entry.backdrop) {
      for band in target.bands(ofPixels: pictureArea, threads: 1) {
        changes[target.key, default: []] += compose(band, belowEntry: index).rects
      }
    }
    entry.markChanged(cells: changes)
    statistics.reducing += clock() - start
  }

  /// Computes cells of the backdrop of a pane. Returns those that changed.
  private mutating func compose(_ target: CaptureTarget, belowEntry index: Int) -> Region {
    let source = target.source
    let key = GridKey.pixels(below: board.entries[index].pane.layer, on: OutputKey(server.screen))
    guard store.isKnown(Region(source), of: key), let grid = store.pixelGrid(key) else {
      store.fail(target)
      return Region()
    }
    let layout = PixelLayout(source)
    var picture = Bitmap(width: source.width, height: source.height)
    var pixels = picture.pixels.mutableSpan
    grid.copy(source, into: &pixels, layout)
    drawPanes(belowEntry: index, over: &pixels, layout)
    return store.update(target, picture.pixels.span, layout, threads: 1)
  }

  /// Draws the panes below a pane over pixels of its view.
  func drawPanes(
    belowEntry index: Int, over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    for part in parts(in: layout.bounds, belowEntry: index) {
      part.pane.draw(part.region, over: &pixels, layout)
    }
  }

  /// The visible parts, in a rectangle, of the panes below a pane, the lowest first.
  private func parts(in rect: Rect, belowEntry index: Int) -> [VisiblePart] {
    var opening = Opening(region: Region(rect))
    var parts: [VisiblePart] = []
    for lower in board.entries[..<index].reversed() {
      guard let drawn = lower.drawn, drawn.bounds.intersects(rect) else { continue }
      let uncovered = Region(drawn.bounds).subtracting(
        windows(between: lower.pane.layer, and: board.entries[index].pane.layer))
      let region = opening.close(by: drawn, uncovered)
      if !region.isEmpty { parts.append(VisiblePart(pane: drawn, region: region)) }
    }
    return parts.reversed()
  }

  /// Handles that pixels of a composed backdrop changed: its cells there are stale. Does nothing for others.
  mutating func damageComposedBackdrop(of entry: PaneEntry, _ changed: Region) {
    if entry.backdrop.isComposed { store.damage(changed, of: entry.backdrop) }
  }

  /// Handles that captured pixels changed.
  mutating func damageComposedBackdrop(of entry: PaneEntry, captured changes: [GridKey: [Rect]]) {
    guard let key = entry.wanted?.pixelKey, let rects = changes[key] else { return }
    damageComposedBackdrop(of: entry, Region(covering: rects))
  }
}

/// A part of a pane that is visible through panes above it.
private struct VisiblePart {
  let pane: Appearance
  let region: Region
}

/// The number of pixels of a backdrop that are composed at once, 1 MiB.
private let pictureArea = 1 << 18
