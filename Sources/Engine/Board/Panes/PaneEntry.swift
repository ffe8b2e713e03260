import Frost
import Panes
import Raster

/// A pane on one output and its state in the engine.
///
/// The state has three parts: the wanted state (`pane`, `looks`), the progress of the engine
/// (`phase`), and the state of the overlay at the display (`overlayPhase`). A class, so that all
/// parts of the engine share one object.
final class PaneEntry {
  /// Identifies the overlay. It gets another identifier after each loss of the display.
  var overlay: OverlayID
  var pane: Pane
  /// Where it belongs.
  var site: PaneSite
  /// The window behind which the pane is; nil if the window is not there, or if the pane is not behind windows.
  var target: TargetWindow?
  /// Whether the glass is over the window, in place of its background, and not beneath it.
  var isOver = false
  /// The background of that window.
  var backgrounds = BackgroundWatch(.none, of: nil)
  /// Whether the window has moved, and the pane follows it when the capture in progress has ended.
  var hasPostponedPlace = false
  /// The output of the pane; nil if it is not there, or if the position of the pointer is not known yet.
  var output: Output?
  /// The state of a drawer; nil for other panes.
  var drawer: DrawerState?
  /// A press that may become a click.
  var press: Press?
  /// The position of the drawer for which its appearance was updated last.
  var placedPosition = 0.0
  /// The scheme of its look.
  var scheme: ColorScheme
  /// The place of the pane when its scheme was decided by the backdrop alone; nil if it was not.
  var schemePlace: Rect?
  /// Set while the backdrop wants the other scheme.
  var schemeWait: SchemeWait?
  /// The current looks: that of the pane, or those of a transition.
  var looks: LookMix
  var transition: Transition?
  /// The cross-fade from its glass before a change of the output.
  var outputFade: OutputFade?
  var phase = Phase.hidden
  var overlayPhase = OverlayPhase.unmapped
  /// The changed region of the drawable appearance that was not presented yet.
  var undrawn = Region()
  /// Whether its look has changed and waits for the end of a painting.
  var isLookOutdated = false
  /// Set while captures decide the scheme and the polarity anew, because it has just appeared.
  var trial: Trial?
  /// The number of times that it was presented.
  var frames = 0

  /// The time in which a capture decides the scheme and the polarity from its pixels alone.
  enum Trial {
    /// The pane appeared with cells that may be stale. The next capture corrects them.
    case untilCapture
    /// A capture may still include windows in front of the pane: they are known only when the server has placed its window.
    case begun
    /// The same; the trial ends at this time.
    case until(Duration)
  }

  /// The progress of the engine.
  enum Phase {
    /// Not wanted on the screen, or outside every output. It needs no cells.
    case hidden
    /// Some cells of `next` have no value yet. `shown` is drawn until then.
    case awaiting(next: Appearance, shown: Appearance?)
    /// All cells have values.
    case drawable(Appearance)
  }

  /// The state of the overlay at the display.
  enum OverlayPhase {
    /// It is hidden.
    case unmapped
    /// It shows a state.
    case mapped(OverlayState)
    /// It shows a state, and the server still reads all its buffers.
    case awaitingRelease(OverlayState)
    /// Another client destroyed or changed it.
    case lost
  }

  init(_ pane: Pane, _ site: PaneSite, in scheme: ColorScheme, overlay: OverlayID) {
    self.pane = pane
    self.site = site
    self.scheme = scheme
    self.overlay = overlay
    looks = LookMix(Look(of: pane, in: scheme, on: .none, size: (1, 1)))
  }

  /// The rectangle of the whole pane at present; nil if its output is not there.
  var frame: Rect? { output.map { frame(on: $0) } }

  private func frame(on output: Output) -> Rect {
    if let cover = coverPlace { return cover.inset.reduced(cover.client) }
    if let glass = glassBehindTarget { return glass.bounds }
    guard let drawer, let travel = pane.travel(on: output) else {
      return pane.placement.frame(on: output)
    }
    return travel.frame(at: drawer.position)
  }

  /// The region of the glass behind the window; a shadow may be around it. Nil for panes that are not behind windows.
  var glassBehindTarget: Region? {
    guard let target, let inset = pane.placement.behind?.inset else { return nil }
    let glass = target.requested ?? Region(target.frame)
    if inset == .none { return glass }
    return glass.intersection(inset.scaled(by: unit).reduced(target.frame))
  }

  /// The client that the glass is over, and its distances from the edges; nil if it is not over one.
  private var coverPlace: (client: Rect, inset: Margin)? {
    guard isOver, let client = target?.client, let inset = pane.placement.behind?.inset else {
      return nil
    }
    return (client.rect, inset.scaled(by: unit))
  }

  /// How the glass covers the client of the window; nil if it is not over one. Parts that are not drawn yet have the mean colour of
  /// the present glass.
  var cover: ClientCover? {
    guard let (client, inset) = coverPlace else { return nil }
    let color = key?.color(overGlass: drawn?.meanGlass ?? 0)
    return ClientCover(client: client, inset: inset, color: color ?? 0)
  }

  /// How the glass beneath a window is limited to where that paints; nil if it is not.
  var coverage: WindowCoverage? {
    isOver ? nil : target?.client?.backgroundAlpha.map { WindowCoverage(full: $0) }
  }

