import Raster
import TestDice
import Testing

@testable import X11Display

/// The outputs that windows lock.
@Suite struct LockedOutputTests {
  private static let left = Rect(x: 0, y: 0, width: 400, height: 300)
  private static let right = Rect(x: 400, y: 0, width: 300, height: 300)

  private func stack(_ windows: [WindowStack.Window], hasCompositor: Bool = false) -> WindowStack {
    var stack = WindowStack()
    stack.outputs = [Self.left, Self.right]
    stack.hasCompositor = hasCompositor
    for window in windows { stack.append(window) }
    return stack
  }

  private func window(
    _ rect: Rect, _ change: (inout WindowStack.Window) -> Void = { _ in }
  ) -> WindowStack.Window {
    var window = WindowStack.Window(
      id: 1, role: .client,
      geometry: WindowGeometry(
        x: rect.x, y: rect.y, width: rect.width, height: rect.height, border: 0),
      isMapped: true, isOverrideRedirect: true, attributes: WindowAttributes())
    change(&window)
    return window
  }

  @Test func windowLocksTheOutputsThatItCovers() {
    #expect(stack([window(Self.left)]).lockedOutputs == [Self.left])
    #expect(stack([window(Self.right.grown(by: 5))]).lockedOutputs == [Self.right])
    let all = window(Self.left.hull(Self.right))
    #expect(stack([all]).lockedOutputs == [Self.left, Self.right])
    #expect(stack([all]).doubtfulOutputs.isEmpty)
  }

  @Test func smallMarginIsAllowed() {
    #expect(stack([window(Self.left.grown(by: -1))]).lockedOutputs == [Self.left])
    #expect(stack([window(Self.left.grown(by: -16))]).lockedOutputs == [Self.left])
    #expect(stack([window(Self.left.grown(by: -17))]).lockedOutputs.isEmpty)
    // Nine tenths of the area may be a lock screen.
    let most = Rect(x: 0, y: 0, width: 400, height: 271)
    #expect(stack([window(most)]).doubtfulOutputs == [Self.left])
    #expect(stack([window(Rect(x: 0, y: 0, width: 400, height: 269))]).doubtfulOutputs.isEmpty)
  }

  @Test func translucentWindowIsDoubtfulUnderACompositor() {
    for change: (inout WindowStack.Window) -> Void in [
      { $0.attributes?.depth = 32 }, { $0.attributes?.opacity = 99 },
    ] {
      let window = window(Self.left, change)
      #expect(stack([window]).lockedOutputs == [Self.left], "nothing is blended")
      #expect(stack([window], hasCompositor: true).lockedOutputs.isEmpty)
      #expect(stack([window], hasCompositor: true).doubtfulOutputs == [Self.left])
    }
  }

  @Test func otherWindowsLockNothing() {
    for change: (inout WindowStack.Window) -> Void in [
      { $0.isOverrideRedirect = false }, { $0.isMapped = false }, { $0.hints.kind = .desktop },
      { $0.isBackground = true }, { $0.attributes?.isInputOnly = true },
      { $0.attributes?.shape = Region(Rect(x: 0, y: 0, width: 300, height: 100)) },
    ] {
      let stack = stack([window(Self.left, change)])
      #expect(stack.lockedOutputs.isEmpty && stack.doubtfulOutputs.isEmpty)
    }
    // In doubt panes hide.
    #expect(stack([window(Self.left) { $0.attributes = nil }]).lockedOutputs == [Self.left])
  }

  /// A window that covered an output stays a lock screen when the output grows, until it changes itself.
  @Test func lockScreenStaysOneWhenTheOutputGrows() {
    var stack = stack([window(Self.left)])
    stack.noteCovering()
    stack.outputs = [Self.left.grown(by: 100)]
    #expect(stack.lockedOutputs == stack.outputs)
    #expect(stack[1]?.ownClass(outputs: stack.outputs) == .locker)
    stack[1]?.geometry.width -= 1
    #expect(stack.lockedOutputs.isEmpty)
    #expect(stack[1]?.ownClass(outputs: stack.outputs) == .front)
  }

  /// At the start the history of windows is not known: one with managed windows above hides nothing.
  @Test func windowBelowManagedOnesAtTheStartIsBackground() {
    let managed = window(Rect(x: 9, y: 9, width: 50, height: 50)) { $0.isOverrideRedirect = false }
    var wallpaper = window(Self.left)
    wallpaper = WindowStack.Window(
      id: 2, role: .client, geometry: wallpaper.geometry, isMapped: true, isOverrideRedirect: true,
      attributes: WindowAttributes())
    for isAbove in [false, true] {
      var stack = stack(isAbove ? [managed, wallpaper] : [wallpaper, managed])
      stack.findBackground()
      #expect(stack.lockedOutputs == (isAbove ? [Self.left] : []))
    }
  }
}
