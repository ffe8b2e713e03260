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
    guard monitor.blending.isDue(now), monitor.canCapture, let output = monitor.output,
      let (rect, level) = samplePlace(on: monitor)
    else { return }
    let place = SurfacePlace(covering: rect, on: output.bounds, scale: monitor.state.scale)
    let surface = SampleSurface(
      objects, subcompositor, connection, on: monitor.object, level, at: place)
    monitor.blending.begin(surface, now: now)
  }

  /// A rectangle in an overlay whose backdrop is known.
  private func samplePlace(on monitor: MonitoredOutput) -> (Rect, BackdropLevel)? {
    let places = surfaces(on: monitor).filter { !$0.isProbe }.compactMap { surface in
      let backdrop = monitor.levels[surface.level]
      let rect = monitor.blending.place(in: surface.covered).intersection(monitor.bounds)
        .intersection(backdrop.watched.bounds)
      let isKnown = !rect.isEmpty && !backdrop.unvalued.intersects(rect)
      return isKnown ? (rect, surface.level) : nil
    }
    return places.isEmpty ? nil : places[monitor.blending.count % places.count]
  }

  private mutating func show(_ surface: SampleSurface, on monitor: MonitoredOutput) {
    let rect = surface.place.rect
    var picture = Array(repeating: UInt32(0), count: rect.area)
    monitor.withBackdrop(surface.level) { backdrop in
      var span = picture.mutableSpan
      copyPixels(
        of: rect.intersection(backdrop.layout.bounds), from: backdrop.pixels.span,
        backdrop.layout, to: &span, PixelLayout(rect))
    }
    let sample = BlendingSample(
      rect, near: picture.span, PixelLayout(rect), seed: UInt64(monitor.blending.count))
    // Without memory the check ends later.
    try? surface.show(sample, objects, connection)
    monitor.needsFrame = true
    monitor.plan.note(rect)
    monitor.continueCapture(connection, now: now)
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
