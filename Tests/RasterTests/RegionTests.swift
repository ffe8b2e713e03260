import Raster
import TestDice
import Testing

/// The model of a region: a set of pixels.
private func pixels(_ rects: [Rect]) -> Set<Int> {
  Set(rects.flatMap { rect in rect.rows.flatMap { y in rect.columns.map { y * 1000 + $0 } } })
}

extension Dice {
  /// Also an empty one.
  fileprivate mutating func smallRect() -> Rect {
    Rect(x: roll(-5...20), y: roll(-5...20), width: roll(-1...12), height: roll(-1...12))
  }

  fileprivate mutating func smallRects(upTo count: Int) -> [Rect] {
    (0..<roll(0...count)).map { _ in smallRect() }
  }
}

@Suite struct RegionTests {
  @Test(arguments: 0..<300)
  func setOperationsAgreeWithSetsOfPixels(seed: Int) {
    var dice = Dice(seed: seed)
    let (first, second) = (dice.smallRects(upTo: 6), dice.smallRects(upTo: 6))
    let (one, two) = (Region(first), Region(second))
    #expect(pixels(one.rects) == pixels(first))
    #expect(one.area == pixels(first).count, "the rectangles are disjoint")
    #expect(one.isEmpty == pixels(first).isEmpty)
    #expect(pixels(one.union(two).rects) == pixels(first).union(pixels(second)))
    #expect(pixels(one.subtracting(two).rects) == pixels(first).subtracting(pixels(second)))
    let common = one.intersection(two)
    #expect(pixels(common.rects) == pixels(first).intersection(pixels(second)))
    #expect((one == two) == (pixels(first) == pixels(second)))
  }

  @Test(arguments: 0..<300)
  func questionsAboutRectangleAgreeWithSetsOfPixels(seed: Int) {
    var dice = Dice(seed: seed)
    let rects = dice.smallRects(upTo: 8)
    let region = Region(rects)
    let rect = dice.smallRect()
    #expect(region.contains(rect) == pixels(rects).isSuperset(of: pixels([rect])))
    #expect(region.intersects(rect) == !pixels(rects).isDisjoint(with: pixels([rect])))
    let (x, y) = (dice.roll(-9...9), dice.roll(-9...9))
    let moved = rects.map { $0.translated(x: x, y: y) }
    #expect(region.translated(x: x, y: y) == Region(moved))
  }

  @Test(arguments: 0..<200)
  func simplifiedRegionCoversTheRegionWithFewDisjointRectangles(seed: Int) {
    var dice = Dice(seed: seed)
    let rects = dice.smallRects(upTo: 40)
    let limit = dice.roll(1...8)
    let simple = Region(rects).simplified(to: limit)
    #expect(simple.rects.count <= limit)
    #expect(pixels(simple.rects).isSuperset(of: pixels(rects)))
    #expect(simple.area == pixels(simple.rects).count)
    #expect(Region(rects).bounds.contains(simple.bounds))
  }
}
