import CXCB

/// The pixmap of the wallpaper from the properties of the root. It is requested at the start and
/// whenever a property changes.
struct WallpaperPixmap {
  /// The pixmap; nil if none has the depth of the root.
  private(set) var pixmap: UInt32?
  private let atoms: [UInt32]
  private let rootDepth: UInt8
  /// The values of the properties in the order of `atoms`, as they arrive.
  private var candidates: [UInt32?] = []
  /// The number of pending replies of the current search.
  private var pendingCount = 0
  /// Whether the properties changed during the search.
  private var isOutdated = false

  init(_ x: inout XConnection, _ atoms: Atoms) {
    self.atoms = atoms.wallpaperPixmaps
    rootDepth = x.screen.rootDepth
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
    for atom in atoms { x.requestWallpaperPixmap(atom: atom) }
    pendingCount = atoms.count
  }

  /// Handles the value of a property. Returns whether the search has ended.
  mutating func take(pixmap found: UInt32?, _ x: inout XConnection) -> Bool {
    candidates.append(found)
    pendingCount -= 1
    if pendingCount > 0 { return false }
    return testNextCandidate(&x)
  }

  /// Handles the depth of a pixmap; nil if it does not exist. Returns whether the search has ended.
  mutating func take(depth: UInt8?, of candidate: UInt32, _ x: inout XConnection) -> Bool {
    pendingCount -= 1
    if depth == rootDepth { return finish(candidate, &x) }
    return testNextCandidate(&x)
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

  private mutating func finish(_ found: UInt32?, _ x: inout XConnection) -> Bool {
    pixmap = found
    if !isOutdated { return true }
    search(&x)
    return false
  }
}
