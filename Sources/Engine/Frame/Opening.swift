import Raster

/// A region through which panes are visible, from the highest to the lowest. Glass hides what is below it, so of a
/// stack of panes few are visible at one place.
struct Opening {
  private(set) var region: Region

  /// Removes the glass of the next lower pane from the region. Only the part `uncovered` of the pane counts. Returns the part of
  /// the pane that is visible.
  mutating func close(by pane: Appearance, _ uncovered: Region) -> Region {
    let visible = region.intersection(uncovered)
    region.subtract(uncovered.subtracting(pane.layout.translucentRegion))
    return visible
  }

  mutating func open(_ other: Region) { region.form(union: other) }
}
