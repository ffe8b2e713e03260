import Raster
import TestDice
import Testing

extension Dice {
  /// Also an empty one, whose sides may be negative.
  fileprivate mutating func anyRect() -> Rect {
    Rect(x: roll(-8...8), y: roll(-8...8), width: roll(-3...9), height: roll(-3...9))
  }
}

private func pixels(_ rect: Rect) -> Set<SIMD2<Int>> {
  Set(rect.rows.flatMap { y in rect.columns.map { SIMD2($0, y) } })
}

@Suite struct RectTests {
  @Test(arguments: 0..<300)
  func operationsAgreeWithSetsOfPixels(seed: Int) {
    var dice = Dice(seed: seed)
    let (one, two) = (dice.anyRect(), dice.anyRect())
    let common = pixels(one).intersection(pixels(two))
    #expect(one.area == pixels(one).count)
    #expect(one.isEmpty == pixels(one).isEmpty)
    #expect(pixels(one.intersection(two)) == common)
    #expect(one.intersects(two) == !common.isEmpty)
    #expect(one.contains(two) == pixels(two).isSubset(of: pixels(one)))
    let (x, y) = (dice.roll(-9...18), dice.roll(-9...18))
    #expect(one.contains(x: x, y: y) == pixels(one).contains(SIMD2(x, y)))
  }

  @Test(arguments: 0..<300)
  func subtractionLeavesDisjointPieces(seed: Int) {
    var dice = Dice(seed: seed)
    let (one, hole) = (dice.anyRect(), dice.anyRect())
    let pieces = one.subtracting(hole)
    #expect(pieces.count <= 4)
    #expect(!pieces.contains { $0.isEmpty })
    let left = Set(pieces.flatMap { pixels($0) })
    #expect(left == pixels(one).subtracting(pixels(hole)))
    #expect(left.count == pieces.reduce(0) { $0 + $1.area }, "the pieces are disjoint")
  }

  @Test(arguments: 0..<300)
  func hullIsSmallestRectangleThatCoversBoth(seed: Int) {
    var dice = Dice(seed: seed)
    let (one, two) = (dice.anyRect(), dice.anyRect())
    let all = pixels(one).union(pixels(two))
    let hull = one.hull(two)
    #expect(hull.area == 0 || pixels(hull).isSuperset(of: all))
    #expect(hull.isEmpty == all.isEmpty)
    if all.isEmpty { return }
    #expect(hull.x == all.map(\.x).min() && hull.maxX - 1 == all.map(\.x).max())
    #expect(hull.y == all.map(\.y).min() && hull.maxY - 1 == all.map(\.y).max())
  }

  @Test func marginsThatLeaveNothingMakeAnEmptyRectangle() {
    let rect = Rect(x: 1, y: 2, width: 5, height: 9)
    #expect(rect.grown(by: 3) == Rect(x: -2, y: -1, width: 11, height: 15))
    #expect(rect.grown(by: -2) == Rect(x: 3, y: 4, width: 1, height: 5))
    #expect(rect.grown(by: -3).isEmpty)
    #expect(rect.grown(by: -3).area == 0)
  }

  @Test func descriptionIsGeometryOfX() {
    #expect("\(Rect(x: 760, y: 390, width: 400, height: 300))" == "400x300+760+390")
    #expect("\(Rect(x: -5, y: 0, width: 1, height: 2))" == "1x2+-5+0")
  }
}
