package import Raster

/// The position and size of a pane.
package enum Placement: Equatable, Sendable {
  /// A rectangle that is anchored to the output.
  case geometry(Geometry)

  /// The text that the user interface reads.
  package var text: String {
    switch self {
    case .geometry(let geometry): "\(geometry)"
    }
  }

  /// The whole rectangle of the pane on an output with the bounds `output`, in the same
  /// coordinates. It may extend beyond the output.
  package func frame(on output: Rect) -> Rect {
    switch self {
    case .geometry(let geometry): geometry.rect(on: output)
    }
  }

  /// The part of `frame(on:)` on the output; empty if there is none.
  package func rect(on output: Rect) -> Rect { frame(on: output).intersection(output) }

  /// The size of the frame in pixels.
  package var size: (width: Int, height: Int) {
    switch self {
    case .geometry(let geometry): (geometry.width, geometry.height)
    }
  }
}
