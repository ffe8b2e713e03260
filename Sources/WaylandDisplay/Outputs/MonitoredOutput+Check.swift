import Frost
import Raster

/// The check for wallpaper below overlays above windows, by captures.
extension MonitoredOutput {
  /// Where the probe shows a pattern. There the pixels below overlays above windows cannot be recovered.
  static func checkedRegion(_ surfaces: [OverlaySurface]) -> Region {
    surfaces.flatMap { [$0.displayed, $0.committed] }.reduce(Region()) {
      guard let face = $1, let pattern = face.pattern else { return $0 }
      return $0.union(pattern.region.intersection(face.owned))
    }
  }

  /// Where overlays above windows are on the screen and none below them.
  static func checkableRegion(_ surfaces: [OverlaySurface]) -> Region {
    var region = region(of: surfaces, .windows)
    for surface in surfaces where surface.level == .wallpaper && surface is PaneSurface {
      if let face = surface.displayed { region.subtract(face.owned) }
    }
    return region
  }

  /// Ends a check whose pattern a capture shows. `readable` is where it is known which overlays were captured. Returns where
  /// the wallpaper changed.
  func finishCheck(
    in readable: Region, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface], now: Duration
  ) -> Region {
    let upper = surfaces.filter { $0.level == .windows }
    recordUncovered(in: search.check.covered.intersection(readable), screen, layout, of: upper)
    guard search.check.pattern != nil, let probe = search.probe, probe.committed == nil,
      let shown = probe.displayed,
      let pattern = shown.pattern
    else { return Region() }
    let windows = levels.windows.backdrop
    let area = pattern.region.intersection(shown.owned).intersection(readable)
      .intersection(windows.layout.bounds)
    var search = PatternSearch(in: area.bounds)
    for stack in FaceStack.all(of: upper, in: area) where !stack.upper.isEmpty {
      for part in stack.region.rects {
        search.compare(
          FaceStack.pixels(of: stack.upper, in: part), onScreen: screen, layout,
          over: pattern.pixels.span, pattern.layout, after: windows.pixels.span, windows.layout)
      }
    }
    // The blocks of the search extend beyond the area.
    let (found, others) = (
      search.result.found.intersection(area), search.result.others.intersection(area)
    )
    let missed = pattern.region.subtracting(Region(captures.area.part))
    self.search.check.end(wallpaper: found, others: others, missed: missed, now: now)
    let bare = found.intersection(levels.wallpaper.watched)
    let changed = bare.rects.map {
      levels.wallpaper.backdrop.copy($0, of: windows.pixels.span, windows.layout)
    }
    // Panes may have waited for it.
    let revealed = bare.intersection(levels.wallpaper.hidden)
    if !revealed.isEmpty { self.search.hidden.recordSuccess() }
    levels.wallpaper.record(bare)
    levels.wallpaper.recordImprecise(bare)
    return Region(changed).union(revealed)
  }

  /// Records where overlays are visible that were covered at the last check.
  private func recordUncovered(
    in region: Region, _ screen: Span<UInt32>, _ layout: PixelLayout, of upper: [OverlaySurface]
  ) {
    for stack in FaceStack.all(of: upper, in: region) where !stack.upper.isEmpty {
      search.check.recordUncovered(uncoveredRegion(stack.upper, in: stack.region, screen, layout))
    }
  }
}
