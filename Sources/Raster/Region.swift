/// A set of pixels, kept as disjoint rectangles.
///
/// Damage and window stacks consist of few rectangles. Adding or subtracting a rectangle or a
/// region of few rectangles takes O(n). Regions of many rectangles, such as windows shaped like a
/// text, are combined band by band (see `Region+Bands.swift`) in O(n log n). `simplified(to:)`
/// limits the number of rectangles.
package struct Region: Sendable {
  /// Disjoint, none empty, in no particular order.
  package private(set) var rects: [Rect]

  /// The empty region.
  package init() { rects = [] }

  /// The pixels of one rectangle.
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

  /// The union of rectangles that may overlap; nil if it consists of more than `limit` rectangles. Then the time is short,
  /// too.
  package init?(_ overlapping: [Rect], limit: Int) {
    guard let rects = combine(overlapping, limit: limit) else { return nil }
    self.rects = rects
  }

  /// The union of `rects`, which must be disjoint and not empty. Not checked.
  package init(disjoint rects: [Rect]) { self.rects = rects }

  /// A region with more rectangles than this is combined band by band.
  private static let few = 8

  package var isEmpty: Bool { rects.isEmpty }
  /// The number of pixels.
  package var area: Int { rects.reduce(0) { $0 + $1.area } }
  /// The smallest rectangle that contains the region; `.zero` if the region is empty.
  package var bounds: Rect { rects.reduce(.zero) { $0.hull($1) } }

  /// Adds the pixels of `rect`.
  package mutating func form(union rect: Rect) {
    if rect.isEmpty || rects.contains(where: { $0.contains(rect) }) { return }
    rects.removeAll { rect.contains($0) }
    var new = Region(rect)
    new.subtract(Region(disjoint: rects.filter { $0.intersects(rect) }))
    rects += new.rects
  }

  /// Adds the pixels of `other`.
  package mutating func form(union other: Region) {
    if isEmpty {
      self = other
    } else if other.rects.count > Self.few {
      rects = combine(rects, other.rects) { $0 || $1 }
    } else {
      for rect in other.rects { form(union: rect) }
    }
  }

  /// The pixels that are in at least one of the two regions.
  package func union(_ other: Region) -> Region {
    var union = self
    union.form(union: other)
    return union
  }

  /// Removes the pixels of `rect`.
  package mutating func subtract(_ rect: Rect) {
    guard intersects(rect) else { return }
    rects = rects.flatMap { $0.subtracting(rect) }
  }

  /// Removes the pixels of `other`.
  package mutating func subtract(_ other: Region) {
    if isEmpty { return }
    if other.rects.count > Self.few {
      rects = combine(rects, other.rects) { $0 && !$1 }
    } else {
      for rect in other.rects { subtract(rect) }
    }
  }

  /// The pixels that are in this region and not in `other`.
  package func subtracting(_ other: Region) -> Region {
    var rest = self
    rest.subtract(other)
    return rest
  }

  /// The pixels that are in the region and in `rect`.
  package func intersection(_ rect: Rect) -> Region {
    Region(disjoint: rects.map { $0.intersection(rect) }.filter { !$0.isEmpty })
  }

  /// The pixels that are in both regions.
  package func intersection(_ other: Region) -> Region {
    let (less, more) = rects.count < other.rects.count ? (self, other) : (other, self)
    if less.rects.count > Self.few {
      return Region(disjoint: combine(rects, other.rects) { $0 && $1 })
    }
    return Region(disjoint: less.rects.flatMap { more.intersection($0).rects })
  }

  /// Whether the region and `rect` share a pixel.
  package func intersects(_ rect: Rect) -> Bool { rects.contains { $0.intersects(rect) } }

  /// Whether both have a pixel in common.
  package func intersects(_ other: Region) -> Bool { other.rects.contains { intersects($0) } }

  /// Whether every pixel of `rect` is in the region.
  package func contains(_ rect: Rect) -> Bool {
    if rects.contains(where: { $0.contains(rect) }) { return true }
    return intersection(rect).area == rect.area
  }

  /// The region moved right by `x` and down by `y` pixels.
  package func translated(x: Int, y: Int) -> Region {
    Region(disjoint: rects.map { $0.translated(x: x, y: y) })
  }
}

extension Region: Equatable {
  /// Whether the two regions hold the same pixels. The division into rectangles does not matter.
  package static func == (one: Region, other: Region) -> Bool {
    one.rects == other.rects || one.area == other.area && one.subtracting(other).isEmpty
  }
}
