extension Region {
  /// A region of at most `limit` rectangles that contains this one. Traps if `limit` is less than
  /// 1.
  ///
  /// Repeatedly merges the pair of rectangles whose hull adds the fewest pixels. The hull is
  /// extended until it divides no other rectangle, and replaces all within it. Up to the limit, a
  /// merger is made only if it adds at most one eighth of the area of its hull, or at most `price`
  /// pixels, because every rectangle has a fixed cost. A region of more than `32 * limit`
  /// rectangles becomes its bounds, because the time is quadratic.
  package func simplified(to limit: Int, price: Int = 0) -> Region {
    precondition(limit >= 1)
    if rects.count > 32 * limit { return Region(bounds) }
    var merged = Mergers(rects)
    while let best = merged.cheapest {
      let isOverLimit = merged.count > limit
      let (hull, waste) = merged.closure(of: best.merger)
      if isOverLimit || waste * 8 <= hull.area || waste <= price {
        merged.merge(within: hull)
      } else if best.merger.waste * 8 > best.merger.hull.area, best.merger.waste > price {
        break
      } else {
        merged.reject(best.slot)
      }
    }
    return Region(disjoint: merged.rects)
  }

  /// For each rectangle of this region, the hull of what `other`, whose rectangles may overlap, has in common
  /// with it: at most one rectangle for each, which together contain all common pixels.
  package func hulls(of other: [Rect]) -> Region {
    let hulls = rects.map { part in other.reduce(Rect.zero) { $0.hull($1.intersection(part)) } }
    return Region(disjoint: hulls.filter { !$0.isEmpty })
  }
}

/// Two rectangles that can be replaced by their hull.
private struct Merger {
  /// The index of the rectangle to merge with.
  var partner: Int
  var hull: Rect
  /// The number of pixels that the hull has more than the two rectangles.
  var waste: Int
}

/// Disjoint rectangles, and for each the cheapest merger with an earlier one. Caching these mergers
/// means that one step compares few pairs.
private struct Mergers {
  /// The rectangles in their order of insertion; empty where a rectangle was merged.
  private var slots: [Rect]
  private var mergers: [Merger?]
  private(set) var count: Int

  init(_ rects: [Rect]) {
    slots = rects
    mergers = []
    count = rects.count
    mergers = slots.indices.map { cheapest(of: $0) }
  }

  /// The rectangles that are left.
  var rects: [Rect] { slots.filter { !$0.isEmpty } }

  /// The cheapest of all mergers, and the index of its later rectangle; nil if there is none.
  var cheapest: (slot: Int, merger: Merger)? {
    var best: (slot: Int, merger: Merger)?
    for (slot, merger) in mergers.enumerated() {
      guard let merger else { continue }
      if best.map({ merger.waste < $0.merger.waste }) ?? true { best = (slot, merger) }
    }
    return best
  }

  /// The hull of a merger, extended until it contains every rectangle that it intersects; and the
  /// number of pixels that it adds to the rectangles within it.
  func closure(of merger: Merger) -> (hull: Rect, waste: Int) {
    var hull = merger.hull
    while let wider = slots.first(where: { $0.intersects(hull) && !hull.contains($0) }) {
      hull = hull.hull(wider)
    }
    let area = slots.reduce(0) { $0 + (hull.contains($1) ? $1.area : 0) }
    return (hull, hull.area - area)
  }

  /// Discards the cheapest merger of a rectangle, because its closure adds too many pixels.
  mutating func reject(_ slot: Int) { mergers[slot] = nil }

  /// Replaces all rectangles within the hull of a closure by that hull.
  mutating func merge(within hull: Rect) {
    for index in slots.indices where !slots[index].isEmpty && hull.contains(slots[index]) {
      slots[index] = .zero
      mergers[index] = nil
      count -= 1
    }
    for i in slots.indices {
      if let merger = mergers[i], slots[merger.partner].isEmpty { mergers[i] = cheapest(of: i) }
    }
    slots.append(hull)
    count += 1
    mergers.append(cheapest(of: slots.count - 1))
  }

  /// The cheapest merger of a rectangle with an earlier one; nil if there is none.
  private func cheapest(of index: Int) -> Merger? {
    var best: Merger?
    for partner in 0..<index where !slots[partner].isEmpty {
      let hull = slots[partner].hull(slots[index])
      let waste = hull.area - slots[partner].area - slots[index].area
      if best.map({ waste < $0.waste }) ?? true {
        best = Merger(partner: partner, hull: hull, waste: waste)
      }
    }
    return best
  }
}
