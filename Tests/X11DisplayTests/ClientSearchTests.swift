import TestDice
import Testing

@testable import X11Display

/// A window manager puts clients into frames, moves and removes them, while the requests of a search and their replies are on
/// the way.
@Suite struct ClientSearchTests {
  /// Requests are executed, and events and replies are read, at any time.
  @Test(arguments: 0..<300)
  func searchAgreesWithTheTreeInTheEnd(seed: Int) {
    var dice = Dice(seed: seed)
    var scene = FramedWindows()
    for step in 0..<60 {
      switch dice.roll(0...9) {
      case 0...3: scene.act(&dice)
      case 4...6: scene.server.executeRequest()
      default: scene.readItem()
      }
      if step % 20 == 19 {
        let isSettled = scene.settle()
        #expect(isSettled, "seed \(seed), step \(step)")
        #expect(scene.problem == nil, "seed \(seed), step \(step)")
      }
    }
  }

  /// Recorded from Openbox 3.6: the client is the highest of the 56 children of its frame.
  @Test func clientIsFoundAmongTheChildrenOfAFrame() {
    var search = ClientSearch(.numbered)
    let children = (100...155).map { UInt32($0) }
    #expect(search.search(7, isManaged: true) == [.hints(7)])
    let (own, requests) = search.apply(HintsReply(children: children), of: 7)
    #expect(own?.top == 7 && own?.hints.isFrame == false)
    #expect(requests == children.reversed().map { .hints($0) })
    let reply = HintsReply(types: [HintAtoms.numbered.dock], isClient: true, parent: 7)
    let (found, next) = search.apply(reply, of: 155)
    #expect(found?.top == 7 && found?.hints.kind == .dock && found?.hints.isFrame == true)
    // A change before the selection would not be reported.
    #expect(next == [.follow(155), .hints(155)])
    #expect(search.client(in: 7) == 155 && search.frame(of: 155) == 7)
  }

  @Test func unmanagedWindowIsNotSearched() {
    var search = ClientSearch(.numbered)
    #expect(search.search(7, isManaged: false) == [.hints(7)])
    let (own, requests) = search.apply(HintsReply(children: [8, 9]), of: 7)
    #expect(own?.top == 7 && requests.isEmpty && !search.isSearching)
  }

  /// KWin places a window between frame and client, and no window is searched below that.
  @Test func searchEndsTwoLevelsBelowTheFrame() {
    var search = ClientSearch(.numbered)
    _ = search.search(1, isManaged: true)
    #expect(search.apply(HintsReply(children: [2]), of: 1).requests == [.hints(2)])
    #expect(search.apply(HintsReply(parent: 1, children: [3]), of: 2).requests == [.hints(3)])
    #expect(search.apply(HintsReply(parent: 2, children: [4]), of: 3).requests == [])
    #expect(!search.isSearching)
  }

  @Test func changedWindowIsAskedOnceMore() {
    var search = ClientSearch(.numbered)
    _ = search.search(7, isManaged: false)
    let property = HintAtoms.numbered.state
    #expect(search.propertyChanged(property, of: 7, isManaged: false) == [])
    #expect(search.propertyChanged(property, of: 7, isManaged: false) == [])
    let (none, requests) = search.apply(HintsReply(), of: 7)
    #expect(none == nil && requests == [.hints(7)])
    #expect(search.apply(HintsReply(), of: 7).found?.top == 7)
    #expect(search.propertyChanged(9999, of: 7, isManaged: false) == [])
  }
}

extension HintsReply {
  /// A window without properties unless they are given.
  fileprivate init(
    types: [UInt32] = [], isClient: Bool = false, parent: UInt32 = 0, children: [UInt32] = []
  ) {
    self.init(
      types: types, states: [], partialStrut: [], strut: [], isClient: isClient, parent: parent,
      children: children)
  }
}

extension HintAtoms {
  /// Atoms that differ.
  fileprivate static let numbered = HintAtoms(
    windowType: 1001, state: 1002, clientState: 1003, partialStrut: 1004, strut: 1005,
    desktop: 1006, dock: 1007, fullscreen: 1008, above: 1009, popups: [1010])
}

