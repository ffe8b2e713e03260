import Raster

/// The regions and the purpose of one capture.
struct CapturePlan {
  let targets: [CaptureTarget]
  /// The captured region of each view.
  let regions: [View: Region]
  let attempt: Int
  /// The time at which it was sent.
  let start: Duration

  /// The number of attempts after which a frame is presented without the unreadable regions.
  static let attemptLimit = 4

  /// A capture of the sources of cells and of the areas of snapshots, all of which must be watched.
  init(
    targets: [CaptureTarget], snapshots: [(view: View, rect: Rect)], watched: [View: Region],
    attempt: Int, start: Duration
  ) {
    self.targets = targets
    self.attempt = attempt
    self.start = start
    var sources: [View: [Rect]] = [:]
    for target in targets { sources[target.view, default: []].append(target.source) }
    for (view, rect) in snapshots { sources[view, default: []].append(rect) }
    regions = sources.reduce(into: [:]) { regions, source in
      regions[source.key] =
        Region(covering: source.value).intersection(watched[source.key] ?? Region())
    }
  }

  var pixelCount: Int { regions.values.reduce(0) { $0 + $1.area } }
}
