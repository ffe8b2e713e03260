import CXCB

/// Finds the hints of each top-level window: its own, or those of the client in the frame of a window manager.
struct ClientSearch {
  private let atoms: HintAtoms
  /// The windows with a pending reply.
  private var pending: [UInt32: Search] = [:]
  /// The client in each frame.
  private var clients: [UInt32: UInt32] = [:]
  /// The top-level windows that are clients themselves.
  private var unframed: Set<UInt32> = []
  /// The frames whose client has left them, also those that do not exist any more.
  private var emptied: Set<UInt32> = []

  private struct Search {
    /// The top-level window whose hints are wanted.
    let top: UInt32
    /// The number of windows above it in the tree, up to the top-level window.
    let depth: Int
    /// Whether a window manager may have put the window into a frame.
    let isManaged: Bool
    /// The window whose children it was found among; nil if it is the top-level window or its known client.
    var parent: UInt32?
    /// Whether it changed since the request.
    var isOutdated = false
  }

  /// The depth at which a client may be: KWin places a window between frame and client.
  private static let depthLimit = 2
  /// The number of children to look at, per depth. A frame of Openbox 3.6 has 56 children, the client the
  /// highest of them; KWin's wrapper has one.
  private static let childLimits = [80, 4]

  init(_ atoms: HintAtoms) { self.atoms = atoms }

  var isSearching: Bool { !pending.isEmpty }

  /// Requests the hints of a top-level window. `isManaged` is whether it may be the frame of a client.
  mutating func start(_ x: inout XConnection, _ top: UInt32, isManaged: Bool) {
    if let client = clients[top] {
      request(&x, client, Search(top: top, depth: 1, isManaged: isManaged))
    } else {
      request(&x, top, Search(top: top, depth: 0, isManaged: isManaged))
    }
  }

  private mutating func request(_ x: inout XConnection, _ window: UInt32, _ search: Search) {
    if pending[window] != nil {
      // It may have been a top-level window at the time of the request, and be a client in a frame now.
      pending[window] = search
      pending[window]?.isOutdated = true
    } else {
      pending[window] = search
      x.requestHints(window, atoms)
    }
  }

  /// Records that a window became a child of a top-level window: the client of a frame, or a part of a client, like an
  /// icon in a panel.
  mutating func noteChild(_ x: inout XConnection, _ child: UInt32, in top: UInt32) {
    if unframed.contains(top) { return }
    follow(&x, child)
    request(&x, child, Search(top: top, depth: 1, isManaged: true, parent: top))
  }

  /// Records that a window is the client in a frame, and in no other one. `mayLackClient` must be true of the frame.
  mutating func noteClient(_ x: inout XConnection, _ client: UInt32, in frame: UInt32) {
    _ = noteLeft(client)
    clients[frame] = client
    emptied.remove(frame)
    follow(&x, client)
    start(&x, frame, isManaged: true)
  }

  /// Only the window itself reports that it goes from frame to frame.
  private func follow(_ x: inout XConnection, _ window: UInt32) {
    x.selectEvents(
      window,
      XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue)
  }

  /// Records a change of a property of a window: a client in a frame, or a top-level window.
  mutating func noteProperty(
    _ x: inout XConnection, _ atom: UInt32, of window: UInt32, isManaged: Bool
  ) {
    if !atoms.contains(atom) { return }
    if let frame = frame(of: window) {
      start(&x, frame, isManaged: true)
    } else if pending[window] != nil {
      // A search may be about to find it in a frame.
      pending[window]?.isOutdated = true
    } else {
      request(&x, window, Search(top: window, depth: 0, isManaged: isManaged))
    }
  }

  /// Records whether a top-level window is a client itself.
  mutating func noteTopLevel(_ window: UInt32, isClient: Bool) {
    if isClient {
      unframed.insert(window)
      clients[window] = nil
    } else {
      unframed.remove(window)
    }
  }

  /// Whether a top-level window may be a frame whose client is not known.
  func mayLackClient(_ top: UInt32) -> Bool { clients[top] == nil && !unframed.contains(top) }

  /// Records that a client left its frame, which is returned.
  mutating func noteLeft(_ client: UInt32) -> UInt32? {
    let frame = frame(of: client)
    if let frame {
      clients[frame] = nil
      emptied.insert(frame)
    }
    return frame
  }

  /// The frame of a client; nil if none is known.
  func frame(of client: UInt32) -> UInt32? { clients.first { $0.value == client }?.key }

  /// The client in a frame; nil if none is known.
  func client(in frame: UInt32) -> UInt32? { clients[frame] }

  /// Whether the client of a frame has left it, and no other one is known.
  func isEmptied(_ frame: UInt32) -> Bool { emptied.contains(frame) }

  /// Forgets the frames without a client that do not exist any more.
  mutating func forgetEmptied(unless exists: (UInt32) -> Bool) {
    emptied = emptied.filter(exists)
  }

  /// Forgets a top-level window that does not exist any more.
  mutating func forget(_ top: UInt32) {
    clients[top] = nil
    unframed.remove(top)
  }

  /// Handles a reply. Returns the hints of a top-level window, if the reply has them.
  mutating func take(
    _ reply: HintsReply, of window: UInt32, _ x: inout XConnection
  ) -> (top: UInt32, hints: WindowHints)? {
    guard var search = pending.removeValue(forKey: window) else { return nil }
    if search.isOutdated {
      search.isOutdated = false
      request(&x, window, search)
      return nil
    }
    let isKnown = clients[search.top] == window
    // It may have left the frame since it was found there, or be a part of a client that is known now. Of several
    // clients in a frame with tabs the first one counts until its own events or replies tell that it has left.
    if search.depth > 0, !isKnown,
      search.parent != reply.parent || !mayLackClient(search.top)
    {
      return nil
    }
    var hints = atoms.hints(reply)
    hints.isFrame = search.depth > 0 && reply.isClient
    if reply.isClient || isKnown {
      // Requested again, because a change before the selection would not be reported.
      if !isKnown, search.depth > 0 { noteClient(&x, window, in: search.top) }
      return (search.top, hints)
    }
    if search.isManaged, search.depth < Self.depthLimit, clients[search.top] == nil {
      for child in reply.children.suffix(Self.childLimits[search.depth]).reversed() {
        let depth = search.depth + 1
        request(&x, child, Search(top: search.top, depth: depth, isManaged: true, parent: window))
      }
    }
    return search.depth == 0 && clients[search.top] == nil ? (search.top, hints) : nil
  }
}
