import Raster
import TestDice
import Testing

/// A set of pixels.
private func pixels(_ rects: [Rect]) -> Set<SIMD2<Int>> {
  Set(rects.flatMap { rect in rect.rows.flatMap { y in rect.columns.map { SIMD2($0, y) } } })
}

/// Regions that cover others with fewer rectangles.
@Suite struct RegionCoverTests {
  private static let field = Rect(x: -70, y: -50, width: 160, height: 120)

  /// Many or few rectangles, most of them small and some of them empty.
  private func someRects(_ dice: inout Dice, upTo count: Int) -> [Rect] {
    (0..<dice.roll(0...count)).map { _ in
      if dice.roll(0...9) == 0 { return Rect(x: dice.roll(-900...900), y: 7, width: 0, height: 5) }
      var rect = dice.rect(in: Self.field)
      if dice.roll(0...3) > 0 {
        rect.width = min(rect.width, 5)
        rect.height = min(rect.height, 4)
      }
      return rect
    }
  }

  // MARK: Cover of rectangles

  @Test(arguments: 0..<150)
  func coverIsTheUnionOrAllTouchedBlocks(seed: Int) {
    var dice = Dice(seed: seed)
    let rects = someRects(&dice, upTo: 60)
    let limit = dice.roll(1...40)
    let size = [1, 3, 16, 64].randomElement(using: &dice) ?? 1
    let cover = Region(covering: rects, blockSize: size, limit: limit)
    let bounds = rects.reduce(Rect.zero) { $0.hull($1) }
    #expect(cover.rects.allSatisfy { !$0.isEmpty }, "\(dice)")
    #expect(cover.area == pixels(cover.rects).count, "\(dice): rectangles overlap")
    #expect(pixels(cover.rects).isSuperset(of: pixels(rects)), "\(dice)")
    #expect(bounds.contains(cover.bounds), "\(dice)")
    if rects.count <= limit, Region(rects).rects.count <= limit {
      #expect(pixels(cover.rects) == pixels(rects), "\(dice)")
    } else {
      let blocks = blocks(touching: pixels(rects), size: size)
      #expect(pixels(cover.rects) == pixels(blocks).intersection(pixels([bounds])), "\(dice)")
    }
  }

  /// The blocks of a grid, one of which starts at the pixel (0, 0), that contain one of `pixels`.
  private func blocks(touching pixels: Set<SIMD2<Int>>, size: Int) -> [Rect] {
    func start(_ pixel: Int) -> Int { pixel - (pixel % size + size) % size }
    return Set(pixels.map { SIMD2(start($0.x), start($0.y)) })
      .map { Rect(x: $0.x, y: $0.y, width: size, height: size) }
  }

  @Test func coverOfManyRectanglesHasFew() {
    // Their union has 16,384 rectangles.
    let rows = (0..<128).map { Rect(x: 0, y: 16 * $0, width: 2048, height: 1) }
    let columns = (0..<128).map { Rect(x: 16 * $0, y: 0, width: 1, height: 2048) }
    let cover = Region(covering: rows + columns)
    #expect(cover.rects == [Rect(x: 0, y: 0, width: 2048, height: 2048)])
  }

  // MARK: Simplified regions

  @Test(arguments: 0..<200)
  func simplifiedRegionCoversTheRegionAtAnyPrice(seed: Int) {
    var dice = Dice(seed: seed)
    let region = Region(someRects(&dice, upTo: 40))
    let limit = dice.roll(1...12)
    let price = dice.roll(0...dice.roll(0...3000))
    let simple = region.simplified(to: limit, price: price)
    #expect(simple.rects.count <= limit, "\(dice)")
    #expect(simple.rects.allSatisfy { !$0.isEmpty }, "\(dice)")
    #expect(simple.area == pixels(simple.rects).count, "\(dice): rectangles overlap")
    #expect(pixels(simple.rects).isSuperset(of: pixels(region.rects)), "\(dice)")
    #expect(region.bounds.contains(simple.bounds), "\(dice)")
    // No merger costs more than the bounds.
    let whole = region.simplified(to: limit, price: region.bounds.area)
    #expect(whole == Region(region.bounds), "\(dice)")
    #expect(whole.rects.count <= 1, "\(dice)")
  }

  @Test(arguments: 0..<300)
  func pairIsMergedIfItsHullIsCheap(seed: Int) {
    var dice = Dice(seed: seed)
    let (one, two) = (dice.rect(in: Self.field), dice.rect(in: Self.field))
    if one.intersects(two) { return }
    let price = dice.roll(0...dice.roll(0...3000))
    let hull = one.hull(two)
    let waste = hull.area - one.area - two.area
    let simple = Region([one, two]).simplified(to: 2, price: price)
    let isMerged = waste <= price || waste * 8 <= hull.area
    #expect(simple == (isMerged ? Region(hull) : Region([one, two])), "\(dice)")
    #expect(Region([one, two]).simplified(to: 1).rects == [hull], "\(dice)")
  }

  @Test(arguments: 0..<100)
  func hullsContainAllCommonPixelsAndNoOther(seed: Int) {
    var dice = Dice(seed: seed)
    let region = Region(someRects(&dice, upTo: 10))
    let other = someRects(&dice, upTo: 10)
    let hulls = region.hulls(of: other)
    let common = region.intersection(Region(other))
    #expect(hulls.rects.count <= region.rects.count, "\(dice)")
    #expect(pixels(hulls.rects).isSuperset(of: pixels(common.rects)), "\(dice)")
    #expect(pixels(region.rects).isSuperset(of: pixels(hulls.rects)), "\(dice)")
    #expect(hulls.bounds == common.bounds, "\(dice)")
  }

  @Test func emptyRegionStaysEmpty() {
    #expect(Region().simplified(to: 1).isEmpty)
    #expect(Region(covering: []).isEmpty)
    let nothing = Array(repeating: Rect(x: 5, y: 5, width: 0, height: 9), count: 40)
    #expect(Region(covering: nothing).isEmpty)
  }
}
