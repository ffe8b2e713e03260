import Panes
import Raster

/// The top-level windows of a screen, the lowest first, according to the events of the server.
///
/// A value, from which the backdrop of a pane is computed at any time without a request to the
/// server.
struct WindowStack: Sendable {
  /// One top-level window.
  struct Window: Sendable {
    let id: UInt32
    let role: Role
    var geometry: WindowGeometry
    /// Whether its size is known. After reparenting to the root it is unknown at first.
    var isPlaced = true
    var isMapped = false
    /// The number of times it was mapped. Its pixels are new each time.
    var mapCount = 0
    var isOverrideRedirect = false
    /// Whether the changes of its properties are reported.
    var isFollowed = false
    /// The properties of the client of the window.
    var hints = WindowHints()
    /// Whether it was lowered to the bottom, or was found there. A window that covers the screen then shows the
    /// wallpaper, also if its properties do not say so.
    var isBackground = false
    /// The geometry with which it covered an output since it was mapped; nil if it never did. With that geometry
    /// it stays a lock screen when the outputs change.
    var coveringGeometry: WindowGeometry?
    /// Nil until the reply of the server arrives; until then the window is in no backdrop.
    var attributes: WindowAttributes?
    /// Whether its pixels can be read. False after a failure, until an event about the window.
    var isReadable = true
    /// The number of events about it.
    var changeCount = 0
  }

  /// The owner and purpose of a window.
  enum Role: Sendable {
    /// A window of another client.
    case client
    /// A window of the daemon that shows a pane.
    case overlay
    /// A window of the daemon that shows nothing.
    case hidden
    /// A window of the server itself: of its screen saver, or the overlay window on which a compositor paints. It is in no
    /// view, but other windows are placed above it.
    case server

    /// The role of a window that shows no pane.
    init(of id: UInt32, _ identity: Identity) {
      self = identity.isServers(id) ? .server : identity.isOwn(id) ? .hidden : .client
    }
  }

  private(set) var windows: [Window] = []
  /// Whether a compositor blends windows with alpha. Without one their colours are shown unblended.
  var hasCompositor = false
  /// The bounds of the outputs.
  var outputs: [Rect] = []
  /// The whole screen, of which outputs may show a part only.
  var screen = Rect.zero
  /// The windows of panes in the order that they should have, the lowest first; those over windows first, those beneath windows last.
  var panes: [PaneWindow] = []
  /// The windows that raise themselves each time that a pane is raised above them.
  var insisting: Set<UInt32> = []

  /// A window of a pane and its layer.
  struct PaneWindow: Equatable, Sendable {
    let window: UInt32
    let layer: StackingLayer
    /// The window right beneath which it belongs; nil if it is in its layer.
    var target: UInt32?
    /// Whether it belongs directly above that window instead.
    var isOver = false
  }

  /// Whether a window shows a pane over a window of the root.
  func isCover(_ id: UInt32) -> Bool { panes.contains { $0.isOver && $0.window == id } }

  func index(of id: UInt32) -> Int? { windows.firstIndex { $0.id == id } }

  subscript(id: UInt32) -> Window? {
    get { windows.first { $0.id == id } }
    set {
      guard let index = index(of: id) else { return }
      if let newValue { windows[index] = newValue } else { windows.remove(at: index) }
    }
  }

  /// The largest area of a window that is captured, in pixels: four times that of the screen, and at least 16
  /// MiB of memory. The server allocates a pixmap of its size, 4 GB for the largest window that the protocol allows.
  var areaLimit: Int {
    let screen = outputs.reduce(Rect.zero) { $0.isEmpty ? $1 : $0.hull($1) }
    return max(4 * screen.area, 1 << 22)
  }

  /// The shown windows in a region that are in no view, because they cannot be captured.
  func leftOut(in region: Region) -> Set<UInt32> {
    let limit = areaLimit
    return Set(
      windows.filter {
        $0.isShownClient && !$0.isCapturable(areaLimit: limit)
          && region.intersects($0.geometry.outer)
      }.map(\.id))
  }

  /// Adds a window on top.
  mutating func append(_ window: Window) {
    windows.removeAll { $0.id == window.id }
    windows.append(window)
  }

  /// Adds a window at the bottom.
  mutating func insertAtBottom(_ window: Window) {
    windows.removeAll { $0.id == window.id }
    windows.insert(window, at: 0)
  }

  /// Moves a window directly above another one, or to the bottom if `sibling` is 0. Does nothing if
  /// the sibling does not exist.
  mutating func restack(_ id: UInt32, above sibling: UInt32) {
    guard let index = index(of: id) else { return }
    let isInPlace =
      sibling == 0 ? index == 0 : index > 0 && windows[index - 1].id == sibling
    if isInPlace { return }
    windows[index].isBackground = sibling == 0
    let window = windows.remove(at: index)
    if sibling == 0 {
      windows.insert(window, at: 0)
    } else if let below = self.index(of: sibling) {
      windows.insert(window, at: below + 1)
    } else {
      windows.insert(window, at: index)
    }
  }

  mutating func moveToTop(_ id: UInt32) {
    guard let index = index(of: id) else { return }
    windows[index].isBackground = false
    windows.append(windows.remove(at: index))
  }

  /// Records which windows cover an output now.
  mutating func recordCovering() {
    for index in windows.indices where windows[index].isUnmanaged {
      let window = windows[index]
      if window.isShownClient, window.geometry != window.coveringGeometry,
        outputs.contains(where: { window.covers($0) })
      {
        windows[index].coveringGeometry = window.geometry
      }
    }
  }

  /// Marks all windows as readable. Failures of earlier requests do not count any more.
  mutating func forgetFailures() {
    for index in windows.indices {
      windows[index].isReadable = true
      windows[index].changeCount += 1
    }
  }
}

extension WindowStack.Window {
  /// Whether it is mapped and has pixels.
  var isShown: Bool { isMapped && isPlaced && attributes?.isInputOnly != true }

  /// Whether it is a shown window of another client.
  var isShownClient: Bool { role == .client && isShown }

  /// Whether no window manager manages it.
  var isUnmanaged: Bool { isOverrideRedirect && !hints.isFrame }

  /// Whether it can be redirected and read, if the server may allocate `areaLimit` pixels for it.
  func isCapturable(areaLimit: Int) -> Bool {
    isReadable && isPlaced && geometry.fitsPixmap(areaLimit: areaLimit)
  }

  /// The pixels that it covers, in the coordinates of the screen.
  var region: Region {
    guard let shape = attributes?.shape else { return Region(geometry.outer) }
    return shape.translated(x: geometry.origin.x, y: geometry.origin.y)
      .intersection(geometry.outer)
  }
}

extension WindowGeometry {
  /// Whether the server can allocate a pixmap for a window, if that may have `areaLimit` pixels. X server 21.1 crashes when it
  /// redirects a window that is larger than any pixmap.
  func fitsPixmap(areaLimit: Int) -> Bool {
    max(outer.width, outer.height) <= Int16.max && outer.area <= areaLimit
  }
}
