// Regions of many rectangles, combined as X and pixman do it: a band of rows at a time.

/// The pixels that `keeps` wants, told of each whether it is in `one` and whether it is in `two`.
///
/// Rectangles of one list may overlap. Those that come out are disjoint, sorted by rows and then by
/// columns, and cut no more than their bands ask for. Costs what comes out, and the sorting of what
/// goes in, which is nothing for the sorted bands that an X server has.
func combine(
  _ one: [Rect], _ two: [Rect], _ keeps: (_ isInOne: Bool, _ isInTwo: Bool) -> Bool
) -> [Rect] {
  var (one, two) = (Sweep(one), Sweep(two))
  var bands = Bands()
  var top = min(one.end, two.end)
  while top < .max {
    one.move(to: top)
    two.move(to: top)
    let bottom = min(one.end, two.end)
    bands.append(combine(one.edges, two.edges, keeps), top..<bottom)
    top = bottom
  }
  return bands.rects
}

/// One row: where it goes in and where it goes out, in turn, from left to right.
private typealias Edges = [Int]

private func combine(
  _ one: Edges, _ two: Edges, _ keeps: (_ isInOne: Bool, _ isInTwo: Bool) -> Bool
) -> Edges {
  var edges: Edges = []
  var (i, j) = (0, 0)
  while i < one.count || j < two.count {
    let x = min(i < one.count ? one[i] : .max, j < two.count ? two[j] : .max)
    if i < one.count, one[i] == x { i += 1 }
    if j < two.count, two[j] == x { j += 1 }
    // An odd number of edges lies to the left of what is inside.
    if keeps(i % 2 == 1, j % 2 == 1) != (edges.count % 2 == 1) { edges.append(x) }
  }
  return edges
}

/// Rectangles as a line meets them that moves down from row to row.
private struct Sweep {
  /// Those still to be met, the next one last.
  private var waiting: [Rect]
  /// Those that the line is in, from left to right.
  private var met: [Rect] = []
  private(set) var edges: Edges = []
  /// The row where the edges change next; `.max` when there is no more.
  private(set) var end: Int

  init(_ rects: [Rect]) {
    waiting = rects.filter { !$0.isEmpty }.sorted { ($0.y, $0.x) > ($1.y, $1.x) }
    end = waiting.last?.y ?? .max
  }

  mutating func move(to row: Int) {
    if row < end { return }
    met.removeAll { $0.maxY <= row }
    while let next = waiting.last, next.y <= row { met.append(waiting.removeLast()) }
    met.sort { $0.x < $1.x }
    edges.removeAll(keepingCapacity: true)
    for rect in met {
      if let last = edges.last, rect.x <= last {
        edges[edges.count - 1] = max(last, rect.maxX)
      } else {
        edges += [rect.x, rect.maxX]
      }
    }
    end = met.reduce(waiting.last?.y ?? .max) { min($0, $1.maxY) }
  }
}

/// Bands that lie one on the other; those with the same edges are joined.
private struct Bands {
  private(set) var rects: [Rect] = []
  private var lowest: Edges = []

  mutating func append(_ edges: Edges, _ rows: Range<Int>) {
    if edges == lowest {
      for i in rects.indices.suffix(edges.count / 2) { rects[i].height += rows.count }
    } else {
      for i in stride(from: 0, to: edges.count, by: 2) {
        rects.append(Rect(edges[i]..<edges[i + 1], rows))
      }
      lowest = edges
    }
  }
}
