/// A nine-patch along one of its axes: padding, what depends on the pane's start, a middle that may be
/// repeated, what depends on its end, padding.
struct PatchAxis: Equatable {
  /// The pane that the patch is of: the smallest with a middle, or a smaller one.
  let length: Int
  /// Where the middle is, from the pane's start on.
  let middle: Int
  private let smallest: Int
  private let before, after: Int

  /// `corner` is how far corners, `blur` how far a pixel's shadow reaches.
  init(paneLength: Int, corner: Int, blur: Int, offset: Int, before: Int, after: Int) {
    let head = corner + max(0, blur + offset)
    let tail = corner + max(0, blur - offset)
    smallest = head + 1 + tail
    length = min(paneLength, smallest)
    middle = min(head, length - 1)
    self.before = before
    self.after = after
  }

  /// Of the patch's pixels.
  var count: Int { before + length + after }

  /// Those pixels, counted from the pane's start on.
  var positions: Range<Int> { -before..<length + after }

  func serves(_ paneLength: Int) -> Bool { min(paneLength, smallest) == length }

  /// Which pixel of the patch is at `position` of a pane that is `paneLength` long.
  func place(of position: Int, in paneLength: Int) -> Int {
    let repeated = paneLength - length
    if position <= middle { return before + position }
    return before + max(middle, position - repeated)
  }

  /// The same for a range of a pane's coordinates, in up to three parts. Their places in the picture
  /// are counted from `origin` on.
  func runs(_ columns: Range<Int>, of pane: Range<Int>, from origin: Int) -> [PatchRun] {
    let start = pane.lowerBound + middle
    let end = start + 1 + pane.count - length
    let parts = [Int.min..<start, start..<end, end..<Int.max]
    return parts.compactMap { part in
      let part = columns.clamped(to: part)
      if part.isEmpty { return nil }
      return PatchRun(
        from: place(of: part.lowerBound - pane.lowerBound, in: pane.count),
        to: part.lowerBound - origin, count: part.count,
        isRepeated: part.lowerBound >= start && part.upperBound <= end)
    }
  }
}

/// Pixels of a row of a patch, and where they go in a row of a picture.
struct PatchRun {
  var from, to, count: Int
  /// Whether they are all the first one.
  var isRepeated: Bool
}
