/// The shape of the corners of a pane.
package struct Corner: Hashable, Sendable {
  /// In pixels. A larger radius than half the shorter edge of the pane is reduced to that. With a
  /// radius of 0 or less, or NaN, the corners are square.
  package var radius: Double
  /// The curve of the rounding.
  package var curve: Curve

  /// The curve of a rounded corner.
  package enum Curve: Hashable, Sendable {
    /// A quarter of a circle.
    case circular
    /// The curve of iOS since version 7, often called a superellipse: cubic curves that start
    /// 1.528665 radii before the corner and whose curvature increases gradually.
    case continuous
  }

  package init(radius: Double, curve: Curve = .circular) {
    self.radius = radius
    self.curve = curve
  }

  /// Corners without rounding.
  package static let square = Corner(radius: 0)
}

/// A corner, adapted to the size of a pane.
///
/// If the shorter edge of the pane is less than two radii, the radius is reduced. If the radius
/// fits but not the whole reach of a continuous corner, the curve is interpolated between the
/// circular and the continuous one so that its reach is half the shorter edge. With a radius of
/// half the shorter edge it is the circle, so a capsule has round ends.
struct FittedCorner: Hashable {
  /// In pixels; 0 for a square corner.
  let radius: Double
  /// The length of the curve along each edge, in pixels.
  let reach: Double
  let curve: Corner.Curve

  init(_ corner: Corner, width: Double, height: Double) {
    let limit = max(0, min(width, height) / 2)
    radius = corner.radius > 0 ? min(corner.radius, limit) : 0
    reach = corner.curve == .continuous ? min(Self.continuousReach * radius, limit) : radius
    curve = corner.curve
  }

  /// The reach of a continuous corner in radii. Source:
  /// `CALayer.cornerCurveExpansionFactor(.continuous)`.
  static let continuousReach = 1.528665

  /// The size in pixels of the square at the corner that contains all pixels that the pane covers
  /// partly or not at all.
  var pixels: Int { Int(reach.rounded(.up)) }

  /// The curve of the top left corner, whose edges meet at (0, 0), as a polyline from (reach, 0) to
  /// (0, reach). x never increases and y never decreases. The polyline deviates from the curve by
  /// at most 1/10000 pixel.
  func points() -> [SIMD2<Double>] {
    if radius == 0 { return [SIMD2(0, 0)] }
    return curve == .circular ? arc() : cubics()
  }

  /// Points at equal steps t of the rational form of the circle, (1 - t^2, 2t) / (1 + t^2). A step
  /// is an angle of at most 2/count, and a chord of angle a deviates from its arc by at most r *
  /// a^2 / 8.
  private func arc() -> [SIMD2<Double>] {
    let count = Int((71 * radius.squareRoot()).rounded(.up))
    return (0...count).map { step in
      let t = Double(step) / Double(count)
      let square = 1 + t * t
      return SIMD2(radius * (1 - 2 * t / square), radius * (1 - (1 - t * t) / square))
    }
  }

  /// Points of three cubic Bezier curves, interpolated between those of the circle and those of
  /// iOS. With n steps, a chord deviates from a cubic B by at most |B''| / (8 n^2), and |B''| is at
  /// most 1.32 radii.
  private func cubics() -> [SIMD2<Double>] {
    let share = (reach / radius - 1) / (Self.continuousReach - 1)
    let half = zip(Self.circle, Self.continuous).map { radius * ($0 + ($1 - $0) * share) }
    // The second half of the control points mirrors the first.
    let control = half + half.reversed().map { SIMD2($0.y, $0.x) }
    let count = Int((41 * radius.squareRoot()).rounded(.up))
    var points = [control[0]]
    for start in [0, 3, 6] {
      for step in 1...count {
        let t = Double(step) / Double(count)
        let s = 1 - t
        let outer = s * s * s * control[start] + t * t * t * control[start + 3]
        points.append(outer + 3 * s * t * (s * control[start + 1] + t * control[start + 2]))
      }
    }
    return points
  }

  /// The control points of the continuous corner in radii, from the edge to the middle of the
  /// corner. Source: the rounded rectangles of UIBezierPath, extracted by L. Rosenfeld
  /// (liamrosenfeld.com/posts/apple_icon_quest), who reports that they reproduce every pixel of
  /// Apple's icon mask.
  private static let continuous = [
    SIMD2(continuousReach, 0), SIMD2(1.08849296, 0), SIMD2(0.86840694, 0),
    SIMD2(0.63149379, 0.07491139), SIMD2(0.37282383, 0.16905956),
  ]

  /// The control points of the circle in radii, divided like the cubics above: arcs of 22.5, 45 and
  /// 22.5 degrees. The handles are 4/3 of the tangent of a quarter of the angle. The deviation from
  /// the circle is 4e-6 radii.
  private static let circle = [
    SIMD2(1.0, 0), SIMD2(0.8686781289, 0), SIMD2(0.7386421566, 0.0258657631),
    SIMD2(0.6173165676, 0.0761204675), SIMD2(0.3722884810, 0.1776144241),
  ]
}