/// The X server: a tree of windows, and what it sends.
private struct TreeServer {
  struct Window {
    var parent: UInt32
    var types: [UInt32] = []
    var isClient = false
    /// Whether the daemon gets the events of its properties, and those of its place in the tree.
    var reportsProperties = false
    var reportsStructure = false
  }

  enum Item {
    case created(UInt32)
    case destroyed(UInt32)
    case reparented(UInt32, parent: UInt32)
    case property(UInt32, atom: UInt32)
    case hints(UInt32, HintsReply)
  }

  static let root: UInt32 = 1
  var windows: [UInt32: Window] = [:]
  /// In stacking order.
  private var ids: [UInt32] = []
  private var lastID: UInt32 = 10
  /// The requests of a search, and the selections of the properties of top-level windows.
  var requests: [Request] = []

  enum Request {
    case search(ClientSearch.Request)
    case followProperties(UInt32)
  }
  var items: [Item] = []

  func children(of parent: UInt32) -> [UInt32] { ids.filter { windows[$0]?.parent == parent } }

  mutating func create(in parent: UInt32) -> UInt32 {
    lastID += 1
    windows[lastID] = Window(parent: parent)
    ids.append(lastID)
    if parent == Self.root { items.append(.created(lastID)) }
    return lastID
  }

  mutating func destroy(_ id: UInt32) {
    for child in children(of: id) { destroy(child) }
    guard let window = windows.removeValue(forKey: id) else { return }
    ids.removeAll { $0 == id }
    if window.parent == Self.root || window.reportsStructure { items.append(.destroyed(id)) }
  }

  mutating func reparent(_ id: UInt32, to parent: UInt32) {
    guard let window = windows[id] else { return }
    windows[id]?.parent = parent
    ids.removeAll { $0 == id }
    ids.append(id)
    if window.parent == Self.root || parent == Self.root || window.reportsStructure {
      items.append(.reparented(id, parent: parent))
    }
  }

  mutating func set(_ atom: UInt32, of id: UInt32, _ change: (inout Window) -> Void) {
    guard var window = windows[id] else { return }
    change(&window)
    windows[id] = window
    if window.reportsProperties { items.append(.property(id, atom: atom)) }
  }

  mutating func executeRequest() {
    if requests.isEmpty { return }
    switch requests.removeFirst() {
    case .followProperties(let id): windows[id]?.reportsProperties = true
    case .search(.follow(let id)):
      windows[id]?.reportsProperties = true
      windows[id]?.reportsStructure = true
    case .search(.hints(let id)):
      let window = windows[id]
      items.append(
        .hints(
          id,
          HintsReply(
            types: window?.types ?? [], isClient: window?.isClient ?? false,
            parent: window?.parent ?? 0, children: children(of: id))))
    }
  }
}

/// A window manager, the server, and a daemon that tells a search what `WindowTracker` would.
private struct FramedWindows {
  var server = TreeServer()
  private var search = ClientSearch(.numbered)
  /// The hints of each top-level window that the daemon knows.
  private var tops: [UInt32: WindowHints] = [:]
  private var clients: [UInt32] = []

  // MARK: Window manager

  mutating func act(_ dice: inout Dice) {
    guard dice.roll(0...4) > 0, let client = clients.randomElement(using: &dice) else {
      let client = server.create(in: TreeServer.root)
      clients.append(client)
      return changeType(of: client, &dice)
    }
    switch dice.roll(0...5) {
    case 0, 1: frame(client, &dice)
    case 2: release(client)
    case 3:
      release(client)
      server.destroy(client)
      clients.removeAll { $0 == client }
    default: changeType(of: client, &dice)
    }
  }

  private mutating func changeType(of client: UInt32, _ dice: inout Dice) {
    let atoms = HintAtoms.numbered
    let type = [atoms.dock, atoms.desktop, atoms.popups[0]][dice.roll(0...2)]
    server.set(atoms.windowType, of: client) { $0.types = [type] }
  }

