import Raster

/// The backdrop of the overlays of one level on an output, and its watched region.
struct WatchedBackdrop {
  var backdrop = OutputBackdrop()
  private(set) var watched = Region()
  /// Parts of overlays that something covered, so that a change below may have been missed.
  var deferred = Region()
  /// Where captured pixels may belong to windows, which is not known yet. Only for the wallpaper.
  private(set) var provisional = Region()
  /// Where windows covered the wallpaper when it was looked at, so that it was never known. Only for the wallpaper.
  private(set) var hidden = Region()
  /// Where pixels were recovered from leaks, which have an error of some levels. The probe is clear there, so that exact pixels
  /// can be captured where no other overlay is. Only for the wallpaper.
  private(set) var imprecise = Region()
  /// Where pixels were known at some time since they are watched.
  private var valued = Region()

  /// The region that is not known.
  var unknown: Region { watched.subtracting(backdrop.known) }

  /// The region that is not known and was not captured, but can be.
  var unseen: Region { unknown.subtracting(provisional).subtracting(hidden) }

  /// The region that was never known.
  var unvalued: Region { watched.subtracting(valued) }

  /// Whether anything is known, or was.
  var hasValues: Bool { !valued.isEmpty }

  /// Where there are pixels.
  var available: Region { valued.union(provisional) }

  mutating func watch(_ region: Region, on bounds: Rect) {
    watched = region.intersection(bounds)
    deferred = deferred.intersection(watched)
    provisional = provisional.intersection(watched)
    hidden = hidden.intersection(watched)
    valued = valued.intersection(watched)
    imprecise = imprecise.intersection(watched)
    backdrop.keep(watched, on: bounds)
  }

  /// The region that a capture must update after changes of the screen.
  func due(after changed: Region) -> Region {
    changed.intersection(watched).union(deferred).union(unknown)
  }

  /// Records that pixels are not those of the screen any more.
  mutating func outdate(_ region: Region) { backdrop.outdate(region) }

  /// Records that pixels are those of the screen.
  mutating func record(_ region: Region) {
    backdrop.record(region)
    provisional.subtract(region)
    hidden.subtract(region)
    valued.form(union: region)
  }

  /// Records that pixels were captured that may be those of windows.
  mutating func recordProvisional(_ region: Region) {
    provisional.form(union: region.subtracting(valued))
  }

  /// Records that pixels are known within some levels, or exactly.
  mutating func recordImprecise(_ region: Region) { imprecise.form(union: region) }
  mutating func recordPrecise(_ region: Region) { imprecise.subtract(region) }

  /// Records that windows cover the wallpaper in a region where it was never known.
  mutating func recordHidden(_ region: Region) {
    hidden.form(union: region.subtracting(valued))
    provisional.subtract(region)
  }

  /// Counts provisional and hidden pixels as wallpaper, although windows may cover it there.
  mutating func acceptAll() { record(provisional.union(hidden)) }

  /// Records that parts inside `part` were covered by something, or not.
  mutating func recordCovers(_ hidden: Region, in part: Rect) {
    deferred = deferred.subtracting(Region(part)).union(hidden.intersection(watched))
  }
}
