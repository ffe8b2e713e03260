// Combines regions of many rectangles with the algorithm of X and pixman: one band of rows at a
// time.

/// Returns the pixels for which `keeps` returns true. Its arguments say whether the pixel is in
/// `one` and whether it is in `two`. `keeps(false, false)` must be false.
///
/// The rectangles of a list may overlap. The result is disjoint and sorted by rows, then by
/// columns; rectangles are divided only where a band starts or ends. The time is that of sorting
/// the input, which is short for the sorted bands of an X server, plus O(size of the result).
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

/// Returns the union of rectangles that may overlap in the same form; nil if it has more than `limit` rectangles.
func combine(_ rects: [Rect], limit: Int) -> [Rect]? {
  var sweep = Sweep(rects)
  var bands = Bands()
  var top = sweep.end
  while top < .max {
    sweep.move(to: top)
    bands.append(sweep.edges, top..<sweep.end)
    if bands.rects.count > limit { return nil }
    top = sweep.end
  }
  return bands.rects
}

/// The edges of the rectangles in one row, from left to right: left and right edges alternate.
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
    // A column is inside if an odd number of edges is at or left of it.
    if keeps(i % 2 == 1, j % 2 == 1) != (edges.count % 2 == 1) { edges.append(x) }
  }
  return edges
}

/// A sweep line that moves down over rectangles.
private struct Sweep {
  /// The rectangles below the line, in descending order: the next one is the last element.
  private var below: [Rect]
  /// The rectangles that the line crosses, from left to right.
  private var crossed: [Rect] = []
  private(set) var edges: Edges = []
  /// The next row in which the edges change; `.max` after the last one.
  private(set) var end: Int

  init(_ rects: [Rect]) {
    below = rects.filter { !$0.isEmpty }.sorted { ($0.y, $0.x) > ($1.y, $1.x) }
    end = below.last?.y ?? .max
  }

  mutating func move(to row: Int) {
    if row < end { return }
    crossed.removeAll { $0.maxY <= row }
    while let next = below.last, next.y <= row { crossed.append(below.removeLast()) }
    crossed.sort { $0.x < $1.x }
    edges.removeAll(keepingCapacity: true)
    for rect in crossed {
      if let last = edges.last, rect.x <= last {
        edges[edges.count - 1] = max(last, rect.maxX)
      } else {
        edges += [rect.x, rect.maxX]
      }
    }
    end = crossed.reduce(below.last?.y ?? .max) { min($0, $1.maxY) }
  }
}

/// Builds disjoint rectangles from rows or bands of rows, from the highest to the lowest. Neighbouring bands with
/// the same edges are joined.
package struct Bands {
  package private(set) var rects: [Rect] = []
  private var lowest: [Int] = []

  package init() {}

  /// Appends the band below the last one.
  ///
  /// - Parameter edges: The columns where the region begins and ends in turn, in ascending order; none if the
  ///   band is empty.
  package mutating func append(_ edges: [Int], _ rows: Range<Int>) {
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
