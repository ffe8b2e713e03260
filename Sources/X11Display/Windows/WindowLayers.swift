import Engine
import Panes
import Raster

/// The part of a view that one window, or the wallpaper, provides.
struct WindowLayer: Equatable, Sendable {
  /// The origin of the pixels.
  enum Source: Hashable, Sendable {
    case window(UInt32)
    case wallpaper
  }

  var source: Source
  /// The pixels of the layer, in the coordinates of the screen.
  var region: Region
  /// The geometry of the window and the number of times it was mapped. Its pixels change with
  /// these.
  var geometry: WindowGeometry?
  var mapCount = 0
  /// Whether the layer is blended with the layers below; otherwise it replaces them.
  var isTranslucent = false
  /// Whether its pixels have alpha; otherwise their fourth byte has no meaning.
  var hasAlpha = false
  /// The opacity of the window, 0 to 0xffffffff.
  var opacity = UInt32.max

  static func wallpaper(in region: Region) -> WindowLayer {
    WindowLayer(source: .wallpaper, region: region)
  }

  /// Whether the layers differ in their region at most.
  fileprivate func shows(like other: WindowLayer) -> Bool {
    var copy = other
    copy.region = region
    return self == copy
  }
}

extension WindowStack {
  /// The layers of a region of a view, the lowest first, without the windows of the daemon but those over windows: these are a
  /// part of how their windows look. The layers that are not translucent are disjoint and cover the region.
  ///
  /// - Parameter inFront: The windows in front of the panes of the view.
  func layers(in region: Region, of view: View, inFront: Set<UInt32>) -> [WindowLayer] {
    var open = region
    var layers: [WindowLayer] = []
    let limit = areaLimit
    let covers = shownCovers(without: inFront)
    for window in windowsBehind(view, inFront).reversed() {
      if open.isEmpty { break }
      guard window.isShownClient || covers.contains(window.id),
        window.isCapturable(areaLimit: limit),
        let attributes = window.attributes,
        open.intersects(window.geometry.outer)
      else { continue }
      let shown = open.intersection(window.region)
      if shown.isEmpty { continue }
      let hasAlpha = attributes.depth == 32
      let isTranslucent = hasCompositor && (hasAlpha || attributes.opacity != .max)
      if !isTranslucent { open.subtract(shown) }
      layers.append(
        WindowLayer(
          source: .window(window.id), region: shown, geometry: window.geometry,
          mapCount: window.mapCount, isTranslucent: isTranslucent, hasAlpha: hasAlpha,
          opacity: hasCompositor ? attributes.opacity : .max))
    }
    if !open.isEmpty { layers.append(.wallpaper(in: open)) }
    return layers.reversed()
  }

  /// The shown windows of panes over windows of the root, except for those over some windows.
  private func shownCovers(without targets: Set<UInt32>) -> Set<UInt32> {
    let covers = panes.filter { pane in
      guard pane.isOver, let target = pane.target, !targets.contains(target) else { return false }
      return self[target]?.isShownClient == true && self[pane.window]?.isShown == true
    }
    return Set(covers.map(\.window))
  }

  /// The windows that a view may contain, the lowest first. None for a view below a window that
  /// does not exist.
  private func windowsBehind(_ view: View, _ inFront: Set<UInt32>) -> ArraySlice<Window> {
    switch view {
    case .belowPanes:
      return inFront.isEmpty ? windows[...] : windows.filter { !inFront.contains($0.id) }[...]
    case .belowWindow(let id):
      return windows[..<(index(of: id.number) ?? 0)]
    case .wallpaper:
      return desktopWindows[...]
    case .client:
      return []
    }
  }

  /// The shown windows of the desktop that cover an output, the lowest first. The user sees their pixels, or those of an
  /// animation, in place of the wallpaper of the root.
  var desktopWindows: [Window] {
    windows.filter { window in
      window.isShownClient && coversOutput(window)
        && window.ownClass(outputs: outputs) == .desktop
    }
  }

  /// The region of windows, of those that are shown.
  func region(of ids: Set<UInt32>) -> Region {
    Region(windows.filter { ids.contains($0.id) && $0.isShownClient }.flatMap(\.region.rects))
  }

  /// The windows that may become part of a region's backdrop: those that are not mapped or whose
  /// attributes are not known. A window must be redirected before it is drawn below a pane;
  /// otherwise its pixels there are lost.
  func windowsAwaited(in region: Region) -> Set<UInt32> {
    let limit = areaLimit
    let awaited = windows.filter {
      $0.role == .client && (!$0.isMapped || $0.attributes == nil)
        && $0.attributes?.isInputOnly != true && $0.isCapturable(areaLimit: limit)
        && region.intersects($0.geometry.outer)
    }
    return Set(awaited.map(\.id))
  }
}

/// The pixels that may differ between two states of the same view.
func difference(from old: [WindowLayer], to new: [WindowLayer]) -> Region {
  var changed = Region()
  let olds = Dictionary(old.map { ($0.source, $0) }) { first, _ in first }
  let news = Dictionary(new.map { ($0.source, $0) }) { first, _ in first }
  for layer in new {
    guard let before = olds[layer.source], before.shows(like: layer) else {
      changed.form(union: layer.region)
      continue
    }
    changed.form(union: layer.region.subtracting(before.region))
  }
  for layer in old {
    guard let after = news[layer.source], after.shows(like: layer) else {
      changed.form(union: layer.region)
      continue
    }
    changed.form(union: layer.region.subtracting(after.region))
  }
  // A changed order matters for translucent layers even if the regions are equal.
  if old.map(\.source).filter({ news[$0] != nil }) != new.map(\.source).filter({ olds[$0] != nil })
  {
    for layer in new where layer.isTranslucent { changed.form(union: layer.region) }
  }
  return changed
}
