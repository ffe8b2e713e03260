package import Raster

/// The edge or corner of an area at which a pane is.
package enum Anchor: String, CaseIterable, Sendable {
  case topLeft = "top-left"
  case top
  case topRight = "top-right"
  case left
  case center
  case right
  case bottomLeft = "bottom-left"
  case bottom
  case bottomRight = "bottom-right"

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "anchor")
  }

  /// The rectangle of a size at this place of an area. It extends beyond the area if it is larger.
  package func rect(width: Int, height: Int, in area: Rect) -> Rect {
    let left =
      switch self {
      case .topLeft, .left, .bottomLeft: area.x
      case .top, .center, .bottom: area.x + (area.width - width) >> 1
      case .topRight, .right, .bottomRight: area.maxX - width
      }
    let top =
      switch self {
      case .topLeft, .top, .topRight: area.y
      case .left, .center, .right: area.y + (area.height - height) >> 1
      case .bottomLeft, .bottom, .bottomRight: area.maxY - height
      }
    return Rect(x: left, y: top, width: width, height: height)
  }
}
