/// A set of pixels, kept as disjoint rectangles.
///
/// Made for the few rectangles that damage and window stacks consist of: every operation looks at
/// each rectangle, so a region of `n` costs O(n), and a union of two O(n * m). `simplified(to:)` is
/// how a region that may have grown long is bounded.
package struct Region: Sendable {
  /// Disjoint, none empty, in no particular order.
  package private(set) var rects: [Rect]

  package init() { rects = [] }

  package init(_ rect: Rect) { rects = rect.isEmpty ? [] : [rect] }

  /// The union of rectangles that may overlap.
  package init(_ overlapping: some Sequence<Rect>) {
    self.init()
    for rect in overlapping { form(union: rect) }
  }

  package var isEmpty: Bool { rects.isEmpty }
  package var area: Int { rects.reduce(0) { $0 + $1.area } }
  package var bounds: Rect { rects.reduce(.zero) { $0.hull($1) } }

  package mutating func form(union rect: Rect) {
    if rect.isEmpty || rects.contains(where: { $0.contains(rect) }) { return }
    rects.removeAll { rect.contains($0) }
    var pieces = [rect]
    for taken in rects where taken.intersects(rect) {
      pieces = pieces.flatMap { $0.subtracting(taken) }
    }
    rects += pieces
  }

  package mutating func form(union other: Region) {
    for rect in other.rects { form(union: rect) }
  }

  package mutating func subtract(_ rect: Rect) {
    guard rects.contains(where: { $0.intersects(rect) }) else { return }
    rects = rects.flatMap { $0.subtracting(rect) }
  }

  package mutating func subtract(_ other: Region) {
    for rect in other.rects { subtract(rect) }
  }

  package func intersection(_ rect: Rect) -> Region {
    var common = Region()
    common.rects = rects.map { $0.intersection(rect) }.filter { !$0.isEmpty }
    return common
  }

  package func intersection(_ other: Region) -> Region {
    var common = Region()
    common.rects = other.rects.flatMap { intersection($0).rects }
    return common
  }

  package func intersects(_ rect: Rect) -> Bool { rects.contains { $0.intersects(rect) } }

  package func translated(x: Int, y: Int) -> Region {
    var moved = self
    for i in moved.rects.indices { moved.rects[i] = rects[i].translated(x: x, y: y) }
    return moved
  }

  /// A region of at most `limit` rectangles (one or more) that covers this one.
  ///
  /// Merges the pair whose hull adds the fewest pixels, again and again; a pair whose hull adds less
  /// than an eighth is merged even below the limit, for a rectangle has a price of its own.
  package func simplified(to limit: Int) -> Region {
    precondition(limit >= 1)
    if rects.count > 32 * limit { return Region(bounds) }
    var merged = self
    while let best = cheapestMerge(of: merged.rects) {
      guard merged.rects.count > limit || best.waste * 8 <= best.hull.area else { break }
      merged.swallow(best.hull)
    }
    return merged
  }

  /// Replaces all that `rect` touches by one hull, until the hull touches nothing else.
  private mutating func swallow(_ rect: Rect) {
    var hull = rect
    while let index = rects.firstIndex(where: { $0.intersects(hull) }) {
      hull = hull.hull(rects.remove(at: index))
    }
    rects.append(hull)
  }
}

extension Region: Equatable {
  /// Equal when they hold the same pixels, however these are cut into rectangles.
  package static func == (one: Region, other: Region) -> Bool {
    var rest = one
    rest.subtract(other)
    return rest.isEmpty && one.area == other.area
  }
}

private struct Merge {
  var hull: Rect
  var waste: Int
}

private func cheapestMerge(of rects: [Rect]) -> Merge? {
  var best: Merge?
  for second in rects.indices {
    for first in 0..<second {
      let hull = rects[first].hull(rects[second])
      let waste = hull.area - rects[first].area - rects[second].area
      if best.map({ waste < $0.waste }) ?? true {
        best = Merge(hull: hull, waste: waste)
      }
    }
  }
  return best
}
