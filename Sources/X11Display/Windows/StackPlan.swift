import Panes
import Raster

/// The positions of panes among the windows of a stack.
///
/// A pane is above all windows of lower classes and below those of higher ones. If windows are not in the
/// order of their classes, only windows that overlap the pane count; if even these contradict each other, the
/// pane is in the lower position. A window of a higher class that a lower one covers counts as lower: its
/// client or the window manager has given up its position.
///
/// A pane behind a window is right beneath it, above all panes of layers there. One over a window is right above it, unless the
/// window insists on being above it.
///
/// A pane keeps its position if it is right, so that few requests restack windows.
struct StackPlan {
  /// The windows of other clients, the lowest first.
  private let foreign: [WindowStack.Window]
  /// The class of each element of `foreign`; nil if it does not matter.
  private let classes: [WindowClass?]
  /// The panes in the stack, in their order.
  private let panes: [Pane]
  /// The moves that put all panes in their positions, in the order in which they must be made.
  let moves: [Move]
  private let stack: WindowStack

  /// A pane in the stack.
  private struct Pane {
    let id: UInt32
    let layer: StackingLayer
    let rect: Rect
    let isMapped: Bool
    /// Its index in the stack.
    let index: Int
    /// The number of foreign windows that are below it.
    let slot: Int
    /// The number that should be below it.
    var wanted: Int
    /// The window right beneath which it belongs; nil if it is in its layer.
    let target: UInt32?
    /// Whether it belongs directly above that window instead.
    let isOver: Bool
  }

  /// A window of a pane that must be moved.
  struct Move: Equatable {
    let window: UInt32
    /// The window that should be directly below it; nil if there is none.
    let sibling: UInt32?
    /// The windows of lower classes that cover the pane, or the window that it belongs over.
    let covering: [UInt32]
    /// The parts that the pane no longer covers after the move.
    var uncovered: [UncoveredPart] = []
  }

  /// The part of a shown window that a pane covered before it was moved below the window, in the coordinates of the screen.
  struct UncoveredPart: Equatable {
    let window: UInt32
    let rect: Rect
  }

  init(_ stack: WindowStack) {
    let foreign = stack.windows.filter { $0.role == .client }
    let classes = effectiveClasses(of: foreign, in: stack)
    let panes = Self.settled(
      Self.panes(of: stack), among: foreign, classes, insisting: stack.insisting)
    self.foreign = foreign
    self.classes = classes
    self.panes = panes
    self.stack = stack
    moves = Self.moves(of: panes, among: foreign, classes).withUncoveredParts(in: stack)
  }

  /// Moves that put all panes in their positions again. Each pane leaves its position first: the server reports a restacked
  /// window only if the order changes.
  var renewingMoves: [Move] {
    var stack = stack
    var renewing: [Move] = []
    for move in Self.moves(of: panes, among: foreign, classes, includesThoseInPlace: true) {
      let isLowest = stack.index(of: move.window) == 0
      let aside = isLowest ? stack.windows.dropFirst().first?.id : nil
      stack.restack(move.window, above: aside ?? 0)
      stack.restack(move.window, above: move.sibling ?? 0)
      renewing.append(Move(window: move.window, sibling: aside, covering: []))
      // For the compositor the pane may have been above any of these.
      let higher = stack.windows.reversed().prefix { $0.id != move.window }
      let uncovered = stack.parts(of: Array(higher), coveredBy: move.window)
      renewing.append(
        Move(window: move.window, sibling: move.sibling, covering: [], uncovered: uncovered))
    }
    return renewing
  }

