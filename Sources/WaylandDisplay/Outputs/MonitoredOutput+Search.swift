/// The search for wallpaper where it is not known yet whether windows cover it.
extension MonitoredOutput {
  /// The longest wait for the result of a probe.
  private static let probeTime = Duration.milliseconds(500)

  /// Ends the wait for a probe that does not show in time whether provisional pixels are wallpaper. They count as hidden then.
  func updateProbeDeadline(now: Duration) {
    guard !levels.wallpaper.provisional.isEmpty else { return search.probeDeadline = nil }
    if let deadline = search.probeDeadline, deadline > now { return }
    // A capture in progress may show what was committed.
    let isPending = captures.pause == nil && search.probe?.committed != nil
    if search.probeDeadline != nil, !isPending {
      levels.wallpaper.recordHidden(levels.wallpaper.provisional)
      search.probeDeadline = nil
    } else {
      search.probeDeadline = now + Self.probeTime
    }
  }

  /// Whether wallpaper can be searched where windows covered it: the probe must be clear there.
  private var canSearchHidden: Bool {
    let hidden = levels.wallpaper.hidden
    guard !isWallpaperGiven, !hidden.isEmpty, let probe = search.probe, probe.canCommit else {
      return false
    }
    return probe.displayed?.owned.intersects(hidden) != true
  }

  /// The time of the next look at wallpaper that windows covered; nil if none is needed or possible.
  var searchDeadline: Duration? { canSearchHidden ? search.hidden.deadline : nil }

  /// Begins to look for wallpaper where windows covered it, if that is due.
  func searchHidden(now: Duration) {
    guard canSearchHidden, search.hidden.begin(now: now) else { return }
    // Below overlays above windows the check finds the wallpaper.
    search.check.record(levels.wallpaper.hidden)
    levels.wallpaper.recordProvisional(levels.wallpaper.hidden)
    commits.isStackOutdated = true
  }
}
