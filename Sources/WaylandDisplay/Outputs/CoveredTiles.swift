import Frost
import Raster

/// The tiles of a displayed overlay that something covers.
struct CoveredTiles {
  /// The tiles that are captured and covered.
  let region: Region
  /// Whether all tiles of the overlay are captured and covered, and whether one is captured.
  let isWhole, hasTiles: Bool

  /// `upper` is where overlays above windows are.
  init(
    _ surface: OverlaySurface, below upper: Region, on screen: Span<UInt32>, _ layout: PixelLayout,
    in part: Rect
  ) {
    if let probe = surface as? ProbeSurface {
      self = CoveredTiles(probe: probe, below: upper, on: screen, layout, in: part)
      return
    }
    let marks = surface.faces.marks.filter { part.contains(x: $0.value.x, y: $0.value.y) }
    let hidden = marks.filter { !$0.value.isVisible(on: screen, layout) }
    let tiles = Region(hidden.keys.map { surface.rect(ofTile: $0) })
    self.init(
      region: tiles.intersection(surface.owned),
      isWhole: hidden.count == surface.faces.marks.count, hasTiles: !marks.isEmpty)
  }

  private init(region: Region, isWhole: Bool, hasTiles: Bool) {
    (self.region, self.isWhole, self.hasTiles) = (region, isWhole, hasTiles)
  }

  /// A probe has no marks, because it must not be visible. Pixels that no backdrop can produce through the probe are pixels of a
  /// window that covers it.
  private init(
    probe: ProbeSurface, below upper: Region, on screen: Span<UInt32>, _ layout: PixelLayout,
    in part: Rect
  ) {
    guard let face = probe.displayed else {
      self.init(region: Region(), isWhole: true, hasTiles: false)
      return
    }
    var (hidden, count) = ([Rect](), 0)
    let seen = face.owned.subtracting(upper)
    face.buffer.withSpan { overlay in
      for tile in MarkedTiles.tiles(of: face.rect) {
        var (covered, all) = (0, 0)
        for rect in seen.intersection(tile.intersection(part)).rects {
          let found = countCovered(
            rect, every: 4, onScreen: screen, layout, overlay: overlay, face.layout)
          (covered, all) = (covered + found.covered, all + found.all)
        }
        if all == 0 { continue }
        count += 1
        if 2 * covered > all { hidden.append(tile) }
      }
    }
    self.init(
      region: Region(hidden).intersection(seen),
      isWhole: hidden.count == count && part.contains(seen.bounds), hasTiles: count > 0)
  }
}
