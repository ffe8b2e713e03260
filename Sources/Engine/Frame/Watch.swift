import Raster

/// The pixels whose changes are known, because panes depend on them.
struct Watch {
  /// The region of each backdrop.
  private(set) var regions: [Backdrop: Region] = [:]
  /// Whether panes depend on other pixels than at the last update.
  private var isOutdated = false

  /// Must be called when a pane depends on other pixels, or when its overlay is elsewhere.
  mutating func invalidate() { isOutdated = true }

  /// Sets the regions to those that `wanted` returns. Returns the region of each backdrop that is no longer watched; nil if the
  /// regions are the same.
  mutating func update(
    to wanted: (_ former: [Backdrop: Region]) -> [Backdrop: Region]
  ) -> [Backdrop: Region]? {
    if !isOutdated { return nil }
    isOutdated = false
    let former = regions
    regions = wanted(former)
    if regions == former { return nil }
    return former.reduce(into: [:]) { lost, old in
      lost[old.key] = old.value.subtracting(regions[old.key] ?? Region())
    }
  }

  /// The region of each view whose changes the display reports. The engine itself knows those of composed backdrops.
  var views: [View: Region] {
    regions.reduce(into: [:]) { views, one in
      if case .captured(let view) = one.key { views[view] = one.value }
    }
  }
}
