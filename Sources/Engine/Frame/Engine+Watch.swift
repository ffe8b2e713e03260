import Panes
import Raster

// The pixels on which panes depend.
extension Engine where Server: ~Copyable {
  /// Sets the watched regions to all pixels on which panes depend, if these changed.
  mutating func updateWatch() {
    // Captured pixels may be lost when nothing is watched.
    if readsCapture, board.needsNothing { return }
    let lost = watch.update { [board] in board.neededRegions(watching: $0) }
    guard let lost else { return }
    for (backdrop, region) in lost { store.damage(region, of: backdrop) }
    server.watch(watch.views)
  }
}

extension Engine where Server: ~Copyable {
  /// Whether pixels of the last capture may still be read, for cells or for pictures.
  private var readsCapture: Bool {
    switch frame {
    case .captured, .preparing, .drawing: true
    case .idle, .capturing: pictures != nil
    }
  }
}

extension Board {
  /// Whether no pane depends on any pixels.
  fileprivate var needsNothing: Bool {
    neededRegions(watching: [:]).values.allSatisfy(\.isEmpty)
  }

  /// The pixels on which panes depend. The pixels that a moving overlay covers are among them: an X server loses pixels of windows that
  /// are not redirected. `former` are the watched ones.
  fileprivate func neededRegions(watching former: [Backdrop: Region]) -> [Backdrop: Region] {
    var rects: [Backdrop: [Rect]] = [:]
    for entry in entries {
      for appearance in entry.appearances {
        for (backdrop, region) in appearance.sourceRegions {
          rects[backdrop, default: []] += region.rects
        }
      }
      // Panes behind windows need no such pixels: a compositor keeps the pixels of the windows below them.
      if entry.target == nil, let rect = entry.movedThrough, let shown = entry.shownState?.rect {
        let backdrop = Backdrop.captured(.belowPanes(entry.pane.layer))
        // The region of all layers, because the pane may have been in another one.
        let below = StackingLayer.allCases.compactMap { former[.captured(.belowPanes($0))] }
          .reduce(Region()) { $0.union($1) }
        // Only watched pixels count: a pane that shows the wallpaper needs no watch of the windows.
        rects[backdrop, default: []] +=
          below.contains(shown) ? [rect] : below.intersection(shown).rects
      }
    }
    return rects.mapValues { Region(covering: $0) }
  }
}
