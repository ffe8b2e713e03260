import Frost
import Panes
import Raster

/// Identifies a grid: a backdrop, an output with its orientation, and a reduction.
struct GridKey: Hashable {
  let backdrop: Backdrop
  let output: OutputKey
  let kind: Kind

  enum Kind: Hashable {
    case cells(Reduction)
    /// Pixels at full resolution, for the soft parts of panes, and for glass over windows.
    case pixels
  }
}

/// The pixels that a pane can show through its glass.
enum Backdrop: Hashable {
  /// A view without panes. The display captures it, for all panes that show it.
  case captured(View)
  /// A view with the panes below one pane over it. The engine composes it, for this pane.
  case composed(View, for: NeedOwner)

  /// The view, without panes.
  var view: View {
    switch self {
    case .captured(let view), .composed(let view, _): view
    }
  }

  var isComposed: Bool { if case .composed = self { true } else { false } }
}

/// The properties of an output that determine its pixels. The scale is not one of them. An output
/// that is rotated back has the same key again, so its cells are found again.
struct OutputKey: Hashable {
  let name: String
  let bounds: Rect
  let orientation: Orientation

  /// A client of a size, whose pixels have its own coordinates. The key is the same for most sizes of a window that is being resized.
  init(clientOfSize width: Int, _ height: Int) {
    func rounded(_ length: Int) -> Int { (length + 511) / 512 * 512 }
    name = "client"
    bounds = Rect(x: 0, y: 0, width: rounded(width), height: rounded(height))
    orientation = .normal
  }

  init(_ output: Output) {
    name = output.name
    bounds = output.bounds
    orientation = output.orientation
  }
}
