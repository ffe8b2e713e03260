/// The search for wallpaper of which it is not known yet whether windows cover it.
extension MonitoredOutput {
  /// A probe is awaited so long.
  private static let probeTime = Duration.milliseconds(500)

  /// Ends the wait for a probe that does not tell in time what the pixels below windows are.
  func updateProbeDeadline(now: Duration) {
    guard !levels.wallpaper.provisional.isEmpty else { return probeDeadline = nil }
    if let probeDeadline, probeDeadline > now { return }
    // A capture in progress may show what was committed.
    let isPending = pause == nil && probe?.committed != nil
    if probeDeadline != nil, !isPending {
      levels.wallpaper.noteHidden(levels.wallpaper.provisional)
      probeDeadline = nil
    } else {
      probeDeadline = now + Self.probeTime
    }
  }

  /// Whether wallpaper can be looked for where windows covered it: the probe is clear there.
  private var canSearchHidden: Bool {
    let hidden = levels.wallpaper.hidden
    guard !isWallpaperGiven, !hidden.isEmpty, let probe, probe.canCommit else { return false }
    return probe.displayed?.owned.intersects(hidden) != true
  }

  /// The time of the next look at wallpaper that windows covered; nil if none is needed or possible.
  var searchDeadline: Duration? { canSearchHidden ? hiddenSearch.deadline : nil }

  /// Begins to look for wallpaper where windows covered it, if that is due.
  func searchHidden(now: Duration) {
    guard canSearchHidden, hiddenSearch.begin(now: now) else { return }
    // Below overlays above windows the check tells it.
    check.note(levels.wallpaper.hidden)
    levels.wallpaper.noteProvisional(levels.wallpaper.hidden)
    isStackOutdated = true
  }
}