  /// The key that makes the background of the window glass; nil if it is not known.
  var key: BackgroundKey? {
    guard isOver, let background = backgrounds.background, let keying = pane.keying else {
      return nil
    }
    return BackgroundKey(
      background.color, strength: (1 - keying.opacity) * looks.opacity,
      surfaces: keying.keepsPictures ? background.surfaces : nil,
      hasAlpha: target?.client?.hasAlpha == true)
  }

  /// Whether it is over a window whose background is not known. It must not appear before a capture.
  var awaitsBackground: Bool { isOver && backgrounds.background == nil }

  /// The part of an output in which it is visible. A drawer must not cover the panel from which it comes.
  func clip(on output: Output) -> Rect {
    pane.drawer == nil ? output.bounds : pane.placement.area(of: output)
  }

  /// The part of `frame` that is visible; nil if its output is not there.
  var rect: Rect? { output.flatMap { output in frame?.intersection(clip(on: output)) } }

  /// The number of pixels of its unit of length.
  var unit: Double { output.map { pane.placement.unit.pixels(on: $0) } ?? 1 }

  /// The pane for which its content is drawn; nil if its output is not there.
  var contentTarget: ContentTarget? { output.map { pane.placement.contentTarget(on: $0) } }

  /// The look that it has without a transition.
  var look: Look {
    Look(
      of: pane, in: scheme, on: contentTarget ?? .none,
      size: frame.map { ($0.width, $0.height) } ?? (1, 1))
  }

  var owner: NeedOwner { NeedOwner(number: overlay.number) }

  /// The backdrop that its glass shows.
  var backdrop: Backdrop {
    if let window = site.window, pane.sees == .windows {
      return .captured(.belowWindow(window))
    }
    return switch pane.sees {
    case .windows: .captured(.belowPanes(pane.layer))
    case .wallpaper: .captured(.wallpaper)
    case .panes: .composed(.belowPanes(pane.layer), for: owner)
    }
  }

  /// Whether it is wanted on the screen, now or until its transition ends.
  var isVisible: Bool { pane.isShown || transition?.hides == true }

  /// The appearance that is drawn, if any.
  var drawn: Appearance? {
    switch phase {
    case .hidden: nil
    case .awaiting(_, let shown): shown
    case .drawable(let appearance): appearance
    }
  }

  /// The appearance that is wanted.
  var wanted: Appearance? {
    switch phase {
    case .hidden: nil
    case .awaiting(let next, _): next
    case .drawable(let appearance): appearance
    }
  }

  var appearances: [Appearance] {
    switch phase {
    case .hidden: []
    case .awaiting(let next, let shown): [next] + (shown.map { [$0] } ?? [])
    case .drawable(let appearance): [appearance]
    }
  }

  /// The state that the display shows; nil if nothing of the pane is on the screen.
  var shownState: OverlayState? {
    switch overlayPhase {
    case .unmapped, .lost: nil
    case .mapped(let state), .awaitingRelease(let state): state
    }
  }

  /// The area that the overlay covers until it is where its appearances are; nil if it is there, or not mapped. To keep
  /// pixels, a display may extend an overlay to its old and its new rectangle.
  var movedThrough: Rect? {
    guard let rect = shownState?.rect else { return nil }
    let places = appearances.map(\.bounds)
    if !places.isEmpty, places.allSatisfy({ $0 == rect }) { return nil }
    return places.filter { $0.intersects(rect) }.reduce(rect) { $0.hull($1) }
  }

  var isAwaitingRelease: Bool {
    if case .awaitingRelease = overlayPhase { true } else { false }
  }

  var isLost: Bool { if case .lost = overlayPhase { true } else { false } }

  /// Whether a frame would present pixels of it.
  var hasUndrawnPixels: Bool {
    if isAwaitingRelease { return false }
    guard let drawn else { return false }
    return !undrawn.isEmpty || shownState != drawn.layout.state
  }

  /// Marks what depends on changed cells of grids.
  func markChanged(cells: [GridKey: [Rect]]) {
    for appearance in appearances { appearance.markChanged(cells: cells) }
    if let key = drawn?.pixelKey, let changed = cells[key] { markChangedBelow(changed) }
    if let window = drawn?.window, let changed = cells[window.gridKey] {
      markChanged(changed, of: window)
    }
  }

  /// Marks what depends on changed pixels of its window.
  private func markChanged(_ parts: [Rect], of window: WindowPixels) {
    backgrounds.recordChange(ofArea: parts.reduce(0) { $0 + $1.area })
    let region = Region(covering: parts).simplified(to: 8, price: 1 << 12)
    undrawn.form(union: Region(region.rects.map { window.area(dependingOn: $0) }))
  }

  /// Marks the soft parts above changed pixels as undrawn. The undrawn region grows by at most one rectangle for
  /// each soft part: to draw some more pixels costs less than to handle many small rectangles.
  func markChangedBelow(_ rects: [Rect]) {
    guard let drawn, !drawn.layout.softRegion.isEmpty, !undrawn.contains(drawn.bounds) else {
      return
    }
    let reaching = rects.filter { $0.intersects(drawn.bounds) }
    if !reaching.isEmpty { undrawn.form(union: drawn.layout.softRegion.hulls(of: reaching)) }
  }
}

extension ContentTarget {
  /// The target of a pane whose output is not there.
  fileprivate static let none = ContentTarget(scale: 1, width: 1, height: 1)
}

/// The time that passes before a scheme changes.
enum SchemeWait {
  case begun
  case until(Duration)
}
