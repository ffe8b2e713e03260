import Raster

/// A request for a picture that is not completed.
struct SnapshotRequest {
  let ticket: Ticket
  let name: String
  /// The output of a pane on several; nil for any.
  let output: String?
  var kind: Kind
  /// Whether the last capture started after the request. An earlier one has older pixels.
  var isInCapture = false
  var attempts = 0
  var isDone = false

  enum Kind {
    case picture
    case backdrop(View, Rect)
  }

  /// The number of captures after which the backdrop counts as unreadable.
  static let attemptLimit = 16

  /// The area that must be captured for it.
  var area: (view: View, rect: Rect)? {
    if case .backdrop(let view, let rect) = kind { (view, rect) } else { nil }
  }
}
