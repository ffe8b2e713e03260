/// The search for wallpaper behind windows of an output, by a probe below them and by checks below overlays above them.
struct WallpaperSearch {
  /// Shows the wallpaper below windows as it is, and lets enough of it through to tell where windows cover it.
  var probe: ProbeSurface?
  /// When a probe may be made.
  var opening = SurfaceOpening()
  /// When what the probe should tell is not awaited any longer; nil if nothing is.
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
