import Panes
import Raster

// Captured pixels become cells.
extension Engine where Server: ~Copyable {
  /// Computes the cells of a capture, and records in the panes which have changed.
  mutating func reduce(_ plan: CapturePlan, failed: [View: Region]) {
    let answered = clock()
    statistics.capturing += answered - plan.start
    var changes: [GridKey: [Rect]] = [:]
    for target in plan.targets {
      if failed[target.view]?.intersects(target.source) == true {
        store.fail(target)
      } else {
        changes[target.key, default: []] += reduce(target)
      }
    }
    for entry in board.entries {
      entry.markChanged(cells: changes)
      if entry.trial != nil { entry.drawn?.restartContent() }
      damageComposedBackdrop(of: entry, captured: changes)
    }
    statistics.reducing += clock() - answered
  }

  /// Returns the cells that changed, as disjoint rectangles.
  private mutating func reduce(_ target: CaptureTarget) -> [Rect] {
    let threads = threads(for: target.source.area)
    guard server.isComposed(target.source, of: target.view) else {
      return reduce(target, threads: threads).rects
    }
    let bands = target.bands(ofPixels: composedPixelCount, threads: threads)
    return bands.flatMap { reduce($0, threads: threads).rects }
  }

  /// Computes the cells of a target. Returns those that changed.
  private mutating func reduce(_ target: CaptureTarget, threads: Int) -> Region {
    var changed = Region()
    server.withCaptured(target.source, of: target.view) { pixels, layout in
      changed = store.update(target, pixels, layout, threads: threads)
    }
    return changed
  }
}

/// The number of pixels that are composed at once, 256 KiB, so that they stay in a cache and need little memory.
private let composedPixelCount = 1 << 16