  /// Puts a client into a new frame, in any order of the requests.
  private mutating func frame(_ client: UInt32, _ dice: inout Dice) {
    let old = top(of: client)
    let frame = server.create(in: TreeServer.root)
    for _ in 0..<dice.roll(0...2) { _ = server.create(in: frame) }
    let hasWrapper = dice.roll(0...3) == 0
    let place = hasWrapper ? server.create(in: frame) : frame
    let isManagedFirst = dice.roll(0...1) == 0
    if isManagedFirst { manage(client, true) }
    server.reparent(client, to: place)
    if !isManagedFirst { manage(client, true) }
    if old != client { server.destroy(old) }
  }

  private mutating func release(_ client: UInt32) {
    let frame = top(of: client)
    if frame == client { return }
    server.reparent(client, to: TreeServer.root)
    manage(client, false)
    server.destroy(frame)
  }

  private mutating func manage(_ client: UInt32, _ isManaged: Bool) {
    server.set(HintAtoms.numbered.clientState, of: client) { $0.isClient = isManaged }
  }

  private func top(of window: UInt32) -> UInt32 {
    var top = window
    while let parent = server.windows[top]?.parent, parent != TreeServer.root { top = parent }
    return top
  }

  // MARK: Daemon

  mutating func readItem() {
    if server.items.isEmpty { return }
    switch server.items.removeFirst() {
    case .created(let id): add(id)
    case .destroyed(let id):
      search.forget(id)
      leaveFrame(id)
      tops[id] = nil
    case .reparented(let id, TreeServer.root):
      leaveFrame(id)
      add(id)
    case .reparented(let id, let parent):
      leaveFrame(id)
      search.forget(id)
      if tops[parent] != nil { send(search.addChild(id, of: parent)) }
      tops[id] = nil
    case .property(let id, let atom):
      send(search.propertyChanged(atom, of: id, isManaged: true))
    case .hints(let id, let reply): apply(reply, of: id)
    }
  }

  private mutating func add(_ id: UInt32) {
    tops[id] = WindowHints()
    server.requests.append(.followProperties(id))
    send(search.search(id, isManaged: true))
  }

  private mutating func send(_ requests: [ClientSearch.Request]) {
    server.requests += requests.map { .search($0) }
  }

  private mutating func leaveFrame(_ client: UInt32) {
    guard let frame = search.removeClient(client), tops[frame] != nil else { return }
    tops[frame] = WindowHints()
    send(search.search(frame, isManaged: true))
  }

  private mutating func apply(_ reply: HintsReply, of id: UInt32) {
    if tops[id] == nil {
      findFrame(reply, of: id)
    } else {
      search.setTopLevel(id, isClient: reply.isClient)
    }
    let (found, requests) = search.apply(reply, of: id)
    send(requests)
    if let found, tops[found.top] != nil { tops[found.top] = found.hints }
  }

  private mutating func findFrame(_ reply: HintsReply, of id: UInt32) {
    let isInFrame = tops[reply.parent] != nil
    if search.frame(of: id) == reply.parent || isInFrame && !reply.isClient { return }
    if isInFrame || reply.parent <= TreeServer.root { leaveFrame(id) }
    if isInFrame, search.mayLackClient(reply.parent) {
      send(search.setClient(id, in: reply.parent))
    }
  }

  /// Executes all requests and reads all items. Returns false if that does not end.
  mutating func settle() -> Bool {
    for _ in 0..<10_000 {
      server.executeRequest()
      readItem()
      if server.requests.isEmpty, server.items.isEmpty { return true }
    }
    return false
  }

  /// What the search does not know although it is settled; nil if it knows all.
  var problem: String? {
    if Set(tops.keys) != Set(server.children(of: TreeServer.root)) { return "the windows" }
    for client in clients {
      let top = top(of: client)
      let isFramed = top != client
      if isFramed, search.client(in: top) != client { return "the client of \(top), \(client)" }
      let types = server.windows[client]?.types ?? []
      let wanted = HintAtoms.numbered.hints(HintsReply(types: types))
      if tops[top]?.kind != wanted.kind { return "the kind of \(client) in \(top)" }
      if tops[top]?.isFrame != isFramed { return "whether \(top) is a frame" }
    }
    return search.isSearching ? "that the search has ended" : nil
  }
}
