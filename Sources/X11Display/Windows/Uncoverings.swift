import Raster

/// The requests that uncovered windows, because they moved or hid an overlay.
///
/// When the visible part of an automatically redirected window grows, an X server reports the new part as damage,
/// although no pixel of the window has changed. This damage is recognised by its sequence number.
struct Uncoverings {

  private var uncoverings: [Uncovering] = []

  /// Successive requests, between which the server handled no request of another client.
  struct Uncovering {
    /// The watched windows in the region. Their damage was subtracted by the last requests.
    let windows: [UInt32]
    /// The region that became visible, in the coordinates of the screen.
    let region: Region
    let first, last: RequestSequence

    fileprivate func includes(_ window: UInt32, _ sequence: RequestSequence) -> Bool {
      !isLater(first, than: sequence) && !isLater(sequence, than: last) && windows.contains(window)
    }
  }

  /// Adds requests. `processed` is the last request that the server is known to have started.
  mutating func append(_ uncovering: Uncovering, processed: RequestSequence) {
    uncoverings.removeAll { isLater(processed, than: $0.last) }
    uncoverings.append(uncovering)
  }

  /// The parts of the screen that may have changed if the server reported damage of a window when `sequence` was
  /// the last request that it had started. Empty if uncovering the window caused it.
  func changedParts(of window: UInt32, damaged rect: Rect, at sequence: RequestSequence) -> [Rect] {
    guard let cause = uncoverings.first(where: { $0.includes(window, sequence) }) else {
      return [rect]
    }
    if cause.region.contains(rect) { return [] }
    // The damage is not only that of the uncovering: the server itself has drawn, such as the next frame of a video. It reports
    // each pixel once, so the drawn part of the region is unknown.
    return [rect] + cause.region.rects
  }
}
