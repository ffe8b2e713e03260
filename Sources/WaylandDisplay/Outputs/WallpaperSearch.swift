/// The search for wallpaper behind windows of an output, by a probe below them and by checks below overlays above them.
struct WallpaperSearch {
  /// A surface that looks like the wallpaper and leaks some of it, so that captures show where windows cover the wallpaper.
  var probe: ProbeSurface?
  /// When a probe may be made.
  var opening = SurfaceOpening()
  /// The time at which the wait for a result of the probe ends; nil if no result is awaited.
  var probeDeadline: Duration?
  /// The check for wallpaper below overlays above windows.
  var check = WallpaperCheck()
  /// The search for wallpaper that windows covered.
  var hidden = HiddenSearch()

  /// Begins again, because the output has changed. The probe stays.
  mutating func restart() {
    opening.allow()
    check = WallpaperCheck()
    hidden = HiddenSearch()
  }
}
