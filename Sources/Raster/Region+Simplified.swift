extension Region {
  /// A region of at most `limit` rectangles (one or more) that covers this one.
  ///
  /// Merges the pair whose hull adds the fewest pixels, again and again; a pair whose hull adds less
  /// than an eighth is merged even below the limit, for a rectangle has a price of its own.
  package func simplified(to limit: Int) -> Region {
    precondition(limit >= 1)
    if rects.count > 32 * limit { return Region(bounds) }
    var merged = Mergers(rects)
    while let best = merged.cheapest {
      guard merged.count > limit || best.waste * 8 <= best.hull.area else { break }
      merged.swallow(best.hull)
    }
    return Region(disjoint: merged.rects)
  }
}

private struct Merger {
  /// The index of the rectangle to merge with.
  var partner: Int
  var hull: Rect
  var waste: Int
}

/// Disjoint rectangles, and of each the cheapest merger with an earlier one: so that a merger, of
/// which there are many, looks at few pairs.
private struct Mergers {
  /// In the order in which they came; empty where one was merged.
  private var slots: [Rect]
  private var mergers: [Merger?]
  private(set) var count: Int

  init(_ rects: [Rect]) {
    slots = rects
    mergers = []
    count = rects.count
    mergers = slots.indices.map { cheapest(of: $0) }
  }

  var rects: [Rect] { slots.filter { !$0.isEmpty } }

  var cheapest: Merger? {
    mergers.reduce(nil) { best, next in
      guard let next else { return best }
      return best.map { next.waste < $0.waste } ?? true ? next : best
    }
  }

  /// Replaces all that `rect` touches by one hull, until the hull touches nothing else.
  mutating func swallow(_ rect: Rect) {
    var hull = rect
    while let index = slots.firstIndex(where: { $0.intersects(hull) }) {
      hull = hull.hull(slots[index])
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
