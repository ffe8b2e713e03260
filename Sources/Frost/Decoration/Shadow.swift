package import Raster

/// The shadow of a pane. It is drawn around the pane only, not under it.
package struct Shadow: Equatable, Sendable {
  /// The offset to the right and down, in pixels; in `offsetRange`.
  package var offsetX, offsetY: Int
  /// Twice the standard deviation of the blur, in pixels, as in CSS and in Core Graphics; in
  /// `radiusRange`. (The shadow radius of a CALayer and the sigma of a `Material` are one standard
  /// deviation.)
  package var radius: Double
  /// 0 to 1; multiplied by the alpha of the colour.
  package var opacity: Double
  /// The colour; black for a usual shadow.
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

  /// The valid values of `radius`.
  package static let radiusRange = 0.0...200.0
  /// The valid values of each offset.
  package static let offsetRange = -200...200

  /// No shadow.
  package static let none = Shadow(radius: 0, color: .none)

  var isVisible: Bool { peak > 0 }

  // MARK: Presets

  private static let black = Color(white: 0)
  /// The opacity of a black shadow that looks on white like one of UIColor.lightGray, a white level of 2/3. That
  /// colour itself is a glow on dark desktops.
  private static let lightGray = 1.0 / 3

  /// The cards of the Maps application of iOS 10, whose corners have a radius of 10.
  package static let maps = Shadow(radius: 6, opacity: lightGray, color: black)
  /// An outer shadow on a container view.
  package static let outerView = Shadow(offsetY: 8, radius: 24, opacity: 0.5, color: black)
  /// A rounded, blurred view.
  package static let roundedView = Shadow(radius: 4, opacity: 0.4 * lightGray, color: black)

  // MARK: Reach

  var sigma: Double { radius / 2 }
  /// The largest opacity, 0 to 1.
  var peak: Double { min(1, max(0, opacity * color.alpha)) }

  /// The distance that the shadow extends beyond each side of a pane of any size. Further out its
  /// alpha is less than half a level of 255. Traps if the radius or an offset is out of range.
  package var padding: Padding {
    precondition(isDrawable)
    let reach = ShadowBlur(sigma: sigma).reach(above: 0.5 / 255, peak: peak)
    return Padding(
      left: max(0, reach - offsetX), top: max(0, reach - offsetY),
      right: max(0, reach + offsetX), bottom: max(0, reach + offsetY))
  }

  /// The bounding box of a pane and its shadow. Traps like `padding`.
  package func bounds(of pane: Rect) -> Rect { padding.around(pane) }

  /// Whether the radius and the offsets are in range.
  var isDrawable: Bool {
    Self.radiusRange.contains(radius) && Self.offsetRange.contains(offsetX)
      && Self.offsetRange.contains(offsetY)
  }
}

/// Numbers of pixels added on the four sides of a rectangle.
package struct Padding: Hashable, Sendable {
  package var left, top, right, bottom: Int

  package init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// The rectangle with the padding added.
  package func around(_ rect: Rect) -> Rect {
    Rect(rect.x - left..<rect.maxX + right, rect.y - top..<rect.maxY + bottom)
  }
}
