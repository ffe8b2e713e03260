import Raster
import TestDice
import Testing

@testable import X11Display

/// The value of `_KDE_NET_WM_BLUR_BEHIND_REGION`.
@Suite struct BlurRequestTests {
  private let client = Rect(x: 30, y: 20, width: 60, height: 40)

  @Test(arguments: [[], [0], [1, 2, 3], [1, 2, 3, 4, 5]] as [[UInt32]])
  func valuesThatAreNoListMeanTheWindow(words: [UInt32]) {
    #expect(BlurRequest(words: words).region(in: client) == Region(client))
  }

  @Test(arguments: 0..<200)
  func regionIsThatOfTheRectanglesInTheWindow(seed: Int) {
    var dice = Dice(seed: seed)
    let rects = (0..<dice.roll(1...12)).map { _ in
      Rect(
        x: dice.roll(-20...70), y: dice.roll(-20...50), width: dice.roll(-3...40),
        height: dice.roll(-3...40))
    }
    let words = rects.flatMap { [$0.x, $0.y, $0.width, $0.height] }
      .map { UInt32(bitPattern: Int32($0)) }
    let region = BlurRequest(words: words).region(in: client)
    for y in client.y - 30..<client.maxY + 30 {
      for x in client.x - 30..<client.maxX + 30 {
        let isAsked = rects.contains {
          $0.width > 0 && $0.height > 0
            && $0.translated(x: client.x, y: client.y).contains(x: x, y: y)
        }
        let isIn = region.contains(Rect(x: x, y: y, width: 1, height: 1))
        #expect(isIn == (isAsked && client.contains(x: x, y: y)), "\(x), \(y)")
      }
    }
  }

  /// Numbers of any size, and many overlapping rectangles.
  @Test(arguments: 0..<40)
  func hostileValuesStayInTheWindow(seed: Int) {
    var dice = Dice(seed: seed)
    let extremes: [UInt32] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 50]
    let words = (0..<4 * dice.roll(1...[20, 300, 1024][seed % 3])).map { _ in
      dice.roll(0...3) == 0
        ? extremes.randomElement(using: &dice) ?? 0 : UInt32(dice.roll(0...80))
    }
    let region = BlurRequest(words: words).region(in: client)
    #expect(region.subtracting(Region(client)).isEmpty)
    #expect(region.rects.count <= BlurRequest.rectLimit)
    for start in stride(from: 0, to: words.count, by: 4) {
      let numbers = words[start..<start + 4].map { Int(Int32(bitPattern: $0)) }
      if min(numbers[2], numbers[3]) <= 0 { continue }
      let rect = Rect(
        x: client.x + numbers[0], y: client.y + numbers[1], width: numbers[2], height: numbers[3])
      #expect(region.contains(rect.intersection(client)), "\(dice)")
    }
  }

  @Test func partOfAListMeansTheWindow() {
    let words: [UInt32] = [10, 10, 20, 20]
    #expect(BlurRequest(words: words, isWhole: false).region(in: client) == Region(client))
  }
}
