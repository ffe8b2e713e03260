import Frost
import Panes
import Raster
import WaylandClient

/// The check of how the compositor blends: a sample on each output, when overlays appear there.
extension WaylandDisplay {
  /// Begins, continues or ends the check of an output.
  mutating func updateCheck(of monitor: MonitoredOutput) {
    if monitor.blending.isOver(now) || !allowsSample(monitor) { endCheck(of: monitor, nil) }
    if let surfaces = monitor.blending.surfaces {
      if surfaces.isReady { show(surfaces, on: monitor) }
      return
    }
    guard let rect = samplePlace(on: monitor), let output = monitor.output else {
      return
    }
    let place = SurfacePlace(covering: rect, on: output.bounds, scale: monitor.state.scale)
    let surfaces = SampleSurfaces(
      objects, connection, on: monitor.id, monitor.object, at: place,
      isReversed: monitor.blending.isReversed)
    monitor.blending.begin(surfaces, now: now)
  }

  /// Whether the screen may show a sample, or is about to.
  func isChecking(_ monitor: MonitoredOutput) -> Bool {
    monitor.blending.surfaces != nil || monitor.blending.awaitsRemoval
      || samplePlace(on: monitor) != nil
  }

  /// Whether a sample may be shown: not if wallpaper is watched. A sample would hide the wallpaper from the probe, and windows
  /// would hide a sample on an overlay below windows.
  private func allowsSample(_ monitor: MonitoredOutput) -> Bool {
    monitor.levels.wallpaper.watched.isEmpty
  }

  /// The place of a check that is due: a rectangle in an overlay that is on the screen and whose backdrop was captured. Nil if no
  /// check can begin.
  private func samplePlace(on monitor: MonitoredOutput) -> Rect? {
    guard glass.isTested, monitor.blending.isDue(now), monitor.canCapture, monitor.output != nil,
      allowsSample(monitor)
    else { return nil }
    let places = surfaces(on: monitor).compactMap { surface in
      if surface.displayed == nil { return nil as Rect? }
      let backdrop = monitor.levels[surface.level]
      let rect = monitor.blending.place(in: surface.shown).intersection(monitor.bounds)
        .intersection(backdrop.watched.bounds).intersection(surface.shown)
      let isSeen = !backdrop.unvalued.intersects(rect) && !backdrop.deferred.intersects(rect)
      // A smaller part allows no verdict.
      let isLarge = min(rect.width, rect.height) >= 16
      return isLarge && isSeen ? rect : nil
    }
    return places.isEmpty ? nil : places[monitor.blending.count % places.count]
  }

  private mutating func show(_ surfaces: SampleSurfaces, on monitor: MonitoredOutput) {
    let rect = surfaces.place.rect
    let picture = screen(in: rect, on: monitor)
    let sample = BlendingSample(
      rect, near: picture.span, PixelLayout(rect), seed: UInt64(monitor.blending.count))
    // Without memory the check ends later.
    try? surfaces.show(sample, objects, connection, now: now)
    monitor.blending.recordCommit(now: now)
    monitor.captures.needsFrame = true
    monitor.captures.area.record(rect)
    monitor.continueCapture(connection, now: now)
  }

  /// The expected pixels of an output in a rectangle: the overlays there over their backdrops.
  private func screen(in rect: Rect, on monitor: MonitoredOutput) -> [UInt32] {
    var pixels = Array(repeating: UInt32(0), count: rect.area)
    var span = pixels.mutableSpan
    for surface in paneSurfaces(on: monitor) {
      let part = rect.intersection(surface.shown)
      monitor.withBackdrop(surface.level) { backdrop in
        copyPixels(
          of: part.intersection(backdrop.layout.bounds), from: backdrop.pixels.span,
          backdrop.layout, to: &span, PixelLayout(rect))
      }
      compose(
        part, of: surface.wanted.span, PixelLayout(surface.place.rect), onto: &span,
        PixelLayout(rect))
    }
    return pixels
  }

  /// Handles what the last capture tells of a sample.
  mutating func applySampleFinding(of monitor: MonitoredOutput) {
    switch monitor.sampleFinding {
    case .verdict(let verdict): endCheck(of: monitor, verdict)
    case .reversed:
      for surface in monitor.blending.reverse(now: now)?.all ?? [] { destroy(surface) }
    case nil: break
    }
  }

  /// Ends the check of an output, and takes its verdict.
  mutating func endCheck(of monitor: MonitoredOutput, _ verdict: BlendingSample.Verdict?) {
    guard let ended = monitor.blending.finish(verdict, now: now) else { return }
    for surface in ended.all { destroy(surface) }
    guard verdict != nil, glass.apply(monitors.compactMap(\.blending.verdict))
    else { return }
    for monitor in monitors { monitor.way = glass.way }
    if way == .still { showStillGlass() } else { showLiveGlass() }
  }

  /// Handles an event of the surfaces of a sample. Returns whether it was one.
  mutating func handleSampleEvent(_ event: WaylandEvent) -> Bool {
    for monitor in monitors {
      for surface in monitor.blending.surfaces?.all ?? [] {
        if event.object == surface.role.object {
          switch LayerSurfaceEvent(rawValue: event.opcode) {
          case .configure: surface.handleConfigure(serial: event.number(0), connection)
          case .closed: endCheck(of: monitor, nil)
          case nil: break
          }
          return true
        }
        if surface.handleFrameDone(event.object, connection)
          || surface.handleRelease(of: event.object, connection)
        {
          return true
        }
      }
    }
    return false
  }
}
