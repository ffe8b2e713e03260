import Frost
import Panes
import Raster

/// Identifies a grid: a view, an output with its orientation, and a reduction.
struct GridKey: Hashable {
  let view: View
  let output: OutputKey
  let kind: Kind

  enum Kind: Hashable {
    case cells(Reduction)
    /// Pixels at full resolution, for the soft parts of panes.
    case pixels
  }
}

/// The properties of an output that determine its pixels. The scale is not one of them. An output
/// that is rotated back has the same key again, so its cells are found again.
struct OutputKey: Hashable {
  let name: String
  let bounds: Rect
  let orientation: Orientation

  init(_ output: Output) {
    name = output.name
    bounds = output.bounds
    orientation = output.orientation
  }
}
