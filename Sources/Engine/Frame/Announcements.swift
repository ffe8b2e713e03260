import Raster

/// Changes that were announced and may be drawn only later: some programs announce a wallpaper before they draw it.
struct Announcements {
  /// Where changes were announced since the last check.
  private(set) var region = Region()
  /// The time at which the region must be captured again; nil if nothing was announced.
  private(set) var checkTime: Duration?

  /// The time that a program has to draw an announced change.
  private static let delay = Duration.milliseconds(100)

  mutating func add(_ region: Region, now: Duration) {
    self.region.form(union: region)
    checkTime = now + Self.delay
  }

  /// Returns the region to capture again now, and forgets it; nil if its time has not come.
  mutating func takeDue(now: Duration) -> Region? {
    guard let checkTime, checkTime <= now else { return nil }
    defer { self = Announcements() }
    return region
  }
}
