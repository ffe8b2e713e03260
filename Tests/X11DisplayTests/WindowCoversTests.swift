import Raster
import TestDice
import Testing

@testable import X11Display

/// The windows that cover outputs, and what is known of them.
@Suite struct WindowCoversTests {
  private static let left = Rect(x: 0, y: 0, width: 400, height: 300)
  private static let right = Rect(x: 400, y: 0, width: 300, height: 300)

  private func stack(_ windows: [WindowStack.Window], hasCompositor: Bool = false) -> WindowStack {
    var stack = WindowStack()
    stack.outputs = [Self.left, Self.right]
    stack.screen = Self.left.hull(Self.right)
    stack.hasCompositor = hasCompositor
    for window in windows { stack.append(window) }
    return stack
  }

  private func window(
    _ rect: Rect, id: UInt32 = 1, _ change: (inout WindowStack.Window) -> Void = { _ in }
  ) -> WindowStack.Window {
    var window = WindowStack.Window(
      id: id, role: .client,
      geometry: WindowGeometry(
        x: rect.x, y: rect.y, width: rect.width, height: rect.height, border: 0),
      isMapped: true, mapCount: 1, isOverrideRedirect: true, attributes: WindowAttributes())
    change(&window)
    return window
  }

  /// The outputs that windows cover.
  private func covered(_ windows: [WindowStack.Window]) -> [Rect] {
    stack(windows).covers(named: []).map(\.output)
  }

  /// The facts about a window over the left output.
  private func facts(
    hasCompositor: Bool = false, _ change: (inout WindowStack.Window) -> Void
  ) -> CoverFacts? {
    stack([window(Self.left, change)], hasCompositor: hasCompositor).covers(named: []).first?.facts
  }

  @Test func windowCoversOutputsExceptForASmallMargin() {
    #expect(covered([window(Self.left)]) == [Self.left])
    #expect(covered([window(Self.right.grown(by: 5))]) == [Self.right])
    #expect(covered([window(Self.left.hull(Self.right))]) == [Self.left, Self.right])
    #expect(covered([window(Self.left.grown(by: -16))]) == [Self.left])
    #expect(covered([window(Self.left.grown(by: -17))]).isEmpty)
  }

  @Test func otherWindowsCoverNothing() {
    for change: (inout WindowStack.Window) -> Void in [
      { $0.isOverrideRedirect = false }, { $0.isMapped = false }, { $0.hints.isFrame = true },
      { $0.attributes?.isInputOnly = true },
      { $0.attributes?.shape = Region(Rect(x: 0, y: 0, width: 300, height: 100)) },
    ] {
      #expect(covered([window(Self.left, change)]).isEmpty)
    }
  }

  @Test func windowIsTranslucentOnlyUnderACompositor() {
    for change: (inout WindowStack.Window) -> Void in [
      { $0.attributes?.depth = 32 }, { $0.attributes?.opacity = 99 },
    ] {
      #expect(facts(change)?.isOpaque == true)
      #expect(facts(hasCompositor: true, change)?.isOpaque == false)
    }
    // In doubt it is opaque and takes input.
    let unknown = facts(hasCompositor: true) { $0.attributes = nil }
    #expect(unknown?.isOpaque == true && unknown?.takesInput == true)
  }

  @Test func inputShapeMustCoverTheOutput() {
    func takesInput(_ shape: Region) -> Bool? {
      facts { $0.attributes?.inputShape = shape }?.takesInput
    }
    #expect(takesInput(Region()) == false)
    #expect(takesInput(Region(Rect(x: 0, y: 0, width: 400, height: 100))) == false)
    #expect(takesInput(Region(Rect(x: 9, y: 9, width: 380, height: 280))) == true)
  }

  @Test func windowThatIsNamedForGlassIsKnown() {
    let stack = stack([window(Self.left)])
    #expect(stack.covers(named: [1]).map(\.facts.isNamed) == [true])
    #expect(stack.covers(named: [2]).map(\.facts.isNamed) == [false])
  }

  /// A window that covered an output still does when the output grows, until it changes itself.
  @Test func windowStillCoversAnOutputThatGrows() {
    var stack = stack([window(Self.left)])
    stack.recordCovering()
    stack.outputs = [Self.left.grown(by: 100)]
    #expect(stack.covers(named: []).map(\.output) == stack.outputs)
    #expect(stack[1]?.ownClass(outputs: stack.outputs) == .locker)
    stack[1]?.geometry.width -= 1
    #expect(stack.covers(named: []).isEmpty)
    #expect(stack[1]?.ownClass(outputs: stack.outputs) == .front)
  }

  // MARK: Wallpapers

  private static let corner = Rect(x: 9, y: 9, width: 50, height: 50)

  @Test func windowBelowAllOthersIsLow() {
    let hidden = window(Self.corner, id: 2) { $0.isMapped = false }
    let menu = window(Self.corner, id: 3)
    let helper = WindowStack.Window(id: 4, role: .hidden, geometry: menu.geometry)
    let overlay = WindowStack.Window(id: 5, role: .overlay, geometry: menu.geometry)
    let outside = window(Rect(x: -9, y: -9, width: 1, height: 1), id: 6)
    let wallpaper = window(Self.left)
    #expect(stack([wallpaper, hidden, helper, outside]).lowWindows == [1])
    let saver = WindowStack.Window(id: 7, role: .server, geometry: menu.geometry)
    #expect(stack([overlay, menu, wallpaper]).lowWindows == [1, 3])
    #expect(stack([saver, wallpaper]).lowWindows == [1])
    for other in [hidden, helper, outside] {
      #expect(stack([other, wallpaper]).lowWindows.isEmpty)
    }
  }

  @Test func windowOfTheStartBelowAManagedOneIsLow() {
    let hidden = window(Self.corner, id: 2) { $0.isMapped = false }
    let managed = window(Self.corner, id: 3) { $0.isOverrideRedirect = false }
    let early = window(Self.left) { $0.mapCount = 0 }
    #expect(stack([hidden, early, managed]).lowWindows == [1])
    #expect(stack([hidden, managed, early]).lowWindows.isEmpty)
    #expect(stack([hidden, window(Self.left), managed]).lowWindows.isEmpty)
  }

  /// A window that panes must not cover has the class of lock screens, whatever the keyboard does.
  @Test(arguments: 0..<500)
  func classAgreesWithTheRule(seed: Int) {
    var dice = Dice(seed: seed)
    var stack = WindowStack.random(using: &dice)
    stack.screen = smallScreen
    for cover in stack.covers(named: []) {
      let own = stack[cover.window]?.ownClass(outputs: stack.outputs)
      switch cover.facts.verdict(.unknown) {
      case .ordinary: Issue.record("\(cover)")
      case .wallpaper: #expect(own == .desktop || !cover.facts.isDesktop)
      case .inFront, .lock: #expect(own == .locker, "\(cover)")
      }
    }
  }
}
