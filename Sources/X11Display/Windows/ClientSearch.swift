import CXCB

/// Finds the hints of each top-level window: its own, or those of the client in the frame of a window manager. A state
/// machine: each function returns the requests that must be sent, in this order.
struct ClientSearch {
  let atoms: HintAtoms
  /// The windows with a pending reply.
  private var pending: [UInt32: Search] = [:]
  /// The client in each frame.
  private var clients: [UInt32: UInt32] = [:]
  /// The top-level windows that are clients themselves.
  private var unframed: Set<UInt32> = []
  /// The frames whose client has left them, also those that do not exist any more.
  private var emptied: Set<UInt32> = []

  /// A request to the server.
  enum Request: Equatable {
    /// Asks for the hints of a window. `apply` gets the reply.
    case hints(UInt32)
    /// Has a window report its changes.
    case follow(UInt32)
  }

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

  /// Searches the hints of a top-level window. `isManaged` is whether it may be the frame of a client.
  mutating func search(_ top: UInt32, isManaged: Bool) -> [Request] {
    if let client = clients[top] {
      return ask(client, Search(top: top, depth: 1, isManaged: isManaged))
    }
    return ask(top, Search(top: top, depth: 0, isManaged: isManaged))
  }

  private mutating func ask(_ window: UInt32, _ search: Search) -> [Request] {
    if pending[window] != nil {
      // It may have been a top-level window at the time of the request, and be a client in a frame now.
      pending[window] = search
      pending[window]?.isOutdated = true
      return []
    }
    pending[window] = search
    return [.hints(window)]
  }

  /// A window became a child of a top-level window: the client of a frame, or a part of a client, like an icon in a panel.
  mutating func addChild(_ child: UInt32, of top: UInt32) -> [Request] {
    if unframed.contains(top) { return [] }
    // Only the window itself reports that it goes from frame to frame.
    return [.follow(child)]
      + ask(child, Search(top: top, depth: 1, isManaged: true, parent: top))
  }

  /// Records that a window is the client in a frame, and in no other frame. `mayLackClient` must be true for the frame.
  mutating func setClient(_ client: UInt32, in frame: UInt32) -> [Request] {
    _ = removeClient(client)
    clients[frame] = client
    emptied.remove(frame)
    return [.follow(client)] + search(frame, isManaged: true)
  }

  /// A property of a window changed: of a client in a frame, or of a top-level window.
  mutating func propertyChanged(_ atom: UInt32, of window: UInt32, isManaged: Bool) -> [Request] {
    if !atoms.contains(atom) { return [] }
    if let frame = frame(of: window) { return search(frame, isManaged: true) }
    if pending[window] != nil {
      // A search may be about to find it in a frame.
      pending[window]?.isOutdated = true
      return []
    }
    return ask(window, Search(top: window, depth: 0, isManaged: isManaged))
  }

  /// Records whether a top-level window is a client itself.
  mutating func setTopLevel(_ window: UInt32, isClient: Bool) {
    if isClient {
      unframed.insert(window)
      clients[window] = nil
    } else {
      unframed.remove(window)
    }
  }

  /// Whether a top-level window may be a frame whose client is not known.
  func mayLackClient(_ top: UInt32) -> Bool { clients[top] == nil && !unframed.contains(top) }

  /// Removes a client from its frame, which is returned.
  mutating func removeClient(_ client: UInt32) -> UInt32? {
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

  /// Applies a reply. Returns the hints of a top-level window, if the reply has them.
  mutating func apply(
    _ reply: HintsReply, of window: UInt32
  ) -> (found: (top: UInt32, hints: WindowHints)?, requests: [Request]) {
    guard var search = pending.removeValue(forKey: window) else { return (nil, []) }
    if search.isOutdated {
      search.isOutdated = false
      return (nil, ask(window, search))
    }
    let isKnown = clients[search.top] == window
    // It may have left the frame since it was found there, or be a part of a client that is known now. If a frame
    // with tabs has several clients, the first one counts until its own events or replies tell that it has left.
    if search.depth > 0, !isKnown,
      search.parent != reply.parent || !mayLackClient(search.top)
    {
      return (nil, [])
    }
    var hints = atoms.hints(reply)
    hints.isFrame = search.depth > 0 && reply.isClient
    if reply.isClient || isKnown {
      // Requested again, because a change before the selection would not be reported.
      let isNew = !isKnown && search.depth > 0
      return ((search.top, hints), isNew ? setClient(window, in: search.top) : [])
    }
    let requests = searchChildren(reply.children, of: window, search)
    let isOwn = search.depth == 0 && clients[search.top] == nil
    return (isOwn ? (search.top, hints) : nil, requests)
  }

  /// Asks for the hints of the windows in a window, if one of them may be the client that is searched.
  private mutating func searchChildren(
    _ children: [UInt32], of window: UInt32, _ search: Search
  ) -> [Request] {
    guard search.isManaged, search.depth < Self.depthLimit, clients[search.top] == nil else {
      return []
    }
    return children.suffix(Self.childLimits[search.depth]).reversed().flatMap { child in
      ask(
        child,
        Search(top: search.top, depth: search.depth + 1, isManaged: true, parent: window))
    }
  }
}

extension XConnection {
  mutating func send(_ requests: [ClientSearch.Request], _ atoms: HintAtoms) {
    for request in requests {
      switch request {
      case .hints(let window): requestHints(window, atoms)
      case .follow(let window):
        selectEvents(
          window,
          XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue)
      }
    }
  }
}
