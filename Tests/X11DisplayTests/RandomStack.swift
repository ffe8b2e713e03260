import Panes
import Raster
import TestDice

@testable import X11Display

/// The screen of random stacks.
let smallScreen = Rect(x: 0, y: 0, width: 24, height: 18)

extension WindowStack {
  /// Up to 10 windows of all roles, the lowest first, on a small screen and partly beyond it.
  static func random(using dice: inout Dice) -> WindowStack {
    var stack = WindowStack()
    stack.hasCompositor = .random(using: &dice)
    stack.outputs =
      dice.roll(0...2) > 0
      ? [smallScreen]
      : [Rect(x: 0, y: 0, width: 14, height: 18), Rect(x: 14, y: 0, width: 10, height: 16)]
    for id in 1...UInt32(dice.roll(1...10)) { stack.append(.random(id: id, using: &dice)) }
    stack.setRandomPanes(using: &dice)
    return stack
  }

  /// Makes most windows of panes part of the order, sorted by their layers.
  mutating func setRandomPanes(using dice: inout Dice) {
    let overlays = windows.filter { $0.role == .overlay && dice.roll(0...9) > 0 }.map(\.id)
    panes = overlays.shuffled(using: &dice).map {
      PaneWindow(window: $0, layer: StackingLayer.allCases.randomElement(using: &dice) ?? .normal)
    }.sorted { $0.layer < $1.layer }
    insisting = Set(windows.map(\.id).filter { _ in dice.roll(0...15) == 0 })
  }

  /// Changes the stack as events do: once or several times.
  mutating func changeAtRandom(using dice: inout Dice) {
    for _ in 0..<dice.roll(1...3) {
      // Some windows do not exist.
      let id = UInt32(dice.roll(1...windows.count + 2))
      switch dice.roll(0...14) {
      case 0: append(.random(id: id, using: &dice))
      case 1: self[id] = nil
      case 2, 3, 11: restack(id, above: UInt32(dice.roll(0...windows.count + 2)))
      case 12, 13: moveToTop(id)
      case 4: hasCompositor.toggle()
      case 5: self[id]?.geometry = .random(using: &dice)
      case 6:
        self[id]?.isMapped.toggle()
        self[id]?.mapCount += 1
      case 7: self[id]?.attributes = .random(using: &dice)
      case 8: self[id]?.attributes?.opacity = .max
      case 9: self[id]?.attributes?.shape = nil
      case 10: self[id]?.isReadable.toggle()
      default: forgetFailures()
      }
    }
  }
}

extension WindowStack.Window {
  /// Most are mapped windows of other clients.
  static func random(id: UInt32, using dice: inout Dice) -> WindowStack.Window {
    let role: WindowStack.Role =
      switch dice.roll(0...11) {
      case 0, 1, 2: .overlay
      case 3: .hidden
      case 4: .server
      default: .client
      }
    return WindowStack.Window(
      id: id, role: role, geometry: .random(using: &dice), isPlaced: dice.roll(0...31) > 0,
      isMapped: dice.roll(0...7) > 0, mapCount: dice.roll(0...1),
      isOverrideRedirect: dice.roll(0...2) == 0, hints: .random(using: &dice),
      isBackground: dice.roll(0...15) == 0,
      attributes: dice.roll(0...31) > 0 ? .random(using: &dice) : nil,
      isReadable: dice.roll(0...31) > 0)
  }
}

extension WindowHints {
  static func random(using dice: inout Dice) -> WindowHints {
    let kinds = [Kind.ordinary, .ordinary, .ordinary, .ordinary, .desktop, .dock, .popup]
    return WindowHints(
      kind: kinds.randomElement(using: &dice) ?? .ordinary, isFullscreen: dice.roll(0...9) == 0,
      isAbove: dice.roll(0...9) == 0)
  }
}

extension WindowGeometry {
  static func random(using dice: inout Dice) -> WindowGeometry {
    if dice.roll(0...7) == 0 {
      return WindowGeometry(x: -1, y: -1, width: 24, height: 18, border: 1)
    }
    return WindowGeometry(
      x: dice.roll(-8...20), y: dice.roll(-8...14), width: dice.roll(1...20),
      height: dice.roll(1...16), border: dice.roll(0...2))
  }
}

extension WindowAttributes {
  static func random(using dice: inout Dice) -> WindowAttributes {
    var attributes = WindowAttributes()
    if dice.roll(0...2) == 0 { attributes.depth = 32 }
    attributes.isInputOnly = dice.roll(0...15) == 0
    if dice.roll(0...3) == 0 {
      attributes.shape = Region(
        (0..<dice.roll(0...4)).map { _ in
          Rect(
            x: dice.roll(-4...20), y: dice.roll(-4...14), width: dice.roll(1...12),
            height: dice.roll(1...12))
        })
    }
    if dice.roll(0...3) == 0 { attributes.opacity = .random(in: 0 ... .max, using: &dice) }
    return attributes
  }
}
