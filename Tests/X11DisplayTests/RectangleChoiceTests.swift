import Raster
import TestDice
import Testing
import X11Display

/// The choice of a rectangle, without a server.
@Suite struct RectangleChoiceTests {
  private let screen = Rect(x: 0, y: 0, width: 640, height: 480)

  /// The last outcome of some inputs.
  private func outcome(_ inputs: RectangleChoice.Input...) -> RectangleChoice.Outcome {
    var choice = RectangleChoice(screen: screen)
    return inputs.reduce(.undecided) { _, input in choice.handle(input) }
  }

  @Test func endOfTheDragChooses() {
    #expect(outcome(.pressed(x: 120, y: 10), .moved(x: 60, y: 40)) == .undecided)
    #expect(
      outcome(.pressed(x: 120, y: 10), .moved(x: 60, y: 40), .released(x: 20, y: 60))
        == .chosen(Rect(x: 20, y: 10, width: 101, height: 51)))
    #expect(
      outcome(.pressed(x: 20, y: 10), .released(x: 30, y: 20))
        == .chosen(Rect(x: 20, y: 10, width: 11, height: 11)))
    // Back near the start, it is still a drag.
    #expect(
      outcome(.pressed(x: 20, y: 10), .moved(x: 60, y: 40), .released(x: 21, y: 10))
        == .chosen(Rect(x: 20, y: 10, width: 2, height: 1)))
  }

  @Test func clickChoosesNothing() {
    #expect(outcome(.pressed(x: 20, y: 10), .released(x: 21, y: 10)) == .undecided)
    #expect(outcome(.moved(x: 20, y: 10), .released(x: 90, y: 90)) == .undecided)
    #expect(
      outcome(
        .pressed(x: 1, y: 1), .released(x: 1, y: 1), .moved(x: 99, y: 99), .released(x: 99, y: 99))
        == .undecided)
  }

  @Test func dragCanBeCancelled() {
    #expect(outcome(.pressed(x: 1, y: 1), .moved(x: 99, y: 99), .cancelled) == .cancelled)
  }

  /// Whatever the user does, the rectangle has pixels and is on the screen.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func rectangleIsOnTheScreen(seed: UInt64) {
    var dice = Dice(seed: seed)
    var choice = RectangleChoice(screen: screen)
    for _ in 0..<40 {
      let (x, y) = (dice.roll(-20...700), dice.roll(-20...500))
      let input: RectangleChoice.Input =
        switch dice.roll(0...2) {
        case 0: .pressed(x: x, y: y)
        case 1: .moved(x: x, y: y)
        default: .released(x: x, y: y)
        }
      let outcome = choice.handle(input)
      if let rect = choice.rect { #expect(!rect.isEmpty && screen.contains(rect), "seed \(seed)") }
      if case .chosen(let rect) = outcome { #expect(rect == choice.rect) }
    }
  }
}
