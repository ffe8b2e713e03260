import Desktop
import Frost
import Panes
import Raster
import TestDice

/// An engine on a headless desktop, and a clock that stands still unless it is moved.
final class Scene {
  let desktop: HeadlessDesktop
  private(set) var engine: Engine<HeadlessDesktop>
  private(set) var now = Duration.seconds(1000)
  static let interval = Duration.milliseconds(10)

  init(_ backdrop: Bitmap) {
    desktop = HeadlessDesktop(backdrop)
    engine = Engine(desktop, framesPerSecond: 100) { .zero }
  }

  convenience init(width: Int = 120, height: Int = 90, seed: Int = 1) {
    var dice = Dice(seed: seed)
    self.init(dice.picture(width: width, height: height))
  }

  var deadline: Duration? { engine.deadline }
  var isFading: Bool { engine.isFading }
  var panes: [Pane] { engine.panes }
  var names: [String] { engine.panes.map(\.name) }
  var statistics: Statistics { engine.statistics }

  // MARK: Asking

  /// A pane where `rect` says, of a material made for tests.
  func add(
    _ name: String, _ rect: Rect, sigma: Double = 5, fade: Fade = .none
  ) throws(EngineError) {
    try engine.add(makePane(name, rect, sigma: sigma), fade: fade)
  }

  func add(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    try engine.add(pane, fade: fade)
  }

  func change(_ name: String, _ change: PaneChange, fade: Fade = .none) throws(EngineError) {
    try engine.change(name, change, fade: fade)
  }

  func setShown(_ name: String, _ isShown: Bool, fade: Fade = .none) throws(EngineError) {
    try engine.setShown(name, isShown, fade: fade)
  }

  func remove(_ name: String) throws(EngineError) { try engine.remove(name) }

  func state(of name: String) throws(PaneError) -> (rect: Rect, frames: Int) {
    try engine.state(of: name)
  }

  func picture(of name: String) throws(EngineError) -> Bitmap { try engine.picture(of: name) }

  func backdrop(of name: String) throws(EngineError) -> Bitmap {
    try engine.captureBackdrop(of: name)
  }

  // MARK: Driving

  func step() throws(DesktopError) { try engine.step(now: now) }
  func sync() throws(DesktopError) { try engine.sync(now: now) }

  func wait(_ time: Duration) { now += time }

  /// Steps, and steps at each deadline, until there is none. False when that does not come.
  func settle() throws(DesktopError) -> Bool {
    try step()
    for _ in 0..<100 {
      guard let deadline else { return true }
      now = max(now, deadline)
      try step()
    }
    return false
  }

  // MARK: Looking

  /// What is wrong with what the screen shows of the panes; nil when all is as it should be.
  func fault() -> String? {
    if desktop.overlayCount != panes.count { return "\(desktop.overlayCount) overlays" }
    return panes.lazy.compactMap { self.fault(of: $0) }.first
  }

  private func fault(of pane: Pane) -> String? {
    guard let overlay = desktop.overlay(named: pane.name) else { return "\(pane.name): no overlay" }
    let rect = pane.placement.rect(on: desktop.screen)
    if overlay.isShown != (pane.isShown && !rect.isEmpty) {
      return "\(pane.name): is shown \(overlay.isShown)"
    }
    if !overlay.isShown { return nil }
    let wanted = shape(of: pane)
    if overlay.shape != wanted { return "\(pane.name): \(overlay.shape), not \(wanted)" }
    let picture = wanted.hasAlpha ? drawn(pane) : composed(pane)
    // Without alpha the fourth byte means nothing.
    let mask: UInt32 = wanted.hasAlpha ? 0xffff_ffff : 0x00ff_ffff
    var wrong = picture.pixels.indices.filter {
      (overlay.picture.pixels[$0] ^ picture.pixels[$0]) & mask != 0
    }
    if wrong.isEmpty { return nil }
    let undecided = undecided
    wrong.removeAll { i in
      let (x, y) = (wanted.rect.x + i % picture.width, wanted.rect.y + i / picture.width)
      return undecided.intersects(Rect(x: x, y: y, width: 1, height: 1))
    }
    guard let first = wrong.first else { return nil }
    let (x, y) = (first % picture.width, first / picture.width)
    return "\(pane.name): \(wrong.count) pixels of \(wanted.rect) differ, the first at \(x),\(y)"
  }

  private func outline(of pane: Pane) -> Outline {
    let size = pane.placement.size
    return Outline(pane.outline, width: size.width, height: size.height)
  }

