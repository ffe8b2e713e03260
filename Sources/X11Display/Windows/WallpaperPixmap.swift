import CXCB

/// The pixmap of the wallpaper from the properties of the root. It is requested at the start and
/// whenever a property changes.
struct WallpaperPixmap {
  /// A pixmap that can be the background of a window.
  struct Usable: Equatable {
    let id: UInt32
    let depth: UInt8
  }

  /// The pixmap; nil if no property names one that is usable.
  private(set) var pixmap: Usable?
  /// Why the last pixmap that a property names is not usable; nil if none names one, or one is usable.
  private(set) var fault: RootPixmap.Fault?
  private let atoms: [UInt32]
  /// The values of the properties in the order of `atoms`, as they arrive.
  private var candidates: [UInt32?] = []
  /// The number of pending replies of the current search.
  private var pendingCount = 0
  /// Whether the properties changed during the search.
  private var isOutdated = false

  init(_ x: inout XConnection, _ atoms: Atoms) {
    self.atoms = atoms.wallpaperPixmaps
    search(&x)
  }

  var isSearching: Bool { pendingCount > 0 }

  /// Requests the properties. Called again after a change.
  mutating func search(_ x: inout XConnection) {
    if isSearching {
      isOutdated = true
      return
    }
    isOutdated = false
    candidates = []
    fault = nil
    for atom in atoms { x.requestProperty(atom, of: x.root, upTo: 4) }
    pendingCount = atoms.count
  }

  /// Handles the value of a property. Returns whether the search has ended.
  mutating func apply(_ value: PropertyValue?, _ x: inout XConnection) -> Bool {
    let isPixmap = value?.type == XCB_ATOM_PIXMAP.rawValue
    candidates.append(isPixmap ? value?.words.first : nil)
    pendingCount -= 1
    if pendingCount > 0 { return false }
    return testNextCandidate(&x)
  }

  /// Handles the depth of a pixmap; nil if it does not exist. Returns whether the search has ended.
  mutating func apply(depth: UInt8?, of candidate: UInt32, _ x: inout XConnection) -> Bool {
    pendingCount -= 1
    if let depth, depth == x.screen.rootDepth || x.screen.colorVisuals[depth] != nil {
      return finish(Usable(id: candidate, depth: depth), &x)
    }
    fault = depth.map { .depth(Int($0)) } ?? .gone
    return testNextCandidate(&x)
  }

  /// Handles that the server refused a pixmap as a background: it has gone since its depth was requested, or its identifier
  /// is that of a window. Returns whether it was the pixmap of the wallpaper, which is unknown now.
  mutating func handleRefusal(of refused: UInt32) -> Bool {
    guard pixmap?.id == refused else { return false }
    pixmap = nil
    fault = .gone
    return true
  }

  private mutating func testNextCandidate(_ x: inout XConnection) -> Bool {
    while !candidates.isEmpty {
      guard let candidate = candidates.removeFirst() else { continue }
      x.requestDepth(pixmap: candidate)
      pendingCount = 1
      return false
    }
    return finish(nil, &x)
  }

  private mutating func finish(_ found: Usable?, _ x: inout XConnection) -> Bool {
    pixmap = found
    if found != nil { fault = nil }
    if !isOutdated { return true }
    search(&x)
    return false
  }
}
