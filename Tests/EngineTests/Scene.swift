import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// An engine on a headless display, with a clock that only `wait` and `settle` advance. The engine measures its
/// stages with another clock, which stands still unless `slowness` is set.
final class Scene {
  /// Another one after each loss.
  private(set) var display: HeadlessDisplay
  private(set) var engine: Engine<HeadlessDisplay>
  private(set) var now = Duration.seconds(1000)
  /// The requests for pictures and backdrops that were started and are not known to be completed.
  private(set) var openTickets: Set<Ticket> = []
  private let watch = Watch()
  static let interval = Duration.milliseconds(10)
  /// The distance to the next frame if none began within the last interval.
  static let shortestDistance = FrameSchedule(interval: interval).shortestDistance

  init(
    _ backdrop: Bitmap, x: Int = 0, y: Int = 0, limits: (bytes: Int, tiles: Int)? = nil,
    threads: Int = 1
  ) {
    display = HeadlessDisplay(backdrop, x: x, y: y)
    let cache =
      limits.map { StoreLimits(byteCount: $0.bytes, tileCount: $0.tiles) } ?? StoreLimits()
    let watch = watch
    engine = Engine(display, framesPerSecond: 100, threads: threads, cache: cache) { watch.read() }
  }

  /// The clock with which the engine measures its stages.
  private final class Watch {
    var time = Duration.zero
    var step = Duration.zero

    func read() -> Duration {
      time += step
      return time
    }
  }

  /// The time that passes for the engine each time that it measures the time.
  var slowness: Duration {
    get { watch.step }
    set { watch.step = newValue }
  }

  convenience init(width: Int = 120, height: Int = 90, seed: Int = 1) {
    var dice = Dice(seed: seed)
    self.init(dice.picture(width: width, height: height))
  }

  var screen: Rect { display.screen }
  var deadline: Duration? { engine.deadline }
  var isPainting: Bool { engine.isPainting }
  var isFading: Bool { engine.isFading }
  var panes: [Pane] { engine.panes }
  var names: [String] { engine.panes.map(\.name) }
  var statistics: Statistics { engine.statistics }
  var store: StoreReport { engine.storeReport }

  // MARK: Connection

  var isSuspended: Bool { engine.isSuspended }

  /// The connection to the display breaks.
  func loseDisplay() {
    display.error = .lost("lost")
    #expect(throws: DisplayError.lost("lost")) { try step() }
    engine.suspend()
  }

  /// Connects to another display.
  func reconnect(to backdrop: Bitmap) {
    display = HeadlessDisplay(backdrop)
    engine.resume(on: display)
  }

  // MARK: Requests

  /// Adds a pane at `rect`, relative to the output.
  func add(
    _ name: String, _ rect: Rect, sigma: Double = 5, fade: Fade = .none
  ) throws {
    try engine.add(makePane(name, rect, sigma: sigma), fade: fade)
  }

  func add(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    try engine.add(pane, fade: fade)
  }

  func change(
    _ name: String, fade: Fade = .none, _ edit: (inout PaneSettings) -> Void
  ) throws(EngineError) {
    var settings = PaneSettings()
    edit(&settings)
    try engine.change(name, PaneChange(settings), fade: fade)
  }

  func change(_ name: String, _ change: PaneChange, fade: Fade = .none) throws(EngineError) {
    try engine.change(name, change, fade: fade)
  }

  func setShown(_ name: String, _ isShown: Bool, fade: Fade = .none) throws(EngineError) {
    try engine.setShown(name, isShown, fade: fade)
  }

  func remove(_ name: String) throws(EngineError) { try engine.remove(name) }

  @discardableResult
  func apply(_ panes: [Pane], isRehearsal: Bool = false) throws(EngineError) -> [PaneAction] {
    try engine.apply(panes, isRehearsal: isRehearsal)
  }

  func costlyDecorations(of panes: [Pane]) -> [DecorationPlan] {
    engine.costlyDecorations(of: panes)
  }

  /// Makes decorations for the next requests.
  func prepare(_ plans: [DecorationPlan]) {
    engine.preparedDecorations = plans.map { $0.make() }
  }

  func shrinkCache() { engine.shrinkCache() }

  func state(of name: String) throws(PaneError) -> (rect: Rect, scheme: ColorScheme, frames: Int) {
    try engine.state(of: name)
  }

  func picture(of name: String) throws -> Bitmap {
    try picture(for: engine.requestPicture(of: name))
  }

  func backdrop(of name: String) throws -> Bitmap {
    try picture(for: engine.requestBackdrop(of: name))
  }

  /// Starts a request for a picture, which `step` completes.
  @discardableResult
  func startPicture(of name: String) throws(EngineError) -> Ticket {
    let ticket = try engine.requestPicture(of: name)
    openTickets.insert(ticket)
    return ticket
  }