  /// The panes with their present positions.
  private static func panes(of stack: WindowStack) -> [Pane] {
    var places: [UInt32: (index: Int, slot: Int)] = [:]
    var slot = 0
    for (index, window) in stack.windows.enumerated() {
      switch window.role {
      case .overlay: places[window.id] = (index, slot)
      case .client: slot += 1
      case .hidden, .server: break
      }
    }
    return stack.panes.compactMap { pane in
      places[pane.window].map {
        let window = stack.windows[$0.index]
        return Pane(
          id: pane.window, layer: pane.layer, rect: window.geometry.outer,
          isMapped: window.isMapped, index: $0.index, slot: $0.slot, wanted: $0.slot,
          target: pane.target, isOver: pane.isOver)
      }
    }
  }

  /// The panes with the positions that they should have.
  private static func settled(
    _ panes: [Pane], among foreign: [WindowStack.Window], _ classes: [WindowClass?],
    insisting: Set<UInt32>
  ) -> [Pane] {
    var panes = panes
    let limits = Dictionary(
      uniqueKeysWithValues: StackingLayer.allCases.map {
        ($0, Self.limits(of: $0, foreign, classes) { _ in true })
      })
    for index in panes.indices.reversed() {
      let pane = panes[index]
      if let target = pane.target {
        if pane.isOver, insisting.contains(target) { continue }
        let slot = foreign.firstIndex { $0.id == target }
        panes[index].wanted = slot.map { pane.isOver ? $0 + 1 : $0 } ?? pane.slot
        continue
      }
      var (low, high) = limits[pane.layer] ?? (0, foreign.count)
      if low > high {
        let near = Self.limits(of: pane.layer, foreign, classes) {
          $0.geometry.outer.intersects(pane.rect)
        }
        (low, high) = (min(low, near.high), near.high)
      }
      for higher in panes[(index + 1)...]
      where higher.target == nil && higher.rect.intersects(pane.rect) {
        high = min(high, higher.wanted)
      }
      panes[index].wanted = max(min(low, high), min(pane.slot, high))
    }
    return panes
  }

  /// The slots that a pane of a layer may have among windows: above all those of lower classes and below all
  /// those of higher ones. The windows contradict each other if `low` is greater than `high`.
  private static func limits(
    of layer: StackingLayer, _ windows: [WindowStack.Window], _ classes: [WindowClass?],
    where counts: (WindowStack.Window) -> Bool
  ) -> (low: Int, high: Int) {
    var (low, high) = (0, windows.count)
    for (index, window) in windows.enumerated() {
      guard let own = classes[index], counts(window) else { continue }
      if own.isInFront(of: layer) {
        high = min(high, index)
      } else {
        low = index + 1
      }
    }
    return (low, high)
  }

  /// The windows that are in front of panes of a layer, so that they are not in its view.
  func windowsInFront(of layer: StackingLayer) -> Set<UInt32> {
    let own = panes.filter { $0.target == nil && $0.layer == layer && $0.isMapped }
    var found: Set<UInt32> = []
    for (index, window) in foreign.enumerated() {
      guard let ownClass = classes[index] else { continue }
      let isInFront =
        ownClass.isInFront(of: layer)
        || own.contains { $0.wanted <= index && $0.rect.intersects(window.geometry.outer) }
      if isInFront { found.insert(window.id) }
    }
    return found
  }

  /// The moves that put panes in their positions. Each pane of a slot is placed directly above the previous one, so a moved pane
  /// is below the panes after it that are not moved.
  private static func moves(
    of panes: [Pane], among foreign: [WindowStack.Window], _ classes: [WindowClass?],
    includesThoseInPlace: Bool = false
  ) -> [Move] {
    var moves: [Move] = []
    // The last pane in each slot, and the index of the last one that is not moved.
    var last: [Int: (id: UInt32, index: Int)] = [:]
    for pane in panes {
      let previous = last[pane.wanted]
      let isInPlace =
        !includesThoseInPlace && pane.slot == pane.wanted && pane.index > previous?.index ?? -1
      last[pane.wanted] = (pane.id, isInPlace ? pane.index : previous?.index ?? -1)
      if isInPlace { continue }
      let sibling = previous?.id ?? (pane.wanted > 0 ? foreign[pane.wanted - 1].id : nil)
      let covering = foreign.indices.filter { index in
        guard index >= pane.slot, index < pane.wanted else { return false }
        if pane.isOver { return foreign[index].id == pane.target }
        return pane.target == nil && classes[index] != nil
          && foreign[index].geometry.outer.intersects(pane.rect)
      }
      moves.append(
        Move(window: pane.id, sibling: sibling, covering: covering.map { foreign[$0].id }))
    }
    return moves
  }

