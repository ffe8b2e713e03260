package import Raster

/// A monitor, or the whole screen.
package struct Output: Hashable, Sendable {
  /// The name of the monitor, such as HDMI-1; `screen` for the whole screen.
  package var name: String
  /// The rectangle in the coordinates of the display, in pixels.
  package var bounds: Rect
  /// The scale factor: the number of pixels per 1/96 inch.
  package var scale: Double
  /// The rotation and reflection of the picture.
  package var orientation: Orientation
  /// Whether the user declared it as the main one.
  package var isPrimary: Bool
  /// The part of `bounds` that panels leave free.
  package var workArea: Rect

  /// Whether it shows pixels that another output shows too, because its bounds are inside of those: a mirrored monitor. Of
  /// outputs with the same bounds the first one is no mirror.
  package var isMirror = false

  /// The valid values of `scale`.
  package static let scaleRange = 0.5...8.0

  /// The work area is `bounds` if it is nil.
  package init(
    name: String, bounds: Rect, scale: Double = 1, orientation: Orientation = .normal,
    isPrimary: Bool = false, workArea: Rect? = nil
  ) {
    self.name = name
    self.bounds = bounds
    self.scale = scale
    self.orientation = orientation
    self.isPrimary = isPrimary
    self.workArea = workArea ?? bounds
  }
}

/// The orientation of the picture of an output: first a horizontal reflection if `isReflected`,
/// then a counterclockwise rotation by quarter turns.
package struct Orientation: Hashable, Sendable {
  /// The number of quarter turns, 0 to 3.
  package var quarterTurns: Int
  /// Whether the picture is reflected left to right.
  package var isReflected: Bool

  /// `quarterTurns` is taken modulo 4.
  package init(quarterTurns: Int, isReflected: Bool = false) {
    self.quarterTurns = quarterTurns & 3
    self.isReflected = isReflected
  }

  /// No rotation and no reflection.
  package static let normal = Orientation(quarterTurns: 0)
}