  /// Starts a request for a backdrop, which `step` completes.
  @discardableResult
  func startBackdrop(of name: String) throws(EngineError) -> Ticket {
    let ticket = try engine.requestBackdrop(of: name)
    openTickets.insert(ticket)
    return ticket
  }

  func sync() throws {
    let ticket = try engine.requestSync()
    if case .failed(_, let error) = try complete({ $0.ticket == ticket }) { throw error }
  }

  /// Steps until a request for a picture or backdrop is completed.
  func picture(for ticket: Ticket) throws -> Bitmap {
    switch try complete({ $0.ticket == ticket }) {
    case .picture(_, let picture): return picture
    case .failed(_, let error): throw error
    case .synced: throw Missing()
    }
  }

  /// Steps until a request is completed, without advancing the clock. Throws when nothing would
  /// wake a real event loop.
  private func complete(_ isWanted: (Completion) -> Bool) throws -> Completion {
    try step()
    for _ in 0..<200 {
      if let completion = takeCompletions().first(where: isWanted) { return completion }
      guard display.hasEvents || deadline.map({ $0 <= now }) == true else { break }
      try step()
    }
    throw Missing()
  }

  @discardableResult
  func takeCompletions() -> [Completion] {
    let completions = engine.takeCompletions()
    for completion in completions { openTickets.remove(completion.ticket) }
    return completions
  }

  /// The request was not completed.
  struct Missing: Error {}

  // MARK: Time

  func step() throws(DisplayError) { try engine.step(now: now) }

  func wait(_ time: Duration) { now += time }

  /// Steps at each deadline until there is none. Returns false if there are more than 100
  /// deadlines, or 1000 steps within frames.
  func settle() throws(DisplayError) -> Bool {
    try step()
    var (deadlines, steps) = (0, 0)
    while deadlines < 100, steps < 1000 {
      if isPainting { steps += 1 } else { deadlines += 1 }
      guard let deadline else { return true }
      now = max(now, deadline)
      try step()
    }
    return false
  }

  // MARK: Expected state

  /// The first difference between the screen and the expected panes; nil if there is none.
  func fault() -> String? {
    if display.overlayCount != panes.count { return "\(display.overlayCount) overlays" }
    let order = display.order.compactMap { overlay in
      panes.first { display.overlay(named: $0.name) == display.overlay(overlay.id) }?.name
    }
    if order != names { return "the order is \(order), not \(names)" }
    return panes.lazy.compactMap { self.fault(of: $0) }.first
  }

  private func fault(of pane: Pane) -> String? {
    guard let overlay = display.overlay(named: pane.name) else { return "\(pane.name): no overlay" }
    let rect = pane.placement.rect(on: screen)
    let isWanted = pane.isShown && !rect.isEmpty && !display.isLocked(state(of: pane).rect)
    if overlay.isShown != isWanted {
      return "\(pane.name): is shown \(overlay.isShown)"
    }
    if !overlay.isShown { return nil }
    let wanted = state(of: pane)
    if overlay.state != wanted {
      return "\(pane.name): \(String(describing: overlay.state)), not \(wanted)"
    }
    let picture = wanted.hasAlpha ? drawn(pane) : composed(pane)
    // Without alpha the fourth byte has no meaning.
    let mask: UInt32 = wanted.hasAlpha ? 0xffff_ffff : 0x00ff_ffff
    var wrong = picture.pixels.indices.filter {
      (overlay.picture.pixels[$0] ^ picture.pixels[$0]) & mask != 0
    }
    if wrong.isEmpty { return nil }
    let compared = overlay.visible.subtracting(ambiguous)
    wrong.removeAll { i in
      let (x, y) = (wanted.rect.x + i % picture.width, wanted.rect.y + i / picture.width)
      return !compared.intersects(Rect(x: x, y: y, width: 1, height: 1))
    }
    guard let first = wrong.first else { return nil }
    let (x, y) = (first % picture.width, first / picture.width)
    return "\(pane.name): \(wrong.count) pixels of \(wanted.rect) differ, the first at \(x),\(y)"
  }

  private func decoration(of pane: Pane) -> Decoration {
    let size = pane.placement.size
    return Decoration(look(of: pane).decoration, width: size.width, height: size.height)
  }

  private func state(of pane: Pane) -> OverlayState {
    let frame = pane.placement.frame(on: screen)
    let decoration = decoration(of: pane)
    let bounds = decoration.bounds(of: frame).intersection(screen)
    let hasAlpha = display.blendsAlpha && !look(of: pane).decoration.isSharp
    func covered(by share: Double) -> Region {
      decoration.mask.region(of: frame, coveredBy: share).intersection(screen)
    }
    return OverlayState(
      rect: bounds, hasAlpha: hasAlpha, opaque: hasAlpha ? covered(by: 1) : Region(bounds),
      inputRegion: pane.input == .pass ? Region() : covered(by: 0.5))
  }

