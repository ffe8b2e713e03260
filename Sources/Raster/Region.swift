/// A set of pixels, kept as disjoint rectangles.
///
/// Damage and window stacks consist of few rectangles, cut as little as can be: one is added or taken
/// away in O(n), and so are the few of a second region, one by one. Regions of many, as windows in the
/// shape of a text have them, are combined band by band (see `Region+Bands.swift`), in
/// O(n log n) for the rectangles that come out. `simplified(to:)` bounds a region that may have grown
/// long.
package struct Region: Sendable {
  /// Disjoint, none empty, in no particular order.
  package private(set) var rects: [Rect]

  package init() { rects = [] }

  package init(_ rect: Rect) { rects = rect.isEmpty ? [] : [rect] }

  /// The union of rectangles that may overlap.
  package init(_ overlapping: some Sequence<Rect>) {
    let all = Array(overlapping)
    self.init()
    if all.count > Self.few {
      rects = combine(all, []) { isInside, _ in isInside }
    } else {
      for rect in all { form(union: rect) }
    }
  }

  /// The rectangles must be disjoint, none of them empty.
  init(disjoint rects: [Rect]) { self.rects = rects }

  /// From how many on a second region's rectangles are no longer taken one by one.
  private static let few = 8

  package var isEmpty: Bool { rects.isEmpty }
  package var area: Int { rects.reduce(0) { $0 + $1.area } }
  package var bounds: Rect { rects.reduce(.zero) { $0.hull($1) } }

  package mutating func form(union rect: Rect) {
    if rect.isEmpty || rects.contains(where: { $0.contains(rect) }) { return }
    rects.removeAll { rect.contains($0) }
    var new = Region(rect)
    new.subtract(Region(disjoint: rects.filter { $0.intersects(rect) }))
    rects += new.rects
  }

  package mutating func form(union other: Region) {
    if other.rects.count > Self.few {
      rects = combine(rects, other.rects) { $0 || $1 }
    } else {
      for rect in other.rects { form(union: rect) }
    }
  }

  package mutating func subtract(_ rect: Rect) {
    guard intersects(rect) else { return }
    rects = rects.flatMap { $0.subtracting(rect) }
  }

  package mutating func subtract(_ other: Region) {
    if other.rects.count > Self.few {
      rects = combine(rects, other.rects) { $0 && !$1 }
    } else {
      for rect in other.rects { subtract(rect) }
    }
  }

  package func intersection(_ rect: Rect) -> Region {
    Region(disjoint: rects.map { $0.intersection(rect) }.filter { !$0.isEmpty })
  }

  package func intersection(_ other: Region) -> Region {
    let (less, more) = rects.count < other.rects.count ? (self, other) : (other, self)
    if less.rects.count > Self.few {
      return Region(disjoint: combine(rects, other.rects) { $0 && $1 })
    }
    return Region(disjoint: less.rects.flatMap { more.intersection($0).rects })
  }

  package func intersects(_ rect: Rect) -> Bool { rects.contains { $0.intersects(rect) } }

  package func translated(x: Int, y: Int) -> Region {
    Region(disjoint: rects.map { $0.translated(x: x, y: y) })
  }
}

extension Region: Equatable {
  /// Equal when they hold the same pixels, however these are cut into rectangles.
  package static func == (one: Region, other: Region) -> Bool {
    if one.area != other.area { return false }
    var rest = one
    rest.subtract(other)
    return rest.isEmpty
  }
}
