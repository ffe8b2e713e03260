import CXCB

/// Finds the pixmap of the wallpaper from the properties of the root, at the start and whenever a property changes. A state
/// machine: its functions return the requests that must be sent.
struct WallpaperPixmap {
  /// A pixmap that can be the background of a window.
  struct Usable: Equatable {
    let id: UInt32
    let depth: UInt8
  }

  enum Request: Equatable {
    /// The value of a property of the root, up to 4 bytes.
    case property(UInt32)
    case depth(pixmap: UInt32)
  }

  /// The effect of a reply.
  typealias Progress = (hasEnded: Bool, requests: [Request])

  /// The pixmap; nil if no property names one that is usable.
  private(set) var pixmap: Usable?
  /// Why the last pixmap that a property names is not usable; nil if none names one, or one is usable.
  private(set) var fault: RootPixmap.Fault?
  private let atoms: [UInt32]
  /// The depths that the background of a window can have.
  private let depths: Set<UInt8>
  /// The values of the properties in the order of `atoms`, as they arrive.
  private var candidates: [UInt32?] = []
  /// The number of pending replies of the current search.
  private var pendingCount = 0
  /// Whether the properties changed during the search.
  private var isOutdated = false

  /// `atoms` are the properties that may name the pixmap, the best first.
  init(_ atoms: [UInt32], depths: Set<UInt8>) {
    self.atoms = atoms
    self.depths = depths
  }

  var isSearching: Bool { pendingCount > 0 }

  /// Starts a search. If one is in progress, it is repeated when it has ended. Must be called after a change of a property.
  mutating func search() -> [Request] {
    if isSearching {
      isOutdated = true
      return []
    }
    isOutdated = false
    candidates = []
    fault = nil
    pendingCount = atoms.count
    return atoms.map { .property($0) }
  }

  /// Applies the value of a property.
  mutating func apply(_ value: PropertyValue?) -> Progress {
    let isPixmap = value?.type == XCB_ATOM_PIXMAP.rawValue
    candidates.append(isPixmap ? value?.words.first : nil)
    pendingCount -= 1
    return pendingCount > 0 ? (false, []) : testNextCandidate()
  }

  /// Applies the depth of a pixmap; nil if it does not exist.
  mutating func apply(depth: UInt8?, of candidate: UInt32) -> Progress {
    pendingCount -= 1
    if let depth, depths.contains(depth) { return finish(Usable(id: candidate, depth: depth)) }
    fault = depth.map { .depth(Int($0)) } ?? .gone
    return testNextCandidate()
  }

  /// Handles that the server refused a pixmap as a background: it has gone since its depth was requested, or its identifier
  /// is that of a window. Returns whether it was the pixmap of the wallpaper, which is unknown now.
  mutating func handleRefusal(of refused: UInt32) -> Bool {
    guard pixmap?.id == refused else { return false }
    pixmap = nil
    fault = .gone
    return true
  }

  private mutating func testNextCandidate() -> Progress {
    while !candidates.isEmpty {
      guard let candidate = candidates.removeFirst() else { continue }
      pendingCount = 1
      return (false, [.depth(pixmap: candidate)])
    }
    return finish(nil)
  }

  private mutating func finish(_ found: Usable?) -> Progress {
    pixmap = found
    if found != nil { fault = nil }
    return isOutdated ? (false, search()) : (true, [])
  }
}

extension XConnection {
  mutating func send(_ requests: [WallpaperPixmap.Request]) {
    for request in requests {
      switch request {
      case .property(let atom): requestProperty(atom, of: root, upTo: 4)
      case .depth(let pixmap): requestDepth(pixmap: pixmap)
      }
    }
  }
}
