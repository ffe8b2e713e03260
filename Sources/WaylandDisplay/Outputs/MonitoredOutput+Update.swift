import Frost
import Raster

/// How the pixels of a capture update what is below overlays. `screen` is the captured part of the screen as it is
/// seen, as far as anything is watched there.
extension MonitoredOutput {
  /// Updates the parts `areas` of the backdrops. Returns where they changed.
  func updateBackdrops(
    _ areas: ByLevel<Region>, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface], now: Duration
  ) -> ByLevel<Region> {
    let sample = Region(blending.surfaces?.place.rect ?? .zero)
    if way == .still {
      return ByLevel.each {
        updateStill($0, areas[$0].subtracting(sample), screen, layout, below: surfaces)
      }
    }
    let uncertain = attribute(surfaces, screen, layout)
    let upper = Self.region(of: surfaces, .windows)
    let covers = surfaces.map {
      CoveredTiles($0, below: upper, on: screen, layout, in: layout.bounds)
    }
    let areCovered = covers.allSatisfy(\.isWhole) && covers.contains(where: \.hasTiles)
    if areCovered, !hasUnvalued, sample.isEmpty {
      // A lock screen, or a fullscreen window: the pixels are not those of a backdrop.
      captures.pauseCovered(now: now)
      return ByLevel(repeating: Region())
    }
    captures.trustRevivals()
    let hidden = ByLevel.each { level in
      zip(surfaces, covers).reduce(sample) {
        $1.0.level == level ? $0.union($1.1.region) : $0
      }
    }
    for level in BackdropLevel.allCases {
      levels[level].recordCovers(hidden[level], in: layout.bounds)
      levels[level].outdate(uncertain)
    }
    supplyWallpaper()
    let captured = Region(layout.bounds).subtracting(uncertain).subtracting(sample)
    let readable = ByLevel.each { areas[$0].intersection(captured) }
    // The pixels above windows may be those of the wallpaper.
    var changed = ByLevel(repeating: Region())
    changed.wallpaper = updateWallpaper(
      readable.wallpaper, captured: captured, hidden: hidden.wallpaper, screen, layout,
      below: surfaces)
    let checked = Self.checkedRegion(surfaces)
    changed.wallpaper.form(
      union: finishCheck(
        in: captured.subtracting(hidden.windows), screen, layout, below: surfaces, now: now))
    changed.windows = updateWindows(
      readable.windows.subtracting(checked), hidden: hidden.windows, screen, layout,
      below: surfaces)
    // The overlays below windows tell whether the wallpaper changed. Elsewhere a check must find out.
    let untold = changed.windows.subtracting(Self.region(of: surfaces, .wallpaper))
    if !isWallpaperGiven { search.check.record(untold.intersection(levels.wallpaper.watched)) }
    return changed
  }

  /// Finds out which faces the screen shows. Returns where this is not known.
  private func attribute(
    _ surfaces: [OverlaySurface], _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> Region {
    var uncertain = commits.departedRegion
    for surface in surfaces {
      let isNew = surface.attribute(screen, layout, in: layout.bounds, ofCapture: captures.number)
      if !isNew, let face = surface.committed, face.marks.isEmpty {
        // Without marks the capture does not tell which face it contains.
        uncertain.form(union: face.rect)
        if let rect = surface.displayed?.rect { uncertain.form(union: rect) }
      }
    }
    if surfaces.allSatisfy({ $0.committed == nil }) { commits.confirm() }
    // A covered overlay may cause no further change, and it can make no other commit until this one is confirmed.
    if surfaces.contains(where: \.faces.isCommitHidden) { captures.needsFrame = true }
    return uncertain
  }

  /// Updates the backdrop of still glass: copies pixels of the screen where there is no overlay.
  private func updateStill(
    _ level: BackdropLevel, _ area: Region, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface]
  ) -> Region {
    let faces = surfaces.flatMap { [$0.displayed, $0.committed].compactMap(\.self) }
    let departed = commits.departedRegion
    let covered = faces.reduce(departed) { $0.union($1.owned) }
    let part = area.intersection(layout.bounds)
    let changed = copy(part.subtracting(covered), screen, layout, to: level)
    // Pixels that an overlay hides keep their values.
    levels[level].record(part.subtracting(departed))
    return Region(changed)
  }

  // MARK: Windows

  /// Updates what is below the overlays above windows.
  private func updateWindows(
    _ area: Region, hidden: Region, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface]
  ) -> Region {
    var changed: [Rect] = []
    var around = Region()
    var skipped = area
    for stack in FaceStack.all(of: surfaces, in: area) {
      skipped.subtract(stack.region)
      let seen = stack.region.subtracting(hidden)
      switch (stack.lower, stack.upper.count) {
      case (let lower?, 0):
        let own = stack.region.intersection(levels.wallpaper.available)
        around.form(union: stack.region.subtracting(own))
        for part in own.rects {
          let rect = copyWithoutOverlay(part, lower.face, screen, layout)
          if !rect.isEmpty { changed.append(rect) }
        }
        fillMarks(of: lower.surface, in: own, on: .windows)
      case (nil, 0): around.form(union: stack.region)
      case (nil, 1):
        for part in seen.rects {
          changed += recover(part, stack.upper[0].face, screen, layout, on: .windows)
        }
        fillMarks(of: stack.upper[0].surface, in: seen, on: .windows)
      // The lower overlay is about to become clear: the probe below any other overlay, a pane below the opaque parts of others.
      case (let lower?, _) where lower.surface === search.probe: skipped.form(union: stack.region)
      default:
        if stack.lower != nil { skipped.form(union: stack.opaque) }
        let parts = stack.lower == nil ? seen : seen.subtracting(stack.opaque)
        for part in parts.rects {
          changed += recover(part, below: stack, screen, layout)
        }
        for one in stack.upper { fillMarks(of: one.surface, in: parts, on: .windows) }
      }
    }
    let changedAround = copy(around, screen, layout, to: .windows)
    levels.windows.record(area)
    levels.windows.deferred.form(union: skipped)
    return Region(changed + changedAround)
  }

  /// Recovers what is below several overlays: windows, and below them the wallpaper that updateWallpaper has recovered.
  private func recover(
    _ part: Rect, below stack: FaceStack, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> [Rect] {
    let upper = FaceStack.pixels(of: stack.upper, in: part)
    let lower = stack.lower.map { FaceStack.pixels(of: [$0], in: part) }
    let isBare = lower.map { upper.showThrough($0, onScreen: screen, layout) }
    let wallpaper = levels.wallpaper.backdrop
    return levels.windows.backdrop.withPixels { pixels, pixelLayout in
      var changed = recoverBackdrop(
        part, fromScreen: screen, layout, below: upper, where: isBare.map { $0.map(!) },
        into: &pixels, pixelLayout)
      if let isBare, wallpaper.layout.bounds.contains(part) {
        let rect = copyPixels(
          of: part, from: wallpaper.pixels.span, wallpaper.layout, where: isBare, to: &pixels,
          pixelLayout)
        if !rect.isEmpty { changed.append(rect) }
      }
      return changed
    }
  }

  /// Copies the pixels of windows above a lower overlay. Where no window covers the overlay, copies the wallpaper below it.
  private func copyWithoutOverlay(
    _ part: Rect, _ face: Face, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> Rect {
    let below = levels.wallpaper.backdrop
    return levels.windows.backdrop.withPixels { pixels, pixelLayout in
      face.buffer.withSpan { overlay in
        Frost.copyWithoutOverlay(
          part, ofScreen: screen, layout, overlay: overlay, face.layout,
          below: below.pixels.span, below.layout, into: &pixels, pixelLayout)
      }
    }
  }

  // MARK: Pixels

  /// Where overlays of a level are on the screen.
  static func region(of surfaces: [OverlaySurface], _ level: BackdropLevel) -> Region {
    surfaces.filter { $0.level == level }.compactMap(\.displayed)
      .reduce(Region()) { $0.union($1.owned) }
  }

  /// Copies pixels of the screen. Returns rectangles with those that changed.
  func copy(
    _ region: Region, _ screen: Span<UInt32>, _ layout: PixelLayout, to level: BackdropLevel
  ) -> [Rect] {
    region.rects.map { levels[level].backdrop.copy($0, of: screen, layout) }
      .filter { !$0.isEmpty }
  }

  func recover(
    _ part: Rect, _ face: Face, _ screen: Span<UInt32>, _ screenLayout: PixelLayout,
    on level: BackdropLevel
  ) -> [Rect] {
    levels[level].backdrop.withPixels { pixels, layout in
      face.buffer.withSpan { overlay in
        recoverBackdrop(
          part, fromScreen: screen, screenLayout, below: overlay, face.layout, into: &pixels,
          layout, threads: threads.count(for: part.area))
      }
    }
  }

  /// Fills the backdrop below marks from the pixel beside each mark, because marks are opaque.
  func fillMarks(of surface: OverlaySurface, in region: Region, on level: BackdropLevel) {
    for mark in surface.faces.marks.values {
      guard region.contains(Rect(x: mark.x, y: mark.y, width: 1, height: 1)) else { continue }
      let right = Rect(x: mark.x + 1, y: mark.y, width: 1, height: 1)
      levels[level].backdrop.fill(
        x: mark.x, y: mark.y, from: region.contains(right) ? mark.x + 1 : mark.x - 1)
      if level == .wallpaper {
        let around = Rect(x: mark.x, y: mark.y, width: 1, height: 1).grown(by: 1)
        levels.wallpaper.recordImprecise(region.intersection(around))
      }
    }
  }
}
