import Engine
import Raster
import TestDice
import Testing

@testable import X11Display

/// The layers of a view at a pixel by the plain rule: the highest window first, down to one that hides all below
/// it. Each layer has an empty region.
private func layers(
  atX x: Int, y: Int, of view: View, _ stack: WindowStack, inFront: Set<UInt32>
) -> [WindowLayer] {
  var found: [WindowLayer] = []
  for (index, window) in stack.windows.enumerated().reversed() {
    guard isBehind(index, of: view, stack, inFront),
      window.role == .client || isOverShownWindow(window.id, stack, inFront), window.isMapped,
      window.isPlaced, window.isReadable, let attributes = window.attributes,
      !attributes.isInputOnly, covers(window, x: x, y: y)
    else { continue }
    let opacity = stack.hasCompositor ? attributes.opacity : .max
    let isTranslucent = stack.hasCompositor && (attributes.depth == 32 || opacity < .max)
    found.append(
      WindowLayer(
        source: .window(window.id), region: Region(), geometry: window.geometry,
        mapCount: window.mapCount, isTranslucent: isTranslucent, hasAlpha: attributes.depth == 32,
        opacity: opacity))
    if !isTranslucent { return found }
  }
  return found + [.wallpaper(in: Region())]
}

/// Whether a window of the daemon is over a shown window that the view may contain.
private func isOverShownWindow(
  _ id: UInt32, _ stack: WindowStack, _ inFront: Set<UInt32>
) -> Bool {
  stack.panes.contains { pane in
    guard pane.window == id, pane.isOver, let target = pane.target.flatMap({ stack[$0] }) else {
      return false
    }
    return target.role == .client && target.isMapped && target.isPlaced
      && target.attributes?.isInputOnly != true && !inFront.contains(target.id)
  }
}

private func isBehind(
  _ index: Int, of view: View, _ stack: WindowStack, _ inFront: Set<UInt32>
) -> Bool {
  switch view {
  case .belowPanes: return !inFront.contains(stack.windows[index].id)
  case .belowWindow(let id):
    guard let top = stack.windows.firstIndex(where: { $0.id == id.number }) else { return false }
    return index < top
  case .client:
    return false
  case .wallpaper:
    let window = stack.windows[index]
    return window.ownClass(outputs: stack.outputs) == .desktop
      && stack.outputs.contains { window.covers($0) }
  }
}

private func covers(_ window: WindowStack.Window, x: Int, y: Int) -> Bool {
  let geometry = window.geometry
  guard geometry.outer.contains(x: x, y: y) else { return false }
  guard let shape = window.attributes?.shape else { return true }
  return shape.rects.contains {
    $0.contains(x: x - geometry.x - geometry.border, y: y - geometry.y - geometry.border)
  }
}

private func pixel(_ x: Int, _ y: Int) -> Rect { Rect(x: x, y: y, width: 1, height: 1) }

extension [WindowLayer] {
  /// The layers at a pixel, the highest first, each with an empty region.
  fileprivate func at(_ x: Int, _ y: Int) -> [WindowLayer] {
    reversed().filter { $0.region.contains(pixel(x, y)) }.map { layer in
      var layer = layer
      layer.region = Region()
      return layer
    }
  }
}

extension View {
  fileprivate static func random(using dice: inout Dice) -> View {
    switch dice.roll(0...5) {
    case 0: .wallpaper
    case 1, 2: .belowWindow(WindowID(number: UInt32(dice.roll(1...12))))
    default: .belowPanes(.normal)
    }
  }
}

extension Region {
  fileprivate static func random(using dice: inout Dice) -> Region {
    if .random(using: &dice) { return Region(smallScreen) }
    return Region((0..<dice.roll(0...3)).map { _ in dice.rect(in: smallScreen) })
  }
}

@Suite struct WindowLayersTests {
  @Test(arguments: 0..<500)
  func layersAgreeWithTheRuleForEachPixel(seed: Int) {
    var dice = Dice(seed: seed)
    var stack = WindowStack.random(using: &dice)
    stack.putPanesOverWindows(using: &dice)
    let view = View.random(using: &dice)
    let region = Region.random(using: &dice)
    let inFront = Set(stack.windows.map(\.id).filter { _ in dice.roll(0...4) == 0 })
    let found = stack.layers(in: region, of: view, inFront: inFront)
    var wrong: [Rect] = []
    for y in smallScreen.rows {
      for x in smallScreen.columns {
        let isInside = region.contains(pixel(x, y))
        let expected = isInside ? layers(atX: x, y: y, of: view, stack, inFront: inFront) : []
        if found.at(x, y) != expected { wrong.append(pixel(x, y)) }
      }
    }
    #expect(wrong.isEmpty, "\(view)")
    #expect(found.allSatisfy { !$0.region.isEmpty && region.bounds.contains($0.region.bounds) })
    #expect(Set(found.map(\.source)).count == found.count, "a source has one layer")
  }