  /// A pane and its decoration, computed from the whole backdrop and not composed.
  private func drawn(_ pane: Pane) -> Bitmap {
    let renderer = PaneRenderer(
      frame: pane.placement.frame(on: screen), output: screen, material: look(of: pane).material,
      decoration: decoration(of: pane), content: ContentState(contents(of: pane)))
    let grid = CellGrid(renderer.geometry)
    let backdrop = backdrop(of: pane)
    _ = grid.absorb(
      backdrop.pixels.span, PixelLayout(screen), isOpaque: true, cells: renderer.cells, threads: 1)
    _ = renderer.settle(from: grid, threads: 1)
    var picture = Bitmap(width: renderer.bounds.width, height: renderer.bounds.height)
    var pixels = picture.pixels.mutableSpan
    renderer.draw(renderer.bounds, into: &pixels, PixelLayout(renderer.bounds))
    return picture
  }

  /// The pixels that the glass of a pane depends on.
  private func source(of pane: Pane) -> Rect {
    PaneRenderer(
      frame: pane.placement.frame(on: screen), output: screen, material: look(of: pane).material,
      decoration: decoration(of: pane), content: ContentState(Contents([]))
    ).sourceRegion
  }

  /// The look of a pane in the scheme that the engine has decided.
  private func look(of pane: Pane) -> PaneLook {
    pane.look(in: (try? engine.state(of: pane.name).scheme) ?? .dark)
  }

  private func contents(of pane: Pane) -> Contents {
    Contents(pane.contents.flatMap { $0.placed(on: pane.placement.size) })
  }

  /// The region in which the polarity of content depends on its previous value.
  private var ambiguous: Region {
    var region = Region()
    for pane in panes where pane.isShown {
      let rect = pane.placement.rect(on: screen)
      if rect.isEmpty { continue }
      let frame = pane.placement.frame(on: screen)
      let glass = glass(of: pane, rect)
      let content = contents(of: pane)
      let light = content.polarity(of: frame, on: glass.glass, last: .light)
      let dark = content.polarity(of: frame, on: glass.glass, last: .dark)
      if light != dark { region.form(union: ContentState(content).region(of: frame)) }
      // A pane that shows ambiguous pixels may differ too.
      if pane.sees == .panes, region.intersects(source(of: pane)) {
        region.form(union: Region(state(of: pane).rect))
      }
    }
    return region
  }

  private func glass(of pane: Pane, _ rect: Rect) -> PictureGlass {
    var glass = PictureGlass(pane: rect, picture: screen, material: look(of: pane).material)
    glass.absorb(
      backdrop(of: pane).pixels.span, PixelLayout(screen), isOpaque: true, damage: screen)
    _ = glass.settle()
    return glass
  }

  private func backdrop(of pane: Pane) -> Bitmap {
    switch pane.sees {
    case .windows: display.backdrop(below: pane.layer)
    case .wallpaper:
      Bitmap(width: screen.width, height: screen.height, filledWith: display.wallpaper)
    case .panes: screen(with: Array(panesBelow(pane)), below: pane.layer)
    }
  }

  private func panesBelow(_ pane: Pane) -> ArraySlice<Pane> {
    panes.prefix(while: { $0.name != pane.name })
  }

  /// A pane composed over the backdrop and the panes below it.
  private func composed(_ pane: Pane) -> Bitmap {
    let shown = screen(with: panesBelow(pane) + [pane], below: pane.layer)
    return Bitmap(state(of: pane).rect, of: shown.pixels.span, PixelLayout(screen))
  }

  /// The backdrop of a layer with some panes composed over it.
  private func screen(with panes: some Sequence<Pane>, below layer: StackingLayer) -> Bitmap {
    var shown = display.backdrop(below: layer)
    for one in panes where one.isShown {
      if one.placement.rect(on: screen).isEmpty { continue }
      let target = state(of: one).rect
      if display.isLocked(target) { continue }
      let covered = display.regionOfWindows(above: one.layer, below: layer)
      var picture = drawn(one)
      var pixels = picture.pixels.mutableSpan
      compose(
        target, of: &pixels, PixelLayout(target), over: shown.pixels.span, PixelLayout(screen))
      for rect in Region(target).subtracting(covered).rects {
        for y in rect.rows {
          for x in rect.columns {
            shown[x - screen.x, y - screen.y] = picture[x - target.x, y - target.y]
          }
        }
      }
    }
    return shown
  }
}

extension HeadlessDisplay {
  /// Whether a lock screen covers a part of a rectangle.
  func isLocked(_ rect: Rect) -> Bool { lockedRegion.intersects(rect) }
}

func makePane(_ name: String, _ rect: Rect, sigma: Double = 5) throws(PaneError) -> Pane {
  var settings = PaneSettings()
  settings.style = .plain
  settings.geometry = geometry(rect)
  settings.sigma = sigma
  return try Pane(name, settings)
}

/// The geometry of a rectangle, from the left and the top.
func geometry(_ rect: Rect) -> Geometry {
  Geometry(
    width: rect.width, height: rect.height, x: .fromStart(rect.x), y: .fromStart(rect.y))
}
