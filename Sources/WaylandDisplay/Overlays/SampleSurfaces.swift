import Frost
import Raster
import WaylandClient

/// The two surfaces that show a `BlendingSample`, one above the other.
final class SampleSurfaces {
  let lower, upper: OverlaySurface
  /// The committed sample; nil before.
  private(set) var sample: BlendingSample?

  /// The events `configure` follow. `isReversed` is whether the compositor shows the first of two new surfaces above the other.
  init(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection, on output: OutputID,
    _ outputObject: WaylandObject, at place: SurfacePlace,
    isReversed: Bool
  ) {
    let surfaces = (0..<2).map { _ in
      OverlaySurface(
        objects, connection, on: output, outputObject, layer: .top, at: place,
        // Above the panes, also where these are not on the highest layer: it is seen for a second at most.
        highestLayer: 3)
    }
    (lower, upper) = isReversed ? (surfaces[1], surfaces[0]) : (surfaces[0], surfaces[1])
    // The order of first commits may count too.
    for surface in surfaces { surface.announce(connection) }
  }

  var place: SurfacePlace { lower.place }
  var all: [OverlaySurface] { [lower, upper] }

  /// Whether a sample can be shown, and was not yet.
  var isReady: Bool { sample == nil && all.allSatisfy(\.canCommit) }

  /// Throws `outOfMemory`.
  func show(
    _ sample: BlendingSample, _ objects: DisplayObjects, _ connection: borrowing WaylandConnection,
    now: Duration
  ) throws(WaylandError) {
    for (surface, picture) in [(lower, sample.lower), (upper, sample.upper)] {
      surface.cover()
      surface.setOwned(Region(surface.place.rect))
      _ = try surface.commit(objects, connection, hasMarks: false, now: now) {
        copyPixels(of: $0, from: picture.span, sample.layout, to: &$1, $2)
      }
    }
    self.sample = sample
  }
}
