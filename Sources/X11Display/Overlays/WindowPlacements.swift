import Raster

/// The positions that a window had and has, and the pixels that were sent to it last. Determines which pixels
/// an exposure event means: such an event is in the coordinates of the window at the time when it was sent.
struct WindowPlacements {

  /// The placements to which events may refer, the oldest first; at least one.
  private var placements: [Placement]
  private var update: Update?

  /// The request that placed the window, and its rectangle on the screen since then.
  private struct Placement {
    let request: RequestSequence
    let rect: Rect
  }

  /// Pixels that were sent after a request, in the coordinates of the screen.
  private struct Update {
    let previous: RequestSequence
    let parts: [Rect]
  }

  /// A window that the request `mapped` showed.
  init(_ rect: Rect, mapped: RequestSequence) {
    placements = [Placement(request: mapped, rect: rect)]
  }

  /// Records that a request places the window. `processed` is the last request that the server is known to
  /// have started.
  mutating func append(_ rect: Rect, by request: RequestSequence, processed: RequestSequence) {
    placements.removeFirst(currentIndex(processed))
    placements.append(Placement(request: request, rect: rect))
  }

  /// Records that pixels were sent, after the request `previous`.
  mutating func recordUpdate(_ parts: [Rect], after previous: RequestSequence) {
    update = Update(previous: previous, parts: parts)
  }

  /// Whether the server has started the last placement. Earlier events about the position are outdated.
  func isCurrent(processed: RequestSequence) -> Bool {
    currentIndex(processed) == placements.count - 1
  }

  /// The parts of the screen whose pixels must be sent again, because the server reported that `exposed`, in
  /// the coordinates of the window, lost its pixels. `processed` is the last request that the server had
  /// started when it did. Pixels that were sent later are not lost.
  func lostParts(_ exposed: Rect, processed: RequestSequence) -> [Rect] {
    let window = placements[currentIndex(processed)].rect
    let lost = Region(exposed.translated(x: window.x, y: window.y))
    guard let update, !isLater(processed, than: update.previous) else { return lost.rects }
    return lost.subtracting(Region(disjoint: update.parts)).rects
  }

  /// The index of the placement that the server had executed last. The first one if it had executed none.
  private func currentIndex(_ processed: RequestSequence) -> Int {
    placements.lastIndex { !isLater($0.request, than: processed) } ?? 0
  }
}
