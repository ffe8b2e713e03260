import Raster
import WaylandClient

/// A surface below windows that shows the pixels below it, so that it is not visible.
final class ProbeSurface: OverlaySurface {
  /// Where it shows other colours than those below it.
  private(set) var tinted = Region()
  /// The pattern that it shows below the opaque parts of overlays above windows; nil if none.
  private(set) var pattern: CheckPattern?

  override var nextFace: (owned: Region, opaque: Region, pattern: CheckPattern?) {
    (owned, Region(), pattern)
  }

  override func move(to new: SurfacePlace, _ connection: borrowing WaylandConnection) {
    if new == place { return }
    super.move(to: new, connection)
    (tinted, pattern) = (Region(), nil)
  }

  /// Shows a region, a part of it with other colours.
  func extend(to region: Region, tinted: Region) {
    pending.form(union: tinted.subtracting(self.tinted).union(self.tinted.subtracting(tinted)))
    self.tinted = tinted
    // An empty probe that is on the screen must become clear. One that is not has nothing to commit.
    let isUnused = region.isEmpty && pattern == nil && displayed == nil && committed == nil
    (shown, extent, opaque) = (isUnused ? .zero : place.rect, region, region)
  }

  /// Shows a pattern below the overlays above windows, or none.
  func check(_ pattern: CheckPattern?) {
    pending.form(union: self.pattern?.region ?? Region())
    pending.form(union: pattern?.region ?? Region())
    self.pattern = pattern
    if pattern != nil { shown = place.rect }
  }
}
