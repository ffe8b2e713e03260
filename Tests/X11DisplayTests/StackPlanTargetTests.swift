import Panes
import Raster
import TestDice
import Testing

@testable import X11Display

/// The positions of panes behind windows.
@Suite struct StackPlanTargetTests {
  /// Puts some panes behind random windows. They follow those of layers.
  private func stack(using dice: inout Dice) -> WindowStack {
    var stack = WindowStack.random(using: &dice)
    let clients = stack.windows.filter { $0.role == .client }.map(\.id)
    let panes = stack.panes.map { pane in
      var pane = pane
      if dice.roll(0...1) == 0 {
        pane.target = clients.randomElement(using: &dice)
        pane.isOver = pane.target != nil && dice.roll(0...2) == 0
      }
      return pane
    }
    stack.panes =
      panes.filter(\.isOver) + panes.filter { $0.target == nil }
      + panes.filter { $0.target != nil && !$0.isOver }
    return stack
  }

  @Test(arguments: 0..<1000)
  func panesAreRightBeneathOrAboveTheirWindows(seed: Int) throws {
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let stack = stack(using: &dice).afterMoves()
      #expect(StackPlan(stack).moves.isEmpty)
      let panes = stack.panes.filter { pane in
        // It stays where it is below a window that insists on being above it.
        !pane.isOver || pane.target.map { !stack.insisting.contains($0) } == true
      }
      for pane in panes {
        guard let target = pane.target, stack.index(of: pane.window) != nil else { continue }
        let same = Set(
          stack.panes.filter { $0.target == target && $0.isOver == pane.isOver }.map(\.window))
        let own = try #require(stack.index(of: pane.window))
        let window = try #require(stack.index(of: target))
        #expect(pane.isOver ? own > window : own < window)
        let panes = Set(panes.map(\.window))
        let range = pane.isOver ? window + 1..<own + 1 : own..<window
        let between = stack.windows[range].filter {
          $0.role == .client || panes.contains($0.id)
        }
        .map(\.id)
        #expect(
          between.allSatisfy { same.contains($0) },
          "\(between) are between \(pane) and its window")
      }
    }
  }

  /// Panes of layers are where they are without those behind windows.
  @Test(arguments: 0..<500)
  func panesOfLayersAreWhereTheyWere(seed: Int) {
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let stack = stack(using: &dice)
      var other = stack
      other.panes = stack.panes.filter { $0.target == nil }
      for layer in StackingLayer.allCases {
        #expect(
          StackPlan(stack).windowsInFront(of: layer) == StackPlan(other).windowsInFront(of: layer))
      }
    }
  }
}
