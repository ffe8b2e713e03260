import Engine
import Raster

/// The damage that windows report in a batch of events, without the damage that uncoverings cause. It is divided into the damage
/// that the last capture includes and the damage that it does not include.
struct DamageLog {

  private var entries: [Entry] = []
  private var lastRead = Read()
  private var uncoverings = Uncoverings()

  /// A damaged rectangle, in the coordinates of its window.
  private struct Entry {
    let window: UInt32
    let rect: Rect
    /// Whether it was reported before the server executed the last capture.
    let isBeforeRead: Bool
  }

  /// A capture. It contains damage that was reported before the server executed its first request.
  private struct Read {
    /// The last request before the capture.
    var lastRequest: RequestSequence = 0
    var subtracted: Set<UInt32> = []
  }

  /// Records that a capture follows the request `lastRequest`, and that the damage of windows was subtracted for
  /// it.
  mutating func recordRead(after lastRequest: RequestSequence, subtracted: Set<UInt32>) {
    lastRead = Read(lastRequest: lastRequest, subtracted: subtracted)
  }

  mutating func append(_ uncovering: Uncoverings.Uncovering, processed: RequestSequence) {
    uncoverings.append(uncovering, processed: processed)
  }

  /// Records damage of a window at `origin` that was reported when `sequence` was the last request that the server had
  /// started. Returns whether the next capture must subtract it, so that the server reports new damage.
  mutating func append(
    _ rect: Rect, of window: UInt32, at origin: (x: Int, y: Int), _ sequence: RequestSequence
  ) -> Bool {
    let parts = uncoverings.changedParts(
      of: window, damaged: rect.translated(x: origin.x, y: origin.y), at: sequence
    ).map { $0.translated(x: -origin.x, y: -origin.y) }
    if parts.isEmpty { return false }
    let isBeforeRead =
      lastRead.subtracted.contains(window) && !isLater(sequence, than: lastRead.lastRequest)
    entries += parts.map { Entry(window: window, rect: $0, isBeforeRead: isBeforeRead) }
    return !isBeforeRead
  }

  /// Moves the damage to `changes`: for each view, the parts of its layers that are damaged. Must be called once for a batch,
  /// because it is slow for windows with complex shapes: a window in the shape of a text reports thousands of rectangles, and its
  /// layer has as many.
  mutating func move(to changes: inout ViewChanges, layers: [View: [WindowLayer]]) {
    if entries.isEmpty { return }
    let damaged = Dictionary(grouping: entries, by: \.window)
    for (view, layers) in layers {
      for layer in layers {
        guard case .window(let id) = layer.source, let entries = damaged[id] else { continue }
        // A window that has moved since the damage is damaged as a whole anyway.
        let (x, y) = layer.geometry?.origin ?? (0, 0)
        let captured = Region(entries.filter(\.isBeforeRead).map { $0.rect.translated(x: x, y: y) })
        changes.captured[view].form(union: layer.region.intersection(captured))
        let fresh = Region(
          entries.filter { !$0.isBeforeRead }.map { $0.rect.translated(x: x, y: y) })
        changes.fresh[view].form(union: layer.region.intersection(fresh))
      }
    }
    entries = []
  }
}

/// The changed regions of views.
struct ViewChanges {
  /// The changes that the last capture includes, because they were reported before the server executed it.
  var captured: [View: Region] = [:]
  /// The other changes.
  var fresh: [View: Region] = [:]

  var isEmpty: Bool { captured.isEmpty && fresh.isEmpty }

  /// Adds the pixels that differ between the layers of views.
  mutating func add(from old: [View: [WindowLayer]], to new: [View: [WindowLayer]]) {
    for (view, layers) in new {
      fresh[view].form(union: difference(from: old[view] ?? [], to: layers))
    }
  }
}

extension Region? {
  /// Adds the pixels of `other`. Reduces many rectangles to few, which may contain more pixels.
  fileprivate mutating func form(union other: Region) {
    if other.isEmpty { return }
    let union = self?.union(other) ?? other
    self = union.rects.count > 64 ? union.simplified(to: 8) : union
  }
}
