import Raster

/// A region through which panes are visible, from the highest to the lowest. Glass hides what is below it, so of a
/// stack of panes few are visible at one place.
struct Opening {
  private(set) var region: Region

  /// Closes the region where the glass of the next lower pane is, in its part `uncovered`. Returns what is visible of the
  /// pane.
  mutating func close(by pane: Appearance, _ uncovered: Region) -> Region {
    let visible = region.intersection(uncovered)
    region.subtract(uncovered.subtracting(pane.layout.translucentRegion))
    return visible
  }

  mutating func open(_ other: Region) { region.form(union: other) }
}
