import CXCB
import Panes
import Raster

/// What events do not contain: the attributes of windows, and the hints of their clients.
extension WindowTracker {
  mutating func requestAttributes(_ x: inout XConnection, _ id: UInt32) {
    x.selectShapeEvents(id, true)
    if let window = stack[id], window.attributes == nil {
      x.selectEvents(id, XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
      // Only the reply says whether one that existed at the start is override-redirect.
      let isManaged = !window.isOverrideRedirect || initial.contains(id)
      clients.start(&x, id, isManaged: isManaged)
    }
    requests.request(&x, id)
  }

  /// Applies the reply about the attributes of a window; nil if it no longer exists.
  mutating func take(attributes reply: WindowReply?, of id: UInt32) {
    requests.noteReply(about: id, exists: reply != nil && stack[id] != nil)
    let isInitial = initial.remove(id) != nil
    defer { findBackground() }
    guard let reply, var window = stack[id] else { return }
    // Events are newer than the reply for the position and the map state.
    if !window.isPlaced {
      window.geometry = reply.geometry
      window.isPlaced = true
      window.isOverrideRedirect = reply.isOverrideRedirect
    }
    if isInitial { window.isMapped = reply.isMapped }
    window.attributes = reply.attributes
    stack[id] = window
    isStackChanged = true
  }

  /// Applies the reply about the hints of a window.
  mutating func take(hints reply: HintsReply, of id: UInt32, _ x: inout XConnection) {
    defer { findBackground() }
    // The client of a frame may be known now.
    targets.noteChange()
    guard let (top, hints) = clients.take(reply, of: id, &x), stack[top] != nil,
      stack[top]?.hints != hints
    else { return }
    stack[top]?.hints = hints
    isStackChanged = true
  }

  /// Finds the windows of the desktop when all windows of the start and their clients are known.
  private mutating func findBackground() {
    if isBackgroundKnown || !initial.isEmpty || clients.isSearching { return }
    isBackgroundKnown = true
    stack.findBackground()
  }

  mutating func take(opacity: UInt32?, of id: UInt32) {
    requests.noteOpacityReply()
    guard stack[id]?.attributes != nil, stack[id]?.attributes?.opacity != opacity ?? .max
    else { return }
    stack[id]?.attributes?.opacity = opacity ?? .max
    isStackChanged = true
  }
}