  @Test(arguments: 0..<1000)
  func differenceHasAllPixelsThatChange(seed: Int) {
    var dice = Dice(seed: seed)
    var stack = WindowStack.random(using: &dice)
    stack.putPanesOverWindows(using: &dice)
    let view = View.random(using: &dice)
    let region = Region.random(using: &dice)
    let old = stack.layers(in: region, of: view, inFront: [])
    stack.changeAtRandom(using: &dice)
    checkDifference(from: old, to: stack.layers(in: region, of: view, inFront: []), in: region)
  }

  @Test(arguments: 0..<300)
  func differenceHasPixelsWhereTheOrderOfLayersChanges(seed: Int) {
    var dice = Dice(seed: seed)
    var stack = WindowStack()
    stack.hasCompositor = true
    let count = UInt32(dice.roll(2...5))
    for id in 1...count {
      stack.append(
        WindowStack.Window(
          id: id, role: .client, geometry: .random(using: &dice), isMapped: true,
          attributes: WindowAttributes(depth: dice.roll(0...3) > 0 ? 32 : 24)))
    }
    let region = Region(smallScreen)
    let old = stack.layers(in: region, of: .belowPanes(.normal), inFront: [])
    let id = UInt32.random(in: 1...count, using: &dice)
    stack.restack(id, above: .random(in: 0...count, using: &dice))
    checkDifference(
      from: old, to: stack.layers(in: region, of: .belowPanes(.normal), inFront: []), in: region)
  }

  /// Checks the difference of two states against their layers at each pixel.
  private func checkDifference(from old: [WindowLayer], to new: [WindowLayer], in region: Region) {
    let difference = difference(from: old, to: new)
    // Where layers show through, more may be reported.
    let isExact = !(old + new).contains(where: \.isTranslucent)
    var missing: [Rect] = []
    var needless: [Rect] = []
    for y in smallScreen.rows {
      for x in smallScreen.columns {
        let isChanged = old.at(x, y) != new.at(x, y)
        let isReported = difference.contains(pixel(x, y))
        if isChanged, !isReported { missing.append(pixel(x, y)) }
        if isReported, !isChanged, isExact { needless.append(pixel(x, y)) }
      }
    }
    #expect(missing.isEmpty && needless.isEmpty)
    #expect(difference.subtracting(region).isEmpty)
  }

  @Test(arguments: 0..<100)
  func equalLayersHaveNoDifference(seed: Int) {
    var dice = Dice(seed: seed)
    let stack = WindowStack.random(using: &dice)
    let layers = stack.layers(in: Region(smallScreen), of: .belowPanes(.normal), inFront: [])
    #expect(difference(from: layers, to: layers).isEmpty)
    #expect(difference(from: [], to: layers) == Region(smallScreen))
    #expect(difference(from: layers, to: []) == Region(smallScreen))
  }

  @Test func windowMappedAgainIsADifference() {
    var stack = WindowStack()
    let geometry = WindowGeometry(x: 2, y: 3, width: 4, height: 5, border: 0)
    stack.append(
      WindowStack.Window(
        id: 1, role: .client, geometry: geometry, isMapped: true, attributes: WindowAttributes()))
    let old = stack.layers(in: Region(smallScreen), of: .belowPanes(.normal), inFront: [])
    stack[1]?.mapCount += 1
    let new = stack.layers(in: Region(smallScreen), of: .belowPanes(.normal), inFront: [])
    #expect(difference(from: old, to: new) == Region(geometry.outer))
  }

  @Test func swappedTranslucentWindowsAreADifference() {
    var stack = WindowStack()
    stack.hasCompositor = true
    let geometry = WindowGeometry(x: 2, y: 3, width: 4, height: 5, border: 0)
    for id: UInt32 in 1...2 {
      stack.append(
        WindowStack.Window(
          id: id, role: .client, geometry: geometry, isMapped: true,
          attributes: WindowAttributes(depth: 32)))
    }
    let old = stack.layers(in: Region(smallScreen), of: .belowPanes(.normal), inFront: [])
    stack.moveToTop(1)
    let new = stack.layers(in: Region(smallScreen), of: .belowPanes(.normal), inFront: [])
    #expect(difference(from: old, to: new) == Region(geometry.outer))
  }

  @Test(arguments: 0..<300)
  func awaitedWindowsAreThoseThatAreNotShownYet(seed: Int) {
    var dice = Dice(seed: seed)
    let stack = WindowStack.random(using: &dice)
    let region = Region.random(using: &dice)
    let awaited = stack.windowsAwaited(in: region)
    for window in stack.windows {
      // Mapped and known, it would be shown.
      var shown = window
      shown.isMapped = true
      shown.attributes = shown.attributes ?? WindowAttributes()
      let isComplete = window.isMapped && window.attributes != nil
      let couldShow =
        shown.isShownClient && shown.isCapturable(areaLimit: stack.areaLimit)
        && region.intersects(shown.geometry.outer)
      #expect(awaited.contains(window.id) == (couldShow && !isComplete), "window \(window.id)")
    }
  }
}

extension WindowStack {
  /// Puts most panes over windows, some of which do not exist.
  fileprivate mutating func putPanesOverWindows(using dice: inout Dice) {
    panes = panes.map { pane in
      var pane = pane
      pane.isOver = dice.roll(0...3) > 0
      pane.target = UInt32(dice.roll(1...12))
      return pane
    }
  }
}
