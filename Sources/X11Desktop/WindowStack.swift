import Raster

/// The top-level windows of a screen, the lowest first, kept in step by the server's events.
///
/// A value that speaks to nobody: what is behind a pane can be asked of it at any time, without a
/// question to the server.
struct WindowStack: Sendable {
  struct Window: Sendable {
    let id: UInt32
    var geometry: WindowGeometry
    var isMapped: Bool
    /// A window of ours is never part of a backdrop.
    let isOwn: Bool
    /// False for one that shows nothing, as an input-only window does, or one of ours that is no
    /// overlay.
    var isVisible = true
    var isOverrideRedirect = false
    var depth: UInt8 = 24
    /// In the window's coordinates; nil when it is rectangular.
    var shape: Region?
    /// How far a compositor lets it show, 0 to 0xffffffff.
    var opacity = UInt32.max
    /// A window that could not be read, until something happens to it.
    var isReadable = true

    /// An X server (21.1) dies when a window is redirected that no pixmap can hold.
    var isCapturable: Bool {
      isReadable && max(geometry.outer.width, geometry.outer.height) <= Int16.max
    }

    /// What it covers on the screen.
    var region: Region {
      guard let shape else { return Region(geometry.outer) }
      return shape.translated(x: geometry.origin.x, y: geometry.origin.y)
        .intersection(geometry.outer)
    }
  }

  /// A part of a backdrop and the window that it comes from.
  struct Layer: Sendable {
    enum Source: Equatable, Sendable {
      case window(UInt32)
      case wallpaper
    }
    var source: Source
    var region: Region
    /// Whether what lies below shows through; else it replaces it.
    var isTranslucent = false
    /// Whether its pixels have alpha of their own; else their fourth byte means nothing.
    var hasAlpha = false
    var opacity = UInt32.max

    static func wallpaper(in region: Region) -> Layer { Layer(source: .wallpaper, region: region) }
  }

  private(set) var windows: [Window] = []
  /// Whether a compositor blends windows with alpha; without one their colours stand as they are.
  var hasCompositor = false

  func index(of id: UInt32) -> Int? { windows.firstIndex { $0.id == id } }

  subscript(id: UInt32) -> Window? {
    get { windows.first { $0.id == id } }
    set {
      guard let index = index(of: id) else { return }
      if let newValue { windows[index] = newValue } else { windows.remove(at: index) }
    }
  }

  mutating func append(_ window: Window) {
    windows.removeAll { $0.id == window.id }
    windows.append(window)
  }

  /// Moves a window right above another, to the bottom when there is none.
  mutating func restack(_ id: UInt32, above sibling: UInt32) {
    guard let index = index(of: id) else { return }
    let isInPlace =
      sibling == 0 ? index == 0 : index > 0 && windows[index - 1].id == sibling
    if isInPlace { return }
    let window = windows.remove(at: index)
    if sibling == 0 {
      windows.insert(window, at: 0)
    } else if let below = self.index(of: sibling) {
      windows.insert(window, at: below + 1)
    } else {
      windows.insert(window, at: index)
    }
  }

  /// Windows that could not be read may be asked again: where they were read may have been off a screen
  /// that had just become smaller.
  mutating func forgetFailures() {
    for index in windows.indices { windows[index].isReadable = true }
  }

  mutating func moveToTop(_ id: UInt32) {
    guard let index = index(of: id) else { return }
    windows.append(windows.remove(at: index))
  }

  // MARK: Backdrops

  /// Whether a window is one of our shown overlays.
  private func isPane(_ window: Window) -> Bool {
    window.isOwn && window.isMapped && window.isVisible
  }

  /// The windows that hide a part of a pane, as a screen locker does: they are in no backdrop.
  var windowsInFront: Set<UInt32> {
    var panes: [Rect] = []
    var found: Set<UInt32> = []
    for window in windows {
      let rect = window.geometry.outer
      if isPane(window) { panes.append(rect) }
      if window.isOwn || !window.isMapped || !window.isVisible { continue }
      if panes.contains(where: { $0.intersects(rect) }) { found.insert(window.id) }
    }
    return found
  }

  /// What a part of the screen shows without our own windows, the lowest layer first. The layers that
  /// are not translucent are disjoint and leave nothing out.
  func layers(in rect: Rect) -> [Layer] {
    var open = Region(rect)
    var layers: [Layer] = []
    let inFront = windowsInFront
    for window in windows.reversed() {
      if open.isEmpty { break }
      guard !window.isOwn, window.isMapped, window.isVisible, window.isCapturable,
        window.geometry.outer.intersects(rect), !inFront.contains(window.id)
      else { continue }
      let region = open.intersection(window.region)
      if region.isEmpty { continue }
      let isTranslucent = hasCompositor && (window.depth == 32 || window.opacity != .max)
      if !isTranslucent { open.subtract(region) }
      layers.append(
        Layer(
          source: .window(window.id), region: region, isTranslucent: isTranslucent,
          hasAlpha: window.depth == 32, opacity: hasCompositor ? window.opacity : .max))
    }
    if !open.isEmpty { layers.append(.wallpaper(in: open)) }
    return layers.reversed()
  }

  /// The windows that can be seen in a region; with them those that would be if they were mapped now,
  /// for a window must be redirected before it is drawn below a pane.
  func windowsSeen(in region: Region) -> (mapped: Set<UInt32>, waiting: Set<UInt32>) {
    var mapped: Set<UInt32> = []
    for rect in region.rects {
      for layer in layers(in: rect) {
        if case .window(let id) = layer.source { mapped.insert(id) }
      }
    }
    let waiting = windows.filter {
      !$0.isMapped && !$0.isOwn && $0.isVisible && $0.isCapturable
        && region.intersects($0.geometry.outer)
    }
    return (mapped, Set(waiting.map(\.id)))
  }

  /// The windows that lie above one of ours and cover a part of it.
  func windowsAbove(_ id: UInt32) -> [Window] {
    guard let index = index(of: id) else { return [] }
    let rect = windows[index].geometry.outer
    return windows[(index + 1)...].filter {
      !$0.isOwn && $0.isMapped && $0.isVisible && $0.geometry.outer.intersects(rect)
    }
  }

  /// The window that locks a screen: the highest one that no window manager has and that covers all of
  /// the screen. The lowest window of all may be a wallpaper.
  func locker(of screen: Rect) -> UInt32? {
    let shown = windows.filter { !$0.isOwn && $0.isMapped && $0.isVisible }
    return shown.dropFirst().last {
      $0.isOverrideRedirect && $0.geometry.outer.contains(screen)
    }?.id
  }
}
