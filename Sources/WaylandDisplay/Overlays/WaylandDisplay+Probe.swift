import Frost
import Raster
import WaylandClient

/// The probe of each output on which panes see the wallpaper: a surface below all windows that shows what is below it. Where a
/// window covers it, the screen shows pixels that no backdrop of the probe can produce, so they do not count as wallpaper.
extension WaylandDisplay {
  /// Makes, moves or removes the probe of an output, and lets it show all wallpaper that was captured.
  mutating func updateProbe(of monitor: MonitoredOutput) {
    let watched = monitor.levels.wallpaper.watched
    guard way == .live, let output = monitor.output, !watched.isEmpty, !monitor.isWallpaperGiven
    else {
      return removeProbe(of: monitor)
    }
    // Panes that move need no other place at each step.
    let step = 128
    let wanted = watched.bounds.translated(x: -output.bounds.x, y: -output.bounds.y)
      .rounded(outTo: step).translated(x: output.bounds.x, y: output.bounds.y)
      .intersection(output.bounds)
    let place = SurfacePlace(covering: wanted, on: output.bounds, scale: monitor.state.scale)
    guard let probe = monitor.search.probe else {
      if !monitor.search.opening.open(now: now) { return }
      let probe = ProbeSurface(
        objects, connection, on: monitor.id, monitor.object, layer: .belowDocks, at: place)
      probe.announce(connection)
      monitor.search.probe = probe
      return
    }
    let isTooLarge = probe.place.rect.area > 2 * place.rect.area
    if isTooLarge || !probe.place.rect.contains(wanted), probe.canCommit {
      monitor.commits.leftRegion.form(union: probe.shown)
      monitor.commits.isStackOutdated = true
      probe.move(to: place, connection)
    }
    let extent = monitor.levels.wallpaper.available.subtracting(monitor.levels.wallpaper.imprecise)
      .intersection(probe.place.rect.intersection(output.bounds))
    let tinted = monitor.levels.wallpaper.provisional
    updateCheck(of: monitor, by: probe)
    if extent == probe.extent, tinted == probe.tinted { return }
    monitor.commits.leftRegion.form(union: extent.subtracting(probe.extent))
    monitor.commits.isStackOutdated = true
    probe.covered = probe.place.rect
    probe.extend(to: extent, tinted: tinted)
  }

  /// Begins or ends the check for wallpaper below the overlays above windows.
  private func updateCheck(of monitor: MonitoredOutput, by probe: ProbeSurface) {
    if probe.canCommit {
      let surfaces = surfaces(on: monitor)
      let area = monitor.levels.wallpaper.available.union(monitor.levels.wallpaper.hidden)
        .intersection(probe.place.rect)
        .intersection(MonitoredOutput.checkableRegion(surfaces))
      monitor.search.check.begin(
        of: area, below: surfaces.filter { $0.level == .windows },
        over: monitor.levels.windows.backdrop, now: now)
    }
    if (probe.pattern == nil) == (monitor.search.check.pattern == nil) { return }
    probe.check(monitor.search.check.pattern)
    monitor.commits.isStackOutdated = true
  }

  /// Destroys the probe of an output, if there is one.
  mutating func removeProbe(of monitor: MonitoredOutput) {
    guard let probe = monitor.search.probe else { return }
    monitor.search.probe = nil
    monitor.search.check.cancel()
    destroy(probe)
  }

  /// Handles an event of a probe. Returns whether it was one.
  mutating func handleProbeEvent(_ event: WaylandEvent) -> Bool {
    for monitor in monitors {
      guard let probe = monitor.search.probe else { continue }
      if event.object == probe.role.object {
        switch LayerSurfaceEvent(rawValue: event.opcode) {
        case .configure: probe.handleConfigure(serial: event.number(0), connection)
        case .closed:
          removeProbe(of: monitor)
          monitor.search.opening.recordClosure(now: now)
        case nil: break
        }
        return true
      }
      if handleSurfaceEvent(event, of: probe) { return true }
    }
    return false
  }
}
