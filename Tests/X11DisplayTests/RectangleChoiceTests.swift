import Raster
import TestDice
import Testing
import X11Display

/// The choice of a rectangle, without a server.
@Suite struct RectangleChoiceTests {
  private let screen = Rect(x: 0, y: 0, width: 640, height: 480)

  /// The last outcome of some inputs.
  private func outcome(
    _ inputs: RectangleChoice.Input..., hasKeyboard: Bool = true
  ) -> RectangleChoice.Outcome {
    var choice = RectangleChoice(screen: screen, hasKeyboard: hasKeyboard)
    return inputs.reduce(.undecided) { _, input in choice.take(input) }
  }

  @Test func dragIsTakenByReturnOrAClick() {
    let rect = Rect(x: 20, y: 10, width: 101, height: 51)
    let drag: [RectangleChoice.Input] = [
      .pressed(x: 120, y: 10), .moved(x: 60, y: 40), .released(x: 20, y: 60),
    ]
    #expect(outcome(drag[0], drag[1], drag[2]) == .undecided)
    #expect(outcome(drag[0], drag[1], drag[2], .accepted) == .chosen(rect))
    #expect(
      outcome(drag[0], drag[1], drag[2], .pressed(x: 400, y: 400), .released(x: 401, y: 400))
        == .chosen(rect))
    // Not while the button is pressed.
    #expect(outcome(drag[0], drag[1], .accepted) == .undecided)
  }

  @Test func withoutKeyboardTheDragChooses() {
    let rect = Rect(x: 20, y: 10, width: 11, height: 11)
    #expect(
      outcome(.pressed(x: 20, y: 10), .released(x: 30, y: 20), hasKeyboard: false) == .chosen(rect))
    #expect(
      outcome(.pressed(x: 20, y: 10), .released(x: 21, y: 10), hasKeyboard: false) == .undecided)
  }

  @Test func clickWithoutARectangleChoosesNothing() {
    #expect(outcome(.pressed(x: 20, y: 10), .released(x: 20, y: 10), .accepted) == .undecided)
    #expect(outcome(.arrow(x: 1, y: 0, changesSize: false), .accepted) == .undecided)
    #expect(outcome(.pressed(x: 1, y: 1), .cancelled) == .cancelled)
  }

  @Test func arrowsMoveAndResize() {
    let chosen = outcome(
      .pressed(x: 20, y: 10), .released(x: 29, y: 19), .arrow(x: 10, y: 0, changesSize: false),
      .arrow(x: 0, y: -1, changesSize: false), .arrow(x: 1, y: -20, changesSize: true), .accepted)
    #expect(chosen == .chosen(Rect(x: 30, y: 9, width: 11, height: 1)))
  }

  /// Whatever the user does, the rectangle has pixels and is on the screen.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func rectangleIsOnTheScreen(seed: UInt64) {
    var dice = Dice(seed: seed)
    var choice = RectangleChoice(screen: screen, hasKeyboard: .random(using: &dice))
    for _ in 0..<40 {
      let (x, y) = (dice.roll(-20...700), dice.roll(-20...500))
      let input: RectangleChoice.Input =
        switch dice.roll(0...4) {
        case 0: .pressed(x: x, y: y)
        case 1: .moved(x: x, y: y)
        case 2: .released(x: x, y: y)
        case 3: .arrow(x: x - 340, y: y - 240, changesSize: .random(using: &dice))
        default: .accepted
        }
      let outcome = choice.take(input)
      if let rect = choice.rect { #expect(!rect.isEmpty && screen.contains(rect), "seed \(seed)") }
      if case .chosen(let rect) = outcome { #expect(rect == choice.rect) }
    }
  }
}
