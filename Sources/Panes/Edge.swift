import Raster

/// The edge of an output from which a drawer is pulled.
package enum Edge: String, CaseIterable, Sendable {
  case top, bottom, left, right

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "edge")
  }

  /// The middle of the edge.
  package var anchor: Anchor {
    switch self {
    case .top: .top
    case .bottom: .bottom
    case .left: .left
    case .right: .right
    }
  }

  /// The places at the edge.
  package var anchors: [Anchor] {
    switch self {
    case .top: [.topLeft, .top, .topRight]
    case .bottom: [.bottomLeft, .bottom, .bottomRight]
    case .left: [.topLeft, .left, .bottomLeft]
    case .right: [.topRight, .right, .bottomRight]
    }
  }

  /// The part of a place that a drawer follows.
  package func coordinate(x: Double, y: Double) -> Double {
    switch self {
    case .top, .bottom: y
    case .left, .right: x
    }
  }

  /// The direction from the edge into the output, in the coordinate: 1 or -1.
  package var direction: Int {
    switch self {
    case .top, .left: 1
    case .bottom, .right: -1
    }
  }

  /// The extent of a rectangle of pixels across the edge.
  func length(of rect: Rect) -> Int {
    switch self {
    case .top, .bottom: rect.height
    case .left, .right: rect.width
    }
  }
}
