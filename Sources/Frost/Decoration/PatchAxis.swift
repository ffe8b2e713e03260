/// One axis of a nine-patch: padding, the part that depends on the pane's start, a middle pixel
/// that may be repeated, the part that depends on the pane's end, padding.
struct PatchAxis: Equatable {
  /// The length in pixels of the pane for which the patch is made: that of the smallest pane with a
  /// repeatable middle, or less.
  let length: Int
  /// The position of the middle pixel from the pane's start.
  let middle: Int
  /// The length of the smallest pane with a repeatable middle.
  private let smallest: Int
  private let before, after: Int

  /// All in pixels: `corner` is the reach of a corner, `blur` the radius of the shadow's blur,
  /// `offset` that of the shadow; `before` and `after` are the padding.
  init(paneLength: Int, corner: Int, blur: Int, offset: Int, before: Int, after: Int) {
    let head = corner + max(0, blur + offset)
    let tail = corner + max(0, blur - offset)
    smallest = head + 1 + tail
    length = min(paneLength, smallest)
    middle = min(head, length - 1)
    self.before = before
    self.after = after
  }

  /// The number of pixels of the patch.
  var count: Int { before + length + after }

  /// The positions of these pixels from the pane's start.
  var positions: Range<Int> { -before..<length + after }

  /// Whether the patch can draw a pane of another length.
  func fits(_ paneLength: Int) -> Bool { min(paneLength, smallest) == length }

  /// The index of the patch's pixel for `position` of a pane of `paneLength`.
  func index(of position: Int, in paneLength: Int) -> Int {
    let repeated = paneLength - length
    if position <= middle { return before + position }
    return before + max(middle, position - repeated)
  }

  /// The pixels of the patch for a range of coordinates of a pane, as at most three runs. The
  /// positions in the target are relative to `origin`.
  func runs(_ columns: Range<Int>, of pane: Range<Int>, from origin: Int) -> [PatchRun] {
    let start = pane.lowerBound + middle
    let end = start + 1 + pane.count - length
    let parts = [Int.min..<start, start..<end, end..<Int.max]
    return parts.compactMap { part in
      let part = columns.clamped(to: part)
      if part.isEmpty { return nil }
      return PatchRun(
        from: index(of: part.lowerBound - pane.lowerBound, in: pane.count),
        to: part.lowerBound - origin, count: part.count,
        isRepeated: part.lowerBound >= start && part.upperBound <= end)
    }
  }
}

/// Consecutive pixels of a row of a patch and their position in a row of the target.
struct PatchRun {
  /// The index in the patch, the position in the target, and the number of pixels.
  var from, to, count: Int
  /// Whether the first pixel is repeated `count` times.
  var isRepeated: Bool
}
