import Panes
import Raster
import TestDice
import Testing

@testable import X11Display

/// The positions of panes among windows.
@Suite struct StackPlanTests {
  // MARK: Random stacks

  @Test(arguments: 0..<1000)
  func movesReachAStackWithoutMoves(seed: Int) {
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let stack = WindowStack.random(using: &dice)
      let moved = stack.afterMoves()
      #expect(StackPlan(moved).moves.isEmpty)
      let others = stack.windows.filter { $0.role == .client }.map(\.id)
      #expect(moved.windows.filter { $0.role == .client }.map(\.id) == others)
      for layer in StackingLayer.allCases {
        #expect(
          StackPlan(moved).windowsInFront(of: layer) == StackPlan(stack).windowsInFront(of: layer),
          "the plan decides which windows are in front, not the present order")
      }
    }
  }

  @Test(arguments: 0..<1000)
  func panesAreBelowAllHigherWindowsThatCoverThem(seed: Int) {
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let stack = WindowStack.random(using: &dice).afterMoves()
      for pane in stack.panes {
        for window in stack.windows
        where stack.classOf(window)?.isInFront(of: pane.layer) == true
          && stack.overlap(window.id, pane.window)
        {
          #expect(stack.isAbove(window.id, pane.window), "\(window.id) above \(pane)")
        }
      }
      expectOrder(of: stack)
    }
  }

  /// Panes that overlap are in their order, and lower panes are below.
  private func expectOrder(of stack: WindowStack) {
    for (index, pane) in stack.panes.enumerated() {
      for lower in stack.panes[..<index] where stack.overlap(lower.window, pane.window) {
        #expect(stack.isAbove(pane.window, lower.window))
      }
    }
  }

  /// If the windows are in the order of their classes, all constraints hold.
  @Test(arguments: 0..<1000)
  func panesAreAboveAllLowerWindowsIfTheseAreInOrder(seed: Int) {
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let stack = WindowStack.random(using: &dice).sortedByClass().afterMoves()
      for pane in stack.panes {
        for window in stack.windows {
          guard let own = stack.classOf(window) else { continue }
          #expect(
            stack.isAbove(window.id, pane.window) == own.isInFront(of: pane.layer),
            "\(window.id), \(own), and \(pane)")
        }
      }
    }
  }

  /// No pane is ever above a lock screen on the same output.
  @Test(arguments: 0..<1000)
  func panesAreBelowLockScreens(seed: Int) {
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let stack = WindowStack.random(using: &dice).afterMoves()
      for window in stack.windows
      where window.isShownClient && window.ownClass(outputs: stack.outputs) == .locker {
        for pane in stack.panes where stack.overlap(window.id, pane.window) {
          #expect(stack.isAbove(window.id, pane.window))
        }
      }
    }
  }

  /// Other panes may be moved later, and this one with them.
  @Test(arguments: 0..<1000)
  func newPaneIsPlacedBelowAllHigherWindowsThatCoverIt(seed: Int) {
    var dice = Dice(seed: seed)
    for _ in 0..<10 {
      var stack = WindowStack.random(using: &dice).afterMoves()
      let rect = dice.rect(in: smallScreen)
      let layer = StackingLayer.allCases.randomElement(using: &dice) ?? .normal
      let new = WindowStack.PaneWindow(window: 99, layer: layer)
      let index = stack.panes.firstIndex { $0.layer > layer } ?? stack.panes.count
      var panes = stack.panes
      panes.insert(new, at: index)
      let sibling = stack.sibling(ofNew: 99, at: rect, panes: panes)
      stack.insertAtBottom(
        WindowStack.Window(id: 99, role: .overlay, geometry: WindowGeometry(rect)))
      stack.restack(99, above: sibling ?? 0)
      stack.panes = panes
      for window in stack.windows
      where stack.classOf(window)?.isInFront(of: layer) == true && stack.overlap(window.id, 99) {
        #expect(stack.isAbove(window.id, 99))
      }
      if StackPlan(stack).moves.allSatisfy({ $0.window == 99 }) {
        #expect(StackPlan(stack).moves.isEmpty)
      }
    }
  }

  /// Each window that a pane covered before the moves, and does not cover after them.
  @Test(arguments: 0..<500)
  func movesNameTheWindowsThatPanesNoLongerCover(seed: Int) {
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let stack = WindowStack.random(using: &dice)
      let moved = stack.afterMoves()
      func isPane(_ id: UInt32) -> Bool { stack.panes.contains { $0.window == id } }
      for pane in stack.windows where pane.role == .overlay {
        let parts = StackPlan(stack).moves.filter { $0.window == pane.id }.flatMap(\.uncovered)
        for part in parts {
          #expect(isPane(part.window) || stack[part.window]?.isShownClient == true)
          #expect(!part.rect.isEmpty && pane.geometry.outer.contains(part.rect))
        }
        for window in stack.windows
        where pane.isMapped && (window.isShownClient || isPane(window.id) && window.isMapped)
          && stack.overlap(window.id, pane.id) && stack.isAbove(pane.id, window.id)
          && moved.isAbove(window.id, pane.id)
        {
          let rect = window.geometry.outer.intersection(pane.geometry.outer)
          // The other one may have been raised instead.
          let isRaised = StackPlan(stack).moves.contains { $0.window == window.id }
          let part = StackPlan.UncoveredPart(window: window.id, rect: rect)
          #expect(isRaised || parts.contains(part), "\(part) of \(pane.id)")
        }
      }
    }
  }

  /// Each pane moves, also one that is in its position.
  @Test(arguments: 0..<500)
  func renewingMovesMoveAllPanesToTheirPositions(seed: Int) {
    var dice = Dice(seed: seed)
    for _ in 0..<20 {
      let stack = WindowStack.random(using: &dice)
      var renewed = stack
      var moved: Set<UInt32> = []
      for move in StackPlan(stack).renewingMoves {
        let before = renewed.windows.map(\.id)
        renewed.restack(move.window, above: move.sibling ?? 0)
        if renewed.windows.map(\.id) != before { moved.insert(move.window) }
      }
      let panes = stack.panes.map(\.window).filter { stack.index(of: $0) != nil }
      #expect(moved == (stack.windows.count > 1 ? Set(panes) : []))
      #expect(StackPlan(renewed).moves.isEmpty)
      let others = stack.windows.filter { $0.role == .client }.map(\.id)
      #expect(renewed.windows.filter { $0.role == .client }.map(\.id) == others)
    }
  }

  // MARK: Examples

  /// The windows of a desktop, the lowest first.
  private static let desktop = 1 as UInt32
  private static let terminal = 2 as UInt32
  private static let panel = 3 as UInt32
  private static let fullscreen = 4 as UInt32
  private static let menu = 5 as UInt32
  private static let lock = 6 as UInt32

  private var stack: WindowStack {
    var stack = WindowStack()
    stack.outputs = [smallScreen]
    stack.append(.make(Self.desktop, hints: WindowHints(kind: .desktop)))
    stack.append(.make(Self.terminal))
    stack.append(.make(Self.panel, hints: WindowHints(kind: .dock)))
    stack.append(.make(Self.fullscreen, hints: WindowHints(isFullscreen: true)))
    let corner = Rect(x: 0, y: 0, width: 9, height: 9)
    stack.append(.make(Self.menu, corner, isOverrideRedirect: true))
    stack.append(.make(Self.lock, isOverrideRedirect: true))
    return stack
  }

  @Test(arguments: [
    (StackingLayer.desktop, Self.desktop), (.belowDocks, Self.terminal), (.normal, Self.panel),
    (.top, Self.menu),
  ])
  func paneIsDirectlyAboveTheClassBelowItsLayer(layer: StackingLayer, lower: UInt32) {
    let pane = WindowStack.PaneWindow(window: 9, layer: layer)
    let corner = Rect(x: 1, y: 1, width: 5, height: 5)
    #expect(stack.sibling(ofNew: 9, at: corner, panes: [pane]) == lower)
    for start in 0...6 as ClosedRange<UInt32> {
      var stack = stack
      stack.insertAtBottom(
        WindowStack.Window(
          id: 9, role: .overlay, geometry: WindowGeometry(corner), isMapped: true))
      stack.restack(9, above: start)
      stack.panes = [pane]
      #expect(stack.afterMoves().windows.map(\.id).firstIndex(of: 9) == Int(lower))
    }
  }

  @Test func windowThatALowerOneCoversLosesItsPosition() {
    var stack = stack
    stack[Self.lock]?.isMapped = false
    stack.moveToTop(Self.terminal)
    let pane = WindowStack.PaneWindow(window: 9, layer: .normal)
    let corner = Rect(x: 12, y: 12, width: 5, height: 5)
    #expect(stack.sibling(ofNew: 9, at: corner, panes: [pane]) == Self.terminal)
  }

  @Test func loweredPaneUncoversTheWindowsInFrontOfIt() {
    var stack = stack
    stack[Self.fullscreen]?.isMapped = false
    let corner = Rect(x: 1, y: 1, width: 12, height: 5)
    // The window of a pane that was removed, or is drawn in another window now, until the server tells its end.
    stack.append(
      WindowStack.Window(id: 8, role: .overlay, geometry: WindowGeometry(corner), isMapped: true))
    stack.append(
      WindowStack.Window(id: 9, role: .overlay, geometry: WindowGeometry(corner), isMapped: true))
    stack.panes = [WindowStack.PaneWindow(window: 9, layer: .belowDocks)]
    let parts = StackPlan(stack).moves.flatMap(\.uncovered)
    let wanted = [
      (Self.panel, corner), (Self.menu, Rect(x: 1, y: 1, width: 8, height: 5)),
      (Self.lock, corner),
    ]
    #expect(parts == wanted.map { StackPlan.UncoveredPart(window: $0, rect: $1) })
    stack.panes = [WindowStack.PaneWindow(window: 9, layer: .top)]
    stack.insertAtBottom(stack[9]!)
    #expect(StackPlan(stack).moves.map(\.uncovered) == [[]], "a raised pane uncovers nothing")
  }

  @Test func insistingWindowIsInFront() {
    var stack = stack
    stack[Self.lock]?.isMapped = false
    stack.moveToTop(Self.panel)
    stack.insisting = [Self.panel]
    let pane = WindowStack.PaneWindow(window: 9, layer: .normal)
    let corner = Rect(x: 1, y: 1, width: 5, height: 5)
    #expect(stack.sibling(ofNew: 9, at: corner, panes: [pane]) == Self.terminal)
    #expect(StackPlan(stack).windowsInFront(of: .normal).contains(Self.panel))
  }
}

