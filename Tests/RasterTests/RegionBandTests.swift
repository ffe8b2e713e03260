import Glibc
import Raster
import TestDice
import Testing

/// Regions of many rectangles against the model of a bitmap.
@Suite struct RegionBandTests {
  private static let field = Rect(x: -7, y: -3, width: 90, height: 70)

  /// The shapes of windows: random rectangles, rows of letters, columns or a staircase.
  private func someRects(_ dice: inout Dice) -> [Rect] {
    let field = Self.field
    let count = dice.roll(0...dice.roll(1...120))
    switch dice.roll(0...3) {
    case 0:
      return (0..<count).map { _ in dice.rect(in: field) }
    case 1:
      return (0..<count).map { i in
        Rect(x: field.x + i % 11 * 8, y: field.y + i / 11 * 5, width: dice.roll(1...7), height: 4)
      }
    case 2:
      return (0..<min(count, 45)).map { i in
        let top = field.y + dice.roll(0...30)
        return Rect(x: field.x + 2 * i, y: top, width: 1, height: dice.roll(0...39))
      }
    default:
      return (0..<min(count, 60)).map { i in
        Rect(x: field.x + i, y: field.y + i, width: dice.roll(1...30), height: dice.roll(1...10))
      }
    }
  }

  /// Whether each pixel of the field is covered, row by row.
  private func mask(_ rects: [Rect]) -> [Bool] {
    let field = Self.field
    var mask = [Bool](repeating: false, count: field.area)
    for rect in rects {
      for y in rect.rows {
        for x in rect.columns { mask[(y - field.y) * field.width + x - field.x] = true }
      }
    }
    return mask
  }

  /// The difference between a region and the pixels that it must hold; nil if there is none.
  private func fault(_ region: Region, _ wanted: [Bool]) -> String? {
    if region.rects.contains(where: \.isEmpty) { return "an empty rectangle" }
    if region.rects.contains(where: { !Self.field.contains($0) }) { return "outside the field" }
    if mask(region.rects) != wanted { return "other pixels" }
    if region.area != wanted.count(where: { $0 }) { return "rectangles overlap" }
    return nil
  }

  @Test(arguments: 0..<20)
  func setOperationsAgreeWithBitmap(seed: Int) {
    var dice = Dice(seed: seed)
    for round in 0..<40 {
      let place = Comment(rawValue: "seed \(seed), round \(round)")
      let (first, second) = (someRects(&dice), someRects(&dice))
      let (one, two) = (Region(first), Region(second))
      let (isInOne, isInTwo) = (mask(first), mask(second))
      let both = zip(isInOne, isInTwo)
      #expect(fault(one, isInOne) == nil, place)
      #expect(fault(one.intersection(two), both.map { $0 && $1 }) == nil, place)
      var union = one
      union.form(union: two)
      #expect(fault(union, both.map { $0 || $1 }) == nil, place)
      var difference = one
      difference.subtract(two)
      #expect(fault(difference, both.map { $0 && !$1 }) == nil, place)
      difference.form(union: one.intersection(two))
      #expect(difference == one, place)
      #expect((one == two) == (isInOne == isInTwo), place)
    }
  }

  @Test(arguments: 0..<10)
  func singleRectanglesAgreeWithBitmap(seed: Int) {
    var dice = Dice(seed: seed)
    var region = Region(someRects(&dice))
    var wanted = mask(region.rects)
    for _ in 0..<60 {
      let rect = dice.rect(in: Self.field)
      let isAdded = dice.roll(0...1) == 0
      if isAdded { region.form(union: rect) } else { region.subtract(rect) }
      wanted = zip(wanted, mask([rect])).map { isAdded ? $0 || $1 : $0 && !$1 }
      #expect(fault(region, wanted) == nil, "seed \(seed)")
      let cut = dice.rect(in: Self.field)
      let inside = zip(wanted, mask([cut])).map { $0 && $1 }
      #expect(fault(region.intersection(cut), inside) == nil, "seed \(seed)")
    }
  }

  @Test func bandsWithTheSameColumnsAreJoined() {
    var dice = Dice(seed: 1)
    let rows = (0..<40).map { Rect(x: 5, y: $0, width: 30, height: 1) }
    #expect(Region(rows).rects == [Rect(x: 5, y: 0, width: 30, height: 40)])
    let letters = (0..<40).map { Rect(x: $0 % 10 * 9, y: $0 / 10 * 9, width: 5, height: 7) }
    #expect(Region(letters.shuffled(using: &dice)).rects == letters)
    // These do not touch each other.
    let ladder = (0..<40).map { Rect(x: 0, y: 2 * $0, width: 30, height: 1) }
    #expect(Region(ladder.reversed()).rects == ladder)
  }

  /// A window in the shape of a text has so many. A quadratic algorithm takes seconds.
  @Test func operationsOnThousandsOfRectanglesAreFast() {
    let text = (0..<5000).map { i in
      Rect(x: i % 50 * 12 + i / 50 % 3, y: i / 50 * 3, width: 7, height: 3)
    }
    let time = processorTime {
      let one = Region(text)
      let two = one.translated(x: 5, y: 1)
      var union = one
      union.form(union: two)
      var difference = one
      difference.subtract(two)
      difference.form(union: one.intersection(two))
      #expect(difference == one)
      #expect(union.area == 2 * one.area - one.intersection(two).area)
      #expect(union.simplified(to: 8).rects == [union.bounds])
      var screen = Region(Rect(x: 0, y: 0, width: 1920, height: 1080))
      screen.subtract(one)
      #expect(screen.area == 1920 * 1080 - one.area)
    }
    #expect(time < .milliseconds(500))
  }

  /// The time of a processor that `body` takes, whatever other tests run at the same time.
  private func processorTime(_ body: () -> Void) -> Duration {
    func now() -> Duration {
      var time = timespec()
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    body()
    return now() - start
  }

  /// A union with a limit is the union, or it has more rectangles.
  @Test(arguments: 0..<200) func unionEndsAtItsLimit(seed: Int) throws {
    var dice = Dice(seed: seed)
    let rects = (0..<dice.roll(0...40)).map { _ in
      Rect(
        x: dice.roll(0...30), y: dice.roll(0...30), width: dice.roll(0...20),
        height: dice.roll(0...20))
    }
    let all = try #require(Region(rects, limit: .max))
    #expect(all == Region(rects))
    for limit in [0, 1, all.rects.count - 1, all.rects.count] where limit >= 0 {
      let region = Region(rects, limit: limit)
      #expect(region?.rects == (all.rects.count <= limit ? all.rects : nil), "\(limit)")
    }
  }
}
