package import Raster

/// A pane that is pulled out of an edge of its output.
package struct Drawer: Equatable, Sendable {
  package let edge: Edge
  /// The number of pixels that are visible while it is closed.
  package let peek: Double
  /// The part of its speed that it keeps when it bounces at an end.
  package let elasticity: Double
  /// The part of the pane at which it can be pulled; nil means the whole pane.
  package let handle: Geometry?

  /// The part of the pane at `frame` at which it can be pulled, if a unit has `unit` pixels.
  package func handle(of frame: Rect, unit: Double) -> Rect {
    handle?.scaled(by: unit).rect(on: frame).intersection(frame) ?? frame
  }

  /// The valid values of `elasticity`. A drawer with 1 would bounce for ever.
  package static let elasticityRange = 0.0...0.9
  /// The valid values of `peek`.
  package static let peekRange = 0.0...32767.0
  /// A light bounce, such as that of the notification centre.
  package static let defaultElasticity = 0.25

  /// The way of the drawer between its ends on an output. `open` is the rectangle of the open pane, and `unit` the number
  /// of pixels of a unit of `peek`.
  package func travel(from open: Rect, in area: Rect, unit: Double = 1) -> Travel {
    // The visible part of the open pane, with its margin.
    let visible =
      switch edge {
      case .top: open.maxY - area.y
      case .bottom: area.maxY - open.y
      case .left: open.maxX - area.x
      case .right: area.maxX - open.x
      }
    return Travel(
      open: open,
      length: max(0, visible - min(Int((peek * unit).rounded()), edge.length(of: open))),
      edge: edge)
  }
}

/// A request for a drawer.
package enum DrawerAction: String, CaseIterable, Sendable {
  case open, close, toggle

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "action")
  }
}

/// The way of a drawer between its ends.
package struct Travel: Equatable, Sendable {
  /// The rectangle of the open drawer.
  package let open: Rect
  /// The distance of its ends in pixels.
  package let length: Int
  package let edge: Edge

  /// The rectangle at a distance from the closed end, 0 to `length`, rounded to whole pixels.
  package func frame(at position: Double) -> Rect {
    let hidden = edge.direction * (length - Int(position.rounded()))
    switch edge {
    case .top, .bottom: return open.translated(x: 0, y: -hidden)
    case .left, .right: return open.translated(x: -hidden, y: 0)
    }
  }
}