extension WindowStack {
  /// The stack after the moves of its plan.
  func afterMoves() -> WindowStack {
    var stack = self
    for move in StackPlan(self).moves { stack.restack(move.window, above: move.sibling ?? 0) }
    return stack
  }

  fileprivate func isAbove(_ one: UInt32, _ other: UInt32) -> Bool {
    (index(of: one) ?? -1) > (index(of: other) ?? -1)
  }

  fileprivate func overlap(_ one: UInt32, _ other: UInt32) -> Bool {
    guard let one = self[one], let other = self[other] else { return false }
    return one.geometry.outer.intersects(other.geometry.outer)
  }

  /// The class of a window by the plain rule; nil if it does not matter.
  fileprivate func classOf(_ window: Window) -> WindowClass? {
    guard window.isShownClient, outputs.contains(where: { $0.intersects(window.geometry.outer) })
    else { return nil }
    var own = window.ownClass(outputs: outputs)
    if insisting.contains(window.id) { own = max(own, .front) }
    guard own == .dock || own == .front else { return own }
    for higher in windows where isAbove(higher.id, window.id) && overlap(higher.id, window.id) {
      guard higher.role == .client, let other = classOf(higher) else { continue }
      if other <= .dock { own = min(own, other) }
    }
    return own
  }

  /// The same windows in the order of their classes; those without a class are left out.
  fileprivate func sortedByClass() -> WindowStack {
    var sorted = self
    // Out of order, windows may lose their class. In order, they have their own.
    for window in windows where window.role != .overlay { sorted[window.id] = nil }
    let known = windows.filter { $0.role == .client && classOf($0) != nil }.sorted { one, other in
      let classes = [one, other].map { window in
        let own = window.ownClass(outputs: outputs)
        return insisting.contains(window.id) ? max(own, .front) : own
      }
      return classes[0] < classes[1]
    }
    for window in known { sorted.append(window) }
    return sorted
  }
}

extension WindowStack.Window {
  /// A mapped window of another client.
  fileprivate static func make(
    _ id: UInt32, _ rect: Rect = smallScreen, isOverrideRedirect: Bool = false,
    hints: WindowHints = WindowHints()
  ) -> WindowStack.Window {
    WindowStack.Window(
      id: id, role: .client, geometry: WindowGeometry(rect), isMapped: true,
      isOverrideRedirect: isOverrideRedirect, hints: hints, attributes: WindowAttributes())
  }
}

extension WindowGeometry {
  fileprivate init(_ rect: Rect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height, border: 0)
  }
}
