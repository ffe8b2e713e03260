import CXCB
import Panes
import Raster

/// Replies with values that no event contains: the attributes of windows, and the hints of their clients.
extension WindowTracker {
  mutating func requestAttributes(_ x: inout XConnection, _ id: UInt32) {
    x.selectShapeEvents(id, true)
    if let window = stack[id], !window.isFollowed {
      stack[id]?.isFollowed = true
      x.selectEvents(id, XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
      // Only the reply says whether one that existed at the start is override-redirect.
      let isManaged = !window.isOverrideRedirect || initial.contains(id)
      x.send(clients.search(id, isManaged: isManaged), clients.atoms)
    }
    requests.request(&x, id)
  }

  /// Applies the reply about the attributes of a window; nil if it no longer exists.
  mutating func apply(attributes reply: WindowReply?, of id: UInt32) {
    requests.endRequest(about: id, exists: reply != nil && stack[id] != nil)
    let isInitial = initial.remove(id) != nil
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
  mutating func apply(hints reply: HintsReply, of id: UInt32, _ x: inout XConnection) {
    // The client of a frame may be known now.
    targets.markOutdated()
    if stack[id] == nil {
      handleParent(reply.parent, of: id, isClient: reply.isClient, &x)
    } else {
      clients.setTopLevel(id, isClient: reply.isClient)
    }
    let (found, requests) = clients.apply(reply, of: id)
    x.send(requests, clients.atoms)
    guard let (top, hints) = found, stack[top] != nil, stack[top]?.hints != hints
    else { return }
    stack[top]?.hints = hints
    isStackChanged = true
  }

  /// A client may have gone to another frame before its changes were reported.
  private mutating func handleParent(
    _ parent: UInt32, of client: UInt32, isClient: Bool, _ x: inout XConnection
  ) {
    let isInFrame = stack[parent] != nil
    if clients.frame(of: client) == parent || isInFrame && !isClient { return }
    if isInFrame || parent == root || parent == 0 { leaveFrame(&x, client) }
    if isInFrame, clients.mayLackClient(parent) {
      x.send(clients.setClient(client, in: parent), clients.atoms)
    }
  }

  /// Records that a window is no longer in its frame, if it was in one. There may be another client in the frame, or the
  /// frame may be none.
  mutating func leaveFrame(_ x: inout XConnection, _ client: UInt32) {
    guard let frame = clients.removeClient(client), stack[frame] != nil else { return }
    stack[frame]?.hints = WindowHints()
    isStackChanged = true
    x.send(clients.search(frame, isManaged: true), clients.atoms)
  }

  mutating func apply(opacity: UInt32?, of id: UInt32) {
    requests.endOpacityRequest()
    guard stack[id]?.attributes != nil, stack[id]?.attributes?.opacity != opacity ?? .max
    else { return }
    stack[id]?.attributes?.opacity = opacity ?? .max
    isStackChanged = true
  }

  /// Applies the reply about the place of a client; nil if it does not exist.
  mutating func apply(place: WindowPlace?, of window: UInt32, _ x: inout XConnection) {
    targets.apply(place: place, of: window, stack, &x)
    // The view of a client may be known now.
    isStackChanged = true
  }
}
