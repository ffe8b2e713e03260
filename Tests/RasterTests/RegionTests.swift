import Raster
import Testing

/// A set of pixels the plain way: what a region is held against.
private func pixels(_ rects: [Rect]) -> Set<Int> {
  Set(rects.flatMap { rect in rect.rows.flatMap { y in rect.columns.map { y * 1000 + $0 } } })
}

private func randomRect() -> Rect {
  Rect(
    x: .random(in: -5...20), y: .random(in: -5...20), width: .random(in: -1...12),
    height: .random(in: -1...12))
}

@Suite struct RegionTests {
  @Test func setOperationsAgreeWithSetsOfPixels() {
    for _ in 0..<300 {
      let first = (0..<Int.random(in: 0...6)).map { _ in randomRect() }
      let second = (0..<Int.random(in: 0...6)).map { _ in randomRect() }
      let (one, two) = (Region(first), Region(second))
      #expect(pixels(one.rects) == pixels(first))
      #expect(one.area == pixels(first).count, "the rectangles are disjoint")
      var union = one
      union.form(union: two)
      #expect(pixels(union.rects) == pixels(first).union(pixels(second)))
      var difference = one
      difference.subtract(two)
      #expect(pixels(difference.rects) == pixels(first).subtracting(pixels(second)))
      let common = one.intersection(two)
      #expect(pixels(common.rects) == pixels(first).intersection(pixels(second)))
      #expect((one == two) == (pixels(first) == pixels(second)))
    }
  }

  @Test func aSimplifiedRegionCoversTheRegionWithFewDisjointRectangles() {
    for _ in 0..<200 {
      let rects = (0..<Int.random(in: 0...40)).map { _ in randomRect() }
      let limit = Int.random(in: 1...8)
      let simple = Region(rects).simplified(to: limit)
      #expect(simple.rects.count <= limit)
      #expect(pixels(simple.rects).isSuperset(of: pixels(rects)))
      #expect(simple.area == pixels(simple.rects).count)
      #expect(Region(rects).bounds.contains(simple.bounds))
    }
  }
}