  /// The window directly above which a pane belongs as long as no other pane is moved.
  fileprivate func sibling(of window: UInt32) -> UInt32? {
    guard let index = panes.firstIndex(where: { $0.id == window }) else { return nil }
    let slot = panes[index].wanted
    let previous = panes[..<index].last { $0.wanted == slot && $0.slot == slot }
    return previous?.id ?? (slot > 0 ? foreign[slot - 1].id : nil)
  }
}

extension [StackPlan.Move] {
  /// The moves, with the parts that each uncovers if all are made one after the other in a stack.
  fileprivate func withUncoveredParts(in stack: WindowStack) -> [StackPlan.Move] {
    var stack = stack
    return map { move in
      let below = stack.windowsBelow(move.window)
      stack.restack(move.window, above: move.sibling ?? 0)
      let stillBelow = Set(stack.windowsBelow(move.window).map(\.id))
      let passed = below.filter { !stillBelow.contains($0.id) }
      var move = move
      move.uncovered = stack.parts(of: passed, coveredBy: move.window)
      return move
    }
  }
}

extension WindowStack {
  /// The windows below a window of the stack.
  fileprivate func windowsBelow(_ id: UInt32) -> ArraySlice<Window> {
    windows.prefix { $0.id != id }
  }

  /// The parts of shown windows in the rectangle of a shown pane. A window of a former pane shows nothing, and the server may
  /// have destroyed it.
  fileprivate func parts(
    of windows: [Window], coveredBy pane: UInt32
  ) -> [StackPlan.UncoveredPart] {
    guard let pane = self[pane], pane.isMapped else { return [] }
    return windows.compactMap { window in
      let isPane = panes.contains { $0.window == window.id }
      guard window.isMapped, isPane || window.isShownClient else { return nil }
      let rect = window.geometry.outer.intersection(pane.geometry.outer)
      return rect.isEmpty ? nil : StackPlan.UncoveredPart(window: window.id, rect: rect)
    }
  }

  /// The window directly above which a new window of a pane belongs, according to `panes`, which include it; nil
  /// if it belongs at the bottom.
  func sibling(ofNew window: UInt32, at rect: Rect, panes: [PaneWindow]) -> UInt32? {
    var stack = self
    let geometry = WindowGeometry(
      x: rect.x, y: rect.y, width: rect.width, height: rect.height, border: 0)
    stack.insertAtBottom(Window(id: window, role: .overlay, geometry: geometry))
    stack.panes = panes
    return StackPlan(stack).sibling(of: window)
  }
}

/// The class of each window, the lowest window first; nil for one that is not visible.
private func effectiveClasses(
  of windows: [WindowStack.Window], in stack: WindowStack
) -> [WindowClass?] {
  let areas = stack.outputs + [stack.screen]
  var classes = [WindowClass?](repeating: nil, count: windows.count)
  // The windows of low classes that were found so far, from the highest on.
  var covering: [(rect: Rect, own: WindowClass)] = []
  for (index, window) in windows.enumerated().reversed() {
    let rect = window.geometry.outer
    guard window.isShownClient, areas.contains(where: { $0.intersects(rect) }) else { continue }
    var own = window.ownClass(outputs: stack.outputs)
    if stack.insisting.contains(window.id) { own = max(own, .front) }
    if own == .dock || own == .front {
      for one in covering where one.rect.intersects(rect) { own = min(own, one.own) }
    }
    classes[index] = own
    if own <= .dock { covering.append((rect, own)) }
  }
  return classes
}
