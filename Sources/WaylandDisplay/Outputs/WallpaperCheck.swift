import Frost
import Raster

/// The check for wallpaper below overlays above windows.
///
/// The pixels below such an overlay can be recovered, but they may be wallpaper or a window. So where they have changed, the
/// probe shows other colours for a moment. Where exactly these colours leak through the overlay, no window is between probe and
/// overlay, so the pixels that were there before are wallpaper.
struct WallpaperCheck {
  /// Where the wallpaper may be another one than the known one.
  private(set) var doubtful = Region()
  /// The part of `doubtful` in which overlays were covered at the last check.
  private(set) var covered = Region()
  /// The part of `doubtful` in which the last check did not find the pattern. A second check must confirm it, because one capture
  /// may be wrong.
  private var rejected = Region()
  /// The pattern that the probe shows for a check; nil without a check.
  private(set) var pattern: CheckPattern?
  /// The earliest time of the next check.
  private var start = Duration.zero
  /// The pauses after checks that found windows only.
  private var retry = RetryPause()

  /// The shortest time between two checks of moving wallpaper.
  private static let interval = Duration.milliseconds(200)

  /// The time of the next check; nil if none is needed.
  var deadline: Duration? { pattern == nil && !due.isEmpty ? start : nil }

  /// The region about which a check may tell more.
  private var due: Region { doubtful.subtracting(covered) }

  /// Forgets what is not in a region any more.
  mutating func keep(_ region: Region) {
    doubtful = doubtful.intersection(region)
    covered = covered.intersection(region)
    rejected = rejected.intersection(region)
  }

  /// Records that what is below overlays has changed, and that this may be wallpaper.
  mutating func record(_ region: Region) {
    doubtful.form(union: region)
    covered.subtract(region)
    rejected.subtract(region)
  }

  /// Records that an overlay below windows has told what the wallpaper is.
  mutating func settle(_ region: Region) { keep(doubtful.subtracting(region)) }

  /// Records that overlays can be seen again in a region where they were covered at the last check.
  mutating func recordUncovered(_ region: Region) {
    covered.subtract(region)
  }

  /// Begins a check, if one is due, of the doubtful part of `region`, which some overlays cover.
  mutating func begin(
    of region: Region, below overlays: [OverlaySurface], over backdrop: borrowing OutputBackdrop,
    now: Duration
  ) {
    guard let deadline, deadline <= now else { return }
    let part = due.intersection(region).intersection(backdrop.known)
    if !part.isEmpty { pattern = CheckPattern(part, below: overlays, over: backdrop) }
  }

  /// Ends the check. `wallpaper` is the region in which wallpaper was found, `others` the region in which windows were found, and
  /// `missed` the region that was not captured. In the rest of the checked region, overlays were covered.
  mutating func end(wallpaper: Region, others: Region, missed: Region, now: Duration) {
    let sure = others.intersection(rejected)
    doubtful.subtract(wallpaper)
    doubtful.subtract(sure)
    rejected = rejected.union(others).intersection(doubtful)
    let checked = pattern?.region ?? Region()
    covered.form(union: checked.intersection(doubtful).subtracting(missed).subtracting(others))
    pattern = nil
    if !wallpaper.isEmpty { retry = RetryPause() }
    start = now + (wallpaper.isEmpty && !others.isEmpty ? retry.next() : Self.interval)
  }

  /// Ends the check without a result.
  mutating func cancel() { pattern = nil }
}

/// Opaque pixels (BGRX) that a probe shows for a check. They differ so much from the backdrop that the difference on the screen
/// is one or two levels after the leak through the overlays above.
struct CheckPattern {
  let region: Region
  let layout: PixelLayout
  private(set) var pixels: [UInt32]

  init(
    _ region: Region, below overlays: [OverlaySurface], over backdrop: borrowing OutputBackdrop
  ) {
    self.region = region.intersection(backdrop.layout.bounds)
    layout = PixelLayout(self.region.bounds)
    pixels = Array(repeating: UInt32(0), count: layout.pixelCount)
    for stack in FaceStack.all(of: overlays, in: self.region) {
      for part in stack.region.rects {
        FaceStack.pixels(of: stack.upper, in: part).drawPattern(
          over: backdrop.pixels.span, backdrop.layout, to: &pixels, layout)
      }
    }
  }
}
