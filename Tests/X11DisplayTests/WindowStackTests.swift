import Raster
import TestDice
import Testing

@testable import X11Display

@Suite struct WindowStackTests {
  private func window(
    _ id: UInt32, _ rect: Rect = smallScreen, role: WindowStack.Role = .client,
    isOverrideRedirect: Bool = false
  ) -> WindowStack.Window {
    WindowStack.Window(
      id: id, role: role,
      geometry: WindowGeometry(
        x: rect.x, y: rect.y, width: rect.width, height: rect.height, border: 0),
      isMapped: true, isOverrideRedirect: isOverrideRedirect, attributes: WindowAttributes())
  }

  @Test(arguments: 0..<300)
  func orderAgreesWithAList(seed: Int) {
    var dice = Dice(seed: seed)
    var stack = WindowStack()
    var model: [UInt32] = []
    for _ in 0..<40 {
      let id = UInt32(dice.roll(1...8))
      switch dice.roll(0...4) {
      case 0, 1:
        stack.append(.random(id: id, using: &dice))
        model.removeAll { $0 == id }
        model.append(id)
      case 2:
        stack[id] = nil
        model.removeAll { $0 == id }
      case 3:
        stack.moveToTop(id)
        if model.contains(id) {
          model.removeAll { $0 == id }
          model.append(id)
        }
      default:
        let sibling = UInt32(dice.roll(0...9))
        stack.restack(id, above: sibling)
        let isKnown = sibling == 0 || model.contains(sibling) && sibling != id
        if model.contains(id), isKnown {
          model.removeAll { $0 == id }
          let below = sibling == 0 ? -1 : model.firstIndex(of: sibling) ?? -1
          model.insert(id, at: below + 1)
        }
      }
      #expect(stack.windows.map(\.id) == model)
    }
    for (index, id) in model.enumerated() {
      #expect(stack.index(of: id) == index && stack[id]?.id == id)
    }
    #expect(stack.index(of: 9) == nil && stack[9]?.id == nil)
  }

  @Test func changeOfUnknownWindowAddsNone() {
    var stack = WindowStack()
    stack.append(window(1))
    stack[2] = window(2)
    stack[2]?.isMapped = false
    #expect(stack.windows.map(\.id) == [1])
  }

  @Test func forgottenFailuresMakeWindowsReadable() {
    var stack = WindowStack()
    stack.append(window(1))
    stack[1]?.isReadable = false
    let count = stack[1]?.changeCount ?? 0
    stack.forgetFailures()
    #expect(stack[1]?.isReadable == true)
    #expect(stack[1]?.changeCount != count, "a failure of an earlier request does not count")
  }

  // MARK: Windows

  @Test func windowCoversItsBorder() {
    let geometry = WindowGeometry(x: -3, y: 4, width: 10, height: 20, border: 2)
    #expect(geometry.outer == Rect(x: -3, y: 4, width: 14, height: 24))
    #expect(geometry.origin == (-1, 6))
  }

  @Test func shapeIsRelativeToTheOriginAndCutAtTheBorder() {
    var window = window(1)
    window.geometry = WindowGeometry(x: 5, y: 6, width: 4, height: 4, border: 1)
    #expect(window.region == Region(Rect(x: 5, y: 6, width: 6, height: 6)))
    window.attributes?.shape = Region(Rect(x: -9, y: 1, width: 11, height: 99))
    #expect(window.region == Region(Rect(x: 5, y: 8, width: 3, height: 4)))
    window.attributes?.shape = Region()
    #expect(window.region.isEmpty)
  }

  @Test func windowLargerThanAPixmapIsNotCaptured() {
    var window = window(1)
    window.geometry = WindowGeometry(x: 0, y: 0, width: 32765, height: 1, border: 1)
    #expect(window.isCapturable(areaLimit: 1 << 20))
    window.geometry.width += 1
    #expect(!window.isCapturable(areaLimit: 1 << 20))
    window.geometry = WindowGeometry(x: 0, y: 0, width: 1, height: 32768, border: 0)
    #expect(!window.isCapturable(areaLimit: 1 << 20))
    window.geometry.height -= 1
    #expect(window.isCapturable(areaLimit: 1 << 20))
    #expect(!window.isCapturable(areaLimit: 32_766), "the server would need too much memory")
    window.isReadable = false
    #expect(!window.isCapturable(areaLimit: 1 << 20))
  }
}
