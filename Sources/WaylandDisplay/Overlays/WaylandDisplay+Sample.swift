import Frost
import Raster
import WaylandClient

/// The check of how the compositor blends: a sample on each output, when overlays appear there.
extension WaylandDisplay {
  /// Begins, continues or ends the check of an output.
  mutating func updateCheck(of monitor: MonitoredOutput) {
    guard glass.isTested, let subcompositor = objects.subcompositor else { return }
    if monitor.blending.isOver(now) { endCheck(of: monitor, nil) }
    if let surface = monitor.blending.surface {
      if surface.isReady { show(surface, on: monitor) }
      return
    }
    guard let (rect, overlay) = samplePlace(on: monitor), let output = monitor.output else { return }
    let place = SurfacePlace(covering: rect, on: output.bounds, scale: monitor.state.scale)
    let surface = SampleSurface(
      objects, subcompositor, connection, on: monitor.object, overlay.level, at: place)
    monitor.blending.begin(surface, now: now)
  }

  /// Whether a sample is shown, or is about to be.
  func isChecking(_ monitor: MonitoredOutput) -> Bool {
    monitor.blending.surface != nil || !monitor.departed.isEmpty
      || glass.isTested && objects.subcompositor != nil && samplePlace(on: monitor) != nil
  }

  /// The place of a check that is due: a rectangle in an overlay that the screen shows, and whose backdrop is known. Nil if no check
  /// can begin.
  private func samplePlace(on monitor: MonitoredOutput) -> (Rect, OverlaySurface)? {
    guard monitor.blending.isDue(now), monitor.canCapture, monitor.output != nil else { return nil }
    let places = surfaces(on: monitor).compactMap { surface in
      if surface.isProbe || surface.displayed == nil { return nil as (Rect, OverlaySurface)? }
      let backdrop = monitor.levels[surface.level]
      let rect = monitor.blending.place(in: surface.shown).intersection(monitor.bounds)
        .intersection(backdrop.watched.bounds).intersection(surface.shown)
      let isKnown = !rect.isEmpty && !backdrop.unvalued.intersects(rect)
      return isKnown ? (rect, surface) : nil
    }
    return places.isEmpty ? nil : places[monitor.blending.count % places.count]
  }

  private mutating func show(_ surface: SampleSurface, on monitor: MonitoredOutput) {
    let rect = surface.place.rect
    let picture = screen(in: rect, on: monitor)
    let sample = BlendingSample(
      rect, near: picture.span, PixelLayout(rect), seed: UInt64(monitor.blending.count))
    // Without memory the check ends later.
    try? surface.show(sample, objects, connection)
    monitor.needsFrame = true
    monitor.plan.note(rect)
    monitor.continueCapture(connection, now: now)
  }

  /// What an output should show in a rectangle: the overlays there over their backdrops.
  private func screen(in rect: Rect, on monitor: MonitoredOutput) -> [UInt32] {
    var pixels = Array(repeating: UInt32(0), count: rect.area)
    var span = pixels.mutableSpan
    for surface in surfaces(on: monitor) where !surface.isProbe {
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

  /// Ends the check of an output, and takes its verdict.
  mutating func endCheck(of monitor: MonitoredOutput, _ verdict: BlendingSample.Verdict?) {
    guard let surface = monitor.blending.finish(verdict, now: now) else { return }
    surface.destroy(connection)
    monitor.noteDeparture(surface.place.rect, connection)
    guard verdict != nil, glass.take(monitors.compactMap(\.blending.verdict)) else { return }
    for monitor in monitors { monitor.way = glass.way }
    if way == .still { showStillGlass() } else { showLiveGlass() }
  }

  /// Handles an event of the surface of a sample. Returns whether it was one.
  mutating func takeSampleEvent(_ event: WaylandEvent) -> Bool {
    for monitor in monitors {
      guard let surface = monitor.blending.surface, event.object == surface.layerSurface else {
        continue
      }
      switch LayerSurfaceEvent(rawValue: event.opcode) {
      case .configure: surface.takeConfigure(serial: event.number(0), connection)
      case .closed: endCheck(of: monitor, nil)
      case nil: break
      }
      return true
    }
    return false
  }
}
