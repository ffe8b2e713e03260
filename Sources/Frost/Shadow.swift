package import Raster

/// The shadow that a pane casts on what is around it; none of it lies under the pane.
package struct Shadow: Equatable, Sendable {
  /// How far it is moved to the right and down, in pixels.
  package var offsetX, offsetY: Int
  /// Twice the standard deviation of its blur, in pixels, as in CSS and in Core Graphics' shadows. (That of
  /// a CALayer, and of a material here, is one standard deviation.)
  package var radius: Double
  /// 0 to 1, times the colour's alpha.
  package var opacity: Double
  package var color: Color

  package init(
    offsetX: Int = 0, offsetY: Int = 0, radius: Double, opacity: Double = 1, color: Color
  ) {
    self.offsetX = offsetX
    self.offsetY = offsetY
    self.radius = radius
    self.opacity = opacity
    self.color = color
  }

  package static let radiusRange = 0.0...200.0
  /// Of either offset.
  package static let offsetRange = -200...200

  package static let none = Shadow(radius: 0, color: .none)

  var isVisible: Bool { peak > 0 }

  // MARK: Presets

  private static let black = Color(white: 0)
  /// UIColor.lightGray.
  private static let lightGray = Color(white: 2.0 / 3)

  /// The cards of the Maps application of iOS 10, whose corners have a radius of 10.
  package static let maps = Shadow(radius: 6, color: lightGray)
  /// An outer shadow on a container view.
  package static let outerView = Shadow(offsetY: 8, radius: 24, opacity: 0.5, color: black)
  /// A rounded, blurred view.
  package static let roundedView = Shadow(radius: 4, opacity: 0.4, color: lightGray)

  // MARK: Reach

  var sigma: Double { radius / 2 }
  /// Where it is darkest.
  var peak: Double { min(1, max(0, opacity * color.alpha)) }

  /// How far the shadow reaches beyond each side of a pane of any size: beyond, its alpha is below half
  /// a level of 255.
  package var padding: Padding {
    precondition(isDrawable)
    let reach = ShadowBlur(sigma: sigma).reach(above: 0.5 / 255, peak: peak)
    return Padding(
      left: max(0, reach - offsetX), top: max(0, reach - offsetY),
      right: max(0, reach + offsetX), bottom: max(0, reach + offsetY))
  }

  /// A pane's rectangle and what its shadow reaches.
  package func bounds(of pane: Rect) -> Rect { padding.around(pane) }

  var isDrawable: Bool {
    Self.radiusRange.contains(radius) && Self.offsetRange.contains(offsetX)
      && Self.offsetRange.contains(offsetY)
  }
}

/// Pixels added on the four sides of a rectangle.
package struct Padding: Hashable, Sendable {
  package var left, top, right, bottom: Int

  package init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  package func around(_ rect: Rect) -> Rect {
    Rect(rect.x - left..<rect.maxX + right, rect.y - top..<rect.maxY + bottom)
  }
}
