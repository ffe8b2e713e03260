import Frost
import Raster

/// How the pixels of a capture update what is below overlays. `screen` is the captured part of the screen as it is
/// seen, as far as anything is watched there.
extension MonitoredOutput {
  /// Updates the parts `areas` of the backdrops. Returns where they changed.
  func absorb(
    _ areas: ByLevel<Region>, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface], now: Duration
  ) -> ByLevel<Region> {
    if way == .still {
      return ByLevel.each { absorbStill($0, areas[$0], screen, layout, below: surfaces) }
    }
    let (appeared, uncertain) = attribute(surfaces, screen, layout)
    let covers = surfaces.map { CoveredTiles($0, on: screen, layout, in: layout.bounds) }
    if !covers.isEmpty, covers.allSatisfy(\.isWhole), covers.contains(where: \.hasTiles) {
      // A lock screen, or a fullscreen window: the pixels are not those of a backdrop.
      if wasRevived { trustsRevivals = false }
      pause = .covered(until: trustsRevivals ? nil : now + CapturePause.shortTime)
      return ByLevel(repeating: Region())
    }
    (trustsRevivals, wasRevived) = (true, false)
    let hidden = ByLevel.each { level in
      zip(surfaces, covers).reduce(Region()) {
        $1.0.level == level ? $0.union($1.1.region) : $0
      }
    }
    for level in BackdropLevel.allCases {
      levels[level].noteCovers(hidden[level], in: layout.bounds)
      levels[level].outdate(uncertain)
    }
    let readable = ByLevel.each { areas[$0].intersection(layout.bounds).subtracting(uncertain) }
    if test != nil {
      let test = compare(appeared, hidden, in: readable, screen, layout)
      self.test = test
      // The pixels cannot be recovered.
      if test.verdict == .different { return ByLevel(repeating: Region()) }
    }
    // The pixels above windows may be those of the wallpaper.
    var changed = ByLevel(repeating: Region())
    changed.wallpaper = absorbWallpaper(
      readable.wallpaper, captured: Region(layout.bounds).subtracting(uncertain),
      hidden: hidden.wallpaper, screen, layout, below: surfaces)
    if !changed.wallpaper.isEmpty { wallpaperChange = now }
    let bare = regionWithoutWindows(below: surfaces, now: now)
    changed.windows = absorbWindows(
      readable.windows, hidden: hidden.windows, screen, layout, below: surfaces)
    let followed = bare.intersection(changed.windows)
    for part in followed.rects { copyToWallpaper(part) }
    changed.wallpaper.form(union: followed)
    return changed
  }

  /// Finds out which faces the screen shows. Returns the overlays whose last commit is seen for the first time, and where it
  /// is not known which face is shown.
  private func attribute(
    _ surfaces: [OverlaySurface], _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> (appeared: [OverlaySurface], uncertain: Region) {
    var uncertain = Region(departed.map(\.rect))
    var appeared: [OverlaySurface] = []
    for surface in surfaces {
      if surface.attribute(screen, layout, in: layout.bounds, ofCapture: captureNumber) {
        appeared.append(surface)
      } else if let face = surface.committed, face.marks.isEmpty {
        // It has no marks.
        uncertain.form(union: face.rect)
        if let rect = surface.displayed?.rect { uncertain.form(union: rect) }
      }
    }
    if surfaces.allSatisfy({ $0.committed == nil }) { confirmCommits() }
    // Of a covered overlay no change may follow, and until its commit is confirmed no other one can be made.
    if surfaces.contains(where: \.isCommitHidden) { needsFrame = true }
    return (appeared, uncertain)
  }

  /// Compares the screen with what it should be where overlays were committed over the backdrop.
  private func compare(
    _ surfaces: [OverlaySurface], _ hidden: ByLevel<Region>, in region: ByLevel<Region>,
    _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> LeakTest {
    var test = LeakTest()
    for surface in surfaces where !surface.isProbe {
      guard let face = surface.displayed else { continue }
      let area = region[surface.level].subtracting(hidden[surface.level])
      let backdrop = levels[surface.level].backdrop
      for part in area.intersection(face.owned).rects where test.count < Self.testedCount {
        let part = Rect(part.columns, part.y..<min(part.maxY, part.y + Self.testedRows))
        face.buffer.withSpan { overlay in
          test.compare(
            part, ofScreen: screen, layout, overlay: overlay, face.layout,
            over: backdrop.pixels.span, backdrop.layout)
        }
      }
    }
    return test
  }

  /// Some pixels are enough.
  private static let testedCount = 1 << 15
  private static let testedRows = 64

  /// Copies pixels of the screen where no overlay is.
  private func absorbStill(
    _ level: BackdropLevel, _ area: Region, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface]
  ) -> Region {
    let faces = surfaces.flatMap { [$0.displayed, $0.committed].compactMap(\.self) }
    let departed = Region(departed.map(\.rect))
    let covered = faces.reduce(departed) { $0.union($1.owned) }
    let part = area.intersection(layout.bounds)
    let changed = copy(part.subtracting(covered), screen, layout, to: level)
    // What an overlay hides stays as it was.
    levels[level].note(part.subtracting(departed))
    return Region(changed)
  }

  // MARK: Windows

  /// Updates what is below the overlays above windows.
  private func absorbWindows(
    _ area: Region, hidden: Region, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface]
  ) -> Region {
    let (upper, lower) = (Self.faces(of: surfaces, .windows), Self.faces(of: surfaces, .wallpaper))
    let coveredByUpper = upper.reduce(Region()) { $0.union($1.face.owned) }
    let coveredByLower = lower.reduce(Region()) { $0.union($1.face.owned) }
      .intersection(levels.wallpaper.available)
    var changed: [Rect] = []
    for (surface, face) in upper {
      var own = area.intersection(face.owned).subtracting(hidden)
      // Through two overlays the backdrop cannot be recovered.
      for other in upper + lower where other.surface !== surface { own.subtract(other.face.owned) }
      for part in own.rects { changed += recover(part, face, screen, layout, on: .windows) }
      fillMarks(of: surface, in: own, on: .windows)
    }
    for (surface, face) in lower {
      let own = area.intersection(face.owned).subtracting(coveredByUpper)
        .intersection(levels.wallpaper.available)
      for part in own.rects {
        let rect = copyWithoutOverlay(part, face, screen, layout)
        if !rect.isEmpty { changed.append(rect) }
      }
      fillMarks(of: surface, in: own, on: .windows)
    }
    let around = area.subtracting(coveredByUpper).subtracting(coveredByLower)
    let changedAround = copy(around, screen, layout, to: .windows)
    areSurroundingsStill = !around.isEmpty && changedAround.isEmpty
    levels.windows.note(area)
    return Region(changed + changedAround)
  }

  /// Copies the pixels of windows above a lower overlay, and those below it where there is none.
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

  // MARK: Wallpaper

  /// Updates what is below windows. Where nothing of ours is below them yet, it cannot be told whether a pixel is one of a
  /// window: it is provisional until the probe is shown. What a window covers stays as it was; if it was never known, it is
  /// guessed.
  private func absorbWallpaper(
    _ area: Region, captured: Region, hidden: Region, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface]
  ) -> Region {
    if levels.wallpaper.watched.isEmpty { return Region() }
    let (upper, lower) = (Self.faces(of: surfaces, .windows), Self.faces(of: surfaces, .wallpaper))
    let coveredByUpper = upper.reduce(Region()) { $0.union($1.face.owned) }
    let unvalued = levels.wallpaper.unvalued.intersection(area)
    let owned = lower.reduce(Region()) { $0.union($1.face.owned) }
    var (changed, shown) = ([Rect](), Region())
    for (surface, face) in lower {
      var own = area.intersection(face.owned).subtracting(hidden).subtracting(coveredByUpper)
      for other in lower where other.surface !== surface { own.subtract(other.face.owned) }
      // The probe tints what is provisional.
      for part in own.intersection(unvalued).rects {
        shown.form(union: tintedRegion(part, screen, layout))
      }
      let recovered = own.subtracting(unvalued).rects.flatMap { part in
        recover(part, face, screen, layout, on: .wallpaper)
      }
      fillMarks(of: surface, in: own, on: .wallpaper)
      levels.wallpaper.noteImprecise(Region(recovered))
      changed += recovered
    }
    // What is hidden stays as it was.
    levels.wallpaper.note(shown.union(area.subtracting(unvalued)))
    let guessed = unvalued.intersection(owned.union(coveredByUpper)).subtracting(shown)
    if !guessed.isEmpty {
      levels.wallpaper.backdrop.guess(guessed)
      levels.wallpaper.note(guessed)
      changed += guessed.rects
    }
    let covered = owned.union(coveredByUpper)
    changed += copyWhereBare(
      area.subtracting(covered), captured: captured.subtracting(covered), screen, layout)
    if !shown.isEmpty { isStackOutdated = true }
    return Region(changed)
  }

  /// Where the overlays above windows cover wallpaper and no window, as far as their backdrops told until now; empty if no
  /// wallpaper that can be seen has changed of late. Nothing else tells that it changes below them.
  private func regionWithoutWindows(below surfaces: [OverlaySurface], now: Duration) -> Region {
    guard let wallpaperChange, now - wallpaperChange < .milliseconds(300) else { return Region() }
    let covered = Self.faces(of: surfaces, .windows).reduce(Region()) { $0.union($1.face.owned) }
    let area = covered.intersection(levels.wallpaper.available)
      .intersection(levels.windows.backdrop.known)
    let (windows, wallpaper) = (levels.windows.backdrop, levels.wallpaper.backdrop)
    return area.rects.reduce(Region()) {
      $0.union(
        similarRegion(
          of: $1, windows.pixels.span, windows.layout, wallpaper.pixels.span, wallpaper.layout,
          tolerance: Self.leakError))
    }
  }

  private func copyToWallpaper(_ part: Rect) {
    let windows = levels.windows.backdrop
    _ = levels.wallpaper.backdrop.copy(part, of: windows.pixels.span, windows.layout)
  }

  private func tintedRegion(
    _ part: Rect, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> Region {
    let backdrop = levels.wallpaper.backdrop
    return Frost.tintedRegion(
      of: part, onScreen: screen, layout, backdrop.pixels.span, backdrop.layout)
  }

  /// Copies pixels of the screen where nothing of ours is below windows. Returns rectangles with those that changed.
  private func copyWhereBare(
    _ area: Region, captured: Region, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> [Rect] {
    let bare = levels.wallpaper.unvalued.intersection(area)
    let changed = copy(bare, screen, layout, to: .wallpaper)
    levels.wallpaper.noteProvisional(bare)
    let near = levels.wallpaper.imprecise.intersection(captured)
    for part in near.rects {
      // Others are windows.
      let backdrop = levels.wallpaper.backdrop
      let bare = similarRegion(
        of: part, screen, layout, backdrop.pixels.span, backdrop.layout, tolerance: Self.leakError)
      _ = copy(bare, screen, layout, to: .wallpaper)
    }
    levels.wallpaper.notePrecise(near)
    // The probe is drawn there.
    if !bare.isEmpty || !near.isEmpty { isStackOutdated = true }
    return changed + near.rects
  }

  /// By how many levels a recovered pixel may be wrong: all with one leak of the smallest share.
  private static let leakError = 255 / Int(LeakShare.range.lowerBound) + 1

  // MARK: Pixels

  /// The displayed faces of the overlays of a level.
  private static func faces(
    of surfaces: [OverlaySurface], _ level: BackdropLevel
  ) -> [(surface: OverlaySurface, face: Face)] {
    surfaces.filter { $0.level == level }
      .compactMap { surface in surface.displayed.map { (surface, $0) } }
  }

  /// Copies pixels of the screen. Returns rectangles with those that changed.
  private func copy(
    _ region: Region, _ screen: Span<UInt32>, _ layout: PixelLayout, to level: BackdropLevel
  ) -> [Rect] {
    region.rects.map { levels[level].backdrop.copy($0, of: screen, layout) }
      .filter { !$0.isEmpty }
  }

  private func recover(
    _ part: Rect, _ face: Face, _ screen: Span<UInt32>, _ screenLayout: PixelLayout,
    on level: BackdropLevel
  ) -> [Rect] {
    levels[level].backdrop.withPixels { pixels, layout in
      face.buffer.withSpan { overlay in
        recoverBackdrop(
          part, fromScreen: screen, screenLayout, below: overlay, face.layout, into: &pixels,
          layout
        ).changed
      }
    }
  }

  /// Below marks the backdrop cannot be seen.
  private func fillMarks(of surface: OverlaySurface, in region: Region, on level: BackdropLevel) {
    for mark in surface.marks.values {
      guard region.contains(Rect(x: mark.x, y: mark.y, width: 1, height: 1)) else { continue }
      let right = Rect(x: mark.x + 1, y: mark.y, width: 1, height: 1)
      levels[level].backdrop.fill(
        x: mark.x, y: mark.y, from: region.contains(right) ? mark.x + 1 : mark.x - 1)
      if level == .wallpaper {
        let around = Rect(x: mark.x, y: mark.y, width: 1, height: 1).grown(by: 1)
        levels.wallpaper.noteImprecise(region.intersection(around))
      }
    }
  }
}

/// The tiles of a displayed overlay that something covers.
private struct CoveredTiles {
  /// The tiles that are captured and covered.
  let region: Region
  /// Whether all tiles are covered, and whether there is one.
  let isWhole, hasTiles: Bool

  init(
    _ surface: OverlaySurface, on screen: Span<UInt32>, _ layout: PixelLayout, in part: Rect
  ) {
    if surface.isProbe {
      self = CoveredTiles(probe: surface, on: screen, layout, in: part)
      return
    }
    let marks = surface.marks.filter { part.contains(x: $0.value.x, y: $0.value.y) }
    let hidden = marks.filter { !$0.value.isVisible(on: screen, layout) }
    let tiles = Region(hidden.keys.map { surface.rect(ofTile: $0) })
    self.init(
      region: tiles.intersection(surface.owned), isWhole: hidden.count == marks.count,
      hasTiles: !marks.isEmpty)
  }

  private init(region: Region, isWhole: Bool, hasTiles: Bool) {
    (self.region, self.isWhole, self.hasTiles) = (region, isWhole, hasTiles)
  }

  /// A probe has no marks, because it must not be seen. Its pixels tell: those of a window are not what can leak through it.
  private init(
    probe: OverlaySurface, on screen: Span<UInt32>, _ layout: PixelLayout, in part: Rect
  ) {
    guard let face = probe.displayed else {
      self.init(region: Region(), isWhole: true, hasTiles: false)
      return
    }
    var (hidden, count) = ([Rect](), 0)
    face.buffer.withSpan { overlay in
      for tile in MarkedTiles.tiles(of: face.rect) {
        var (covered, all) = (0, 0)
        for rect in face.owned.intersection(tile.intersection(part)).rects {
          let found = countCovered(
            rect, every: 4, onScreen: screen, layout, overlay: overlay, face.layout)
          (covered, all) = (covered + found.covered, all + found.all)
        }
        if all == 0 { continue }
        count += 1
        if 2 * covered > all { hidden.append(tile) }
      }
    }
    self.init(
      region: Region(hidden).intersection(face.owned), isWhole: hidden.count == count,
      hasTiles: count > 0)
  }
}
