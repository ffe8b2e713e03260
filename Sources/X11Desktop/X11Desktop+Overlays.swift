package import Desktop
package import Raster

/// The windows of panes: where they lie among all others, and their pixels.
extension X11Desktop {
  package mutating func makeOverlay(
    _ name: String, _ shape: OverlayShape
  ) throws(DesktopError) -> OverlayID {
    let overlay = Overlay(x, names, name: name, shape)
    overlayCount += 1
    let id = OverlayID(number: overlayCount)
    overlays[id] = overlay
    order.append(id)
    noteWindow(of: overlay)
    return id
  }

  package mutating func place(
    _ overlay: OverlayID, _ shape: OverlayShape
  ) throws(DesktopError) {
    guard let target = overlays[overlay] else { return }
    let window = target.window
    target.place(x, names, shape)
    if target.window != window { noteWindow(of: target) }
  }

  /// Takes a window that we have made into the stack, ahead of the events.
  private mutating func noteWindow(of overlay: Overlay) {
    if stack.index(of: overlay.window) != nil { return }
    let rect = overlay.rect
    let geometry = WindowGeometry(
      x: rect.x, y: rect.y, width: rect.width, height: rect.height, border: 0)
    stack.append(WindowStack.Window(overlay.window, geometry, isOwn: true))
  }

  package mutating func show(_ overlay: OverlayID) {
    guard let target = overlays[overlay] else { return }
    let locker = stack.locker(of: screen)
    target.show(x, below: locker)
    let younger = order.drop { $0 != overlay }.dropFirst().compactMap { overlays[$0] }
      .filter(\.isMapped)
    for overlay in younger { overlay.raise(x, below: locker) }
    changePanes { stack in
      stack.moveToTop(target.window)
      stack[target.window]?.isMapped = true
      for window in younger.map(\.window) { stack.moveToTop(window) }
      if let locker { stack.moveToTop(locker) }
    }
  }

  package mutating func hide(_ overlay: OverlayID) {
    guard let target = overlays[overlay] else { return }
    let windows = [target.window] + target.oldWindows
    target.hide(x)
    changePanes { stack in
      for window in windows { stack[window]?.isMapped = false }
    }
  }

  package mutating func remove(_ overlay: OverlayID) {
    guard let target = overlays.removeValue(forKey: overlay) else { return }
    let windows = [target.window] + target.oldWindows
    target.destroy(x)
    order.removeAll { $0 == overlay }
    // They leave the stack by their events: those before may name them as siblings.
    changePanes { stack in
      for window in windows { stack[window]?.isMapped = false }
    }
  }

  /// Applies what we have just asked for, ahead of the events.
  private mutating func changePanes(_ body: (inout WindowStack) -> Void) {
    let before = stack.windowsInFront
    body(&stack)
    let change = regionOfChange(inFront: before)
    if change.isEmpty { return }
    updateWatch()
    pending.append(.damaged(change))
  }

  /// The windows that were in front of a pane and no longer are, or the other way round.
  func regionOfChange(inFront before: Set<UInt32>) -> Region {
    var region = Region()
    for id in before.symmetricDifference(stack.windowsInFront) {
      if let window = stack[id] { region.form(union: window.region) }
    }
    return region
  }

  /// Raises overlays above windows that have come above them, keeping their order.
  ///
  /// A screen locker stays above: what it hides is to stay hidden. A window that insists on being above
  /// wins after a while, too; an endless race would serve nobody.
  mutating func raiseOverlays() {
    let locker = stack.locker(of: screen)
    var hasRaised = false
    // In the order of the stack in memory they would be turned round: it follows raise by raise.
    for id in order {
      guard let overlay = overlays[id], overlay.isMapped else { continue }
      let above = stack.windowsAbove(overlay.window).filter {
        $0.id != locker && !overlay.races.isLost(against: $0.id)
      }
      if above.isEmpty, !hasRaised { continue }
      overlay.races.noteRaise(above: above.map(\.id), now: turn)
      overlay.raise(x, below: locker)
      hasRaised = true
    }
  }

  /// A window has been placed anew: what it did long ago no longer counts.
  func endOldRaces(against id: UInt32) {
    for overlay in overlays.values { overlay.races.noteMove(of: id, now: turn) }
  }

  /// A window was withdrawn, or has just come.
  func endRaces(against id: UInt32) {
    for overlay in overlays.values { overlay.races.end(against: id) }
  }

  package mutating func present(
    _ overlay: OverlayID, _ rects: [Rect],
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) throws(DesktopError) -> Bool {
    guard let target = overlays[overlay] else { return true }
    let (isOutdated, old) = (target.isOutdated, target.oldWindows)
    guard target.present(x, &memory, rects, now: turn, draw) else { return false }
    bytesWritten += rects.reduce(0) { $0 + 4 * $1.area }
    if isOutdated {
      changePanes { stack in
        if let first = old.first { stack.restack(target.window, above: first) }
        stack[target.window]?.isMapped = true
        for window in old { stack[window]?.isMapped = false }
      }
    }
    saySlow()
    return true
  }
}
