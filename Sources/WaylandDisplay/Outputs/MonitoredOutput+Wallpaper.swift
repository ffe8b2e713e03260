import Frost
import Raster

/// How the pixels of a capture update the wallpaper. `screen` is the captured part of the screen as it is seen.
extension MonitoredOutput {
  /// Updates the wallpaper. Where no overlay or probe is below windows yet, a pixel may belong to a window, so it is provisional
  /// until the probe is shown. Where a window covers the wallpaper, the last known pixels stay; pixels that were never known are
  /// hidden until something changes there.
  func updateWallpaper(
    _ area: Region, captured: Region, hidden: Region, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface]
  ) -> Region {
    if levels.wallpaper.watched.isEmpty || isWallpaperGiven { return Region() }
    let coveredByUpper = Self.region(of: surfaces, .windows)
    let owned = Self.region(of: surfaces, .wallpaper)
    let unvalued = levels.wallpaper.unvalued.intersection(area)
    var (changed, shown) = readWallpaper(
      area, unvalued: unvalued, hidden: hidden, screen, layout, below: surfaces)
    // Hidden pixels keep their values.
    levels.wallpaper.record(shown.union(area.subtracting(unvalued)))
    let covered = owned.union(coveredByUpper)
    let untold = unvalued.intersection(covered).subtracting(shown)
    let lost = untold.subtracting(levels.wallpaper.hidden)
      .union(untold.intersection(levels.wallpaper.provisional))
    if !lost.isEmpty {
      // Wallpaper without provisional pixels was not searched yet.
      if !lost.intersects(levels.wallpaper.provisional) { search.hidden.restart() }
      levels.wallpaper.recordHidden(lost)
      search.check.record(lost)
      // The probe becomes clear there.
      commits.isStackOutdated = true
    }
    changed += copyWhereBare(
      area.subtracting(covered), captured: captured.subtracting(covered), screen, layout)
    if !shown.isEmpty {
      commits.isStackOutdated = true
      search.hidden.recordSuccess()
      // Panes may have waited for it.
      changed += shown.rects
    }
    return Region(changed)
  }

  /// Recovers the wallpaper below overlays. Returns rectangles with what changed, and the part of `unvalued`, which has no value
  /// yet, in which the probe is shown.
  private func readWallpaper(
    _ area: Region, unvalued: Region, hidden: Region, _ screen: Span<UInt32>,
    _ layout: PixelLayout, below surfaces: [OverlaySurface]
  ) -> (changed: [Rect], shown: Region) {
    var (changed, shown) = ([Rect](), Region())
    var (told, hasTold) = ([(lower: FaceStack.Part, region: Region)](), false)
    levels.wallpaper.deferred.form(union: area)
    for stack in FaceStack.all(of: surfaces, in: area) {
      levels.wallpaper.deferred.subtract(stack.region.subtracting(hidden))
      guard let lower = stack.lower else { continue }
      if stack.upper.isEmpty {
        let own = stack.region.subtracting(hidden)
        // The probe tints what is provisional.
        for part in own.intersection(unvalued).intersection(levels.wallpaper.provisional).rects {
          shown.form(union: tintedRegion(part, screen, layout))
        }
        let known = own.subtracting(unvalued)
        let recovered = known.rects.flatMap { part in
          recover(part, lower.face, screen, layout, on: .wallpaper)
        }
        changed += recovered
        hasTold = hasTold || !recovered.isEmpty
        told.append((lower, known))
        fillMarks(of: lower.surface, in: own, on: .wallpaper)
        search.check.settle(own)
      } else if lower.surface !== search.probe {
        let own = stack.region.subtracting(stack.opaque).subtracting(unvalued)
        changed += own.rects.flatMap { recoverWallpaper($0, below: stack, screen, layout) }
        for one in [lower] + stack.upper { fillMarks(of: one.surface, in: own, on: .wallpaper) }
      }
    }
    levels.wallpaper.recordImprecise(Region(changed))
    // If the wallpaper has changed, other pixels may have changed too little to be detected through leaks.
    for part in hasTold ? told : [] {
      levels.wallpaper.recordImprecise(
        uncoveredRegion([part.lower], in: part.region, screen, layout))
    }
    return (changed, shown)
  }

  /// The blocks of a region in which nothing covers some overlays.
  func uncoveredRegion(
    _ parts: [FaceStack.Part], in region: Region, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> Region {
    if region.isEmpty { return Region() }
    var search = PatternSearch(in: region.bounds)
    for part in region.rects {
      search.recordCovers(of: FaceStack.pixels(of: parts, in: part), onScreen: screen, layout)
    }
    return search.result.others.intersection(region)
  }

  /// Recovers wallpaper below a lower overlay and translucent parts of others above windows, where no window is between them.
  private func recoverWallpaper(
    _ part: Rect, below stack: FaceStack, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> [Rect] {
    guard let lower = stack.lower else { return [] }
    let upper = FaceStack.pixels(of: stack.upper, in: part)
    let below = FaceStack.pixels(of: [lower], in: part)
    let isBare = upper.showThrough(below, onScreen: screen, layout)
    return levels.wallpaper.backdrop.withPixels { pixels, pixelLayout in
      recoverBackdrop(
        part, fromScreen: screen, layout, below: upper.above(below), where: isBare, into: &pixels,
        pixelLayout)
    }
  }

  private func tintedRegion(
    _ part: Rect, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> Region {
    let backdrop = levels.wallpaper.backdrop
    return Frost.tintedRegion(
      of: part, onScreen: screen, layout, backdrop.pixels.span, backdrop.layout)
  }

  /// Copies pixels of the screen where no overlay or probe is. Returns rectangles with the pixels that changed.
  private func copyWhereBare(
    _ area: Region, captured: Region, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> [Rect] {
    let bare = levels.wallpaper.unvalued.intersection(area)
    let changed = copy(bare, screen, layout, to: .wallpaper)
    let hidden = levels.wallpaper.hidden
    let new = bare.subtracting(hidden)
    levels.wallpaper.recordProvisional(new)
    if !new.isEmpty || changed.contains(where: hidden.intersects) { search.hidden.restart() }
    let near = levels.wallpaper.imprecise.intersection(captured)
    for part in near.rects {
      // Pixels that differ by more than the error of recovered pixels belong to windows.
      let backdrop = levels.wallpaper.backdrop
      let bare = similarRegion(
        of: part, screen, layout, backdrop.pixels.span, backdrop.layout, tolerance: Self.leakError)
      _ = copy(bare, screen, layout, to: .wallpaper)
    }
    levels.wallpaper.recordPrecise(near)
    // The probe is drawn there.
    if !bare.isEmpty || !near.isEmpty { commits.isStackOutdated = true }
    return changed.filter { !hidden.contains($0) } + near.rects
  }

  /// The largest error of a recovered pixel, in levels. A leak of the smallest share causes it.
  private static let leakError = 255 / Int(LeakShare.range.lowerBound) + 1
}