  private func shape(of pane: Pane) -> OverlayShape {
    let frame = pane.placement.frame(on: desktop.screen)
    let (outline, screen) = (outline(of: pane), desktop.screen)
    let bounds = outline.bounds(of: frame).intersection(screen)
    let hasAlpha = desktop.blendsAlpha && !pane.outline.isSharp
    func covered(by share: Double) -> Region {
      outline.mask.region(of: frame, coveredBy: share).intersection(screen)
    }
    return OverlayShape(
      rect: bounds, hasAlpha: hasAlpha, opaque: hasAlpha ? covered(by: 1) : Region(bounds),
      clickable: pane.input == .pass ? Region() : covered(by: 0.5))
  }

  /// A pane and what is drawn around it, not blended with anything.
  private func drawn(_ pane: Pane) -> Bitmap {
    let bounds = shape(of: pane).rect
    let frame = pane.placement.frame(on: desktop.screen)
    let glass = glass(of: pane)
    var picture = Bitmap(width: bounds.width, height: bounds.height)
    var pixels = picture.pixels.mutableSpan
    glass.draw(glass.pane, into: &pixels, PixelLayout(bounds))
    let contents = contents(of: pane)
    let polarities = (0..<contents.groupCount).map {
      contents.polarity(of: $0, of: frame, on: glass, last: nil)
    }
    contents.draw(glass.pane, of: frame, polarities, over: &pixels, PixelLayout(bounds))
    outline(of: pane).finish(bounds, of: frame, in: &pixels, PixelLayout(bounds))
    return picture
  }

  private func glass(of pane: Pane) -> Glass {
    frostedGlass(seen(by: pane), pane.placement.rect(on: desktop.screen), pane.material)
  }

  private func contents(
    of pane: Pane, where isWanted: (PaneContent) -> Bool = { _ in true }
  ) -> Contents {
    Contents(pane.contents.filter(isWanted).map { $0.placed(on: pane.placement.size) })
  }

  /// Where content may be light or dark, as it was before.
  private var undecided: Region {
    var region = Region()
    for pane in panes where pane.isShown {
      if pane.placement.rect(on: desktop.screen).isEmpty { continue }
      let frame = pane.placement.frame(on: desktop.screen)
      let glass = glass(of: pane)
      let vibrant = contents(of: pane) { $0.vibrancy != nil }
      for group in 0..<vibrant.groupCount {
        let light = vibrant.polarity(of: group, of: frame, on: glass, last: .light)
        let dark = vibrant.polarity(of: group, of: frame, on: glass, last: .dark)
        if light != dark { region.form(union: vibrant.region(of: group, on: frame)) }
      }
    }
    return region
  }

  private func seen(by pane: Pane) -> Bitmap {
    let (width, height) = (desktop.screen.width, desktop.screen.height)
    return pane.sees == .windows
      ? desktop.backdrop : Bitmap(width: width, height: height, filledWith: desktop.wallpaper)
  }

  /// A pane over the backdrop and the panes that lie below it, as a compositor would show them all.
  private func composed(_ pane: Pane) -> Bitmap {
    let bounds = shape(of: pane).rect
    var screen = desktop.backdrop
    for one in panes.prefix(while: { $0.name != pane.name }) + [pane] where one.isShown {
      let target = shape(of: one).rect
      if one.placement.rect(on: desktop.screen).isEmpty { continue }
      var picture = drawn(one)
      var pixels = picture.pixels.mutableSpan
      compose(
        target, of: &pixels, PixelLayout(target), over: screen.pixels.span,
        PixelLayout(screen.bounds))
      for y in target.rows {
        for x in target.columns { screen[x, y] = picture[x - target.x, y - target.y] }
      }
    }
    return Bitmap(bounds, of: screen.pixels.span, PixelLayout(screen.bounds))
  }
}

func makePane(_ name: String, _ rect: Rect, sigma: Double = 5) -> Pane {
  let geometry = Geometry(
    width: rect.width, height: rect.height, x: .fromStart(rect.x), y: .fromStart(rect.y))
  return Pane(name: name, placement: .geometry(geometry), material: Material(sigma: sigma))
}

/// The glass over a backdrop, computed as a whole, from nothing.
private func frostedGlass(_ backdrop: Bitmap, _ rect: Rect, _ material: Material) -> Glass {
  var glass = Glass(pane: rect, screen: backdrop.bounds, material: material)
  glass.absorb(
    backdrop.pixels.span, PixelLayout(backdrop.bounds), isOpaque: true, damage: backdrop.bounds)
  _ = glass.settle()
  return glass
}
