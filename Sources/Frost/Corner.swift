/// How the corners of a pane are rounded.
package struct Corner: Hashable, Sendable {
  /// In pixels. What does not fit into a pane is cut down to half its shorter edge; nothing that is not
  /// above zero rounds anything.
  package var radius: Double
  package var curve: Curve

  package enum Curve: Hashable, Sendable {
    /// A quarter of a circle.
    case circular
    /// What iOS draws since version 7, often called a superellipse: cubics whose curvature grows along
    /// the edge, from 1.528665 radii before the corner on.
    case continuous
  }

  package init(radius: Double, curve: Curve = .circular) {
    self.radius = radius
    self.curve = curve
  }

  package static let square = Corner(radius: 0)
}

/// A corner as it fits into a pane of a certain size.
///
/// A pane whose shorter edge is less than two radii has a smaller radius. One that has room for the
/// radius but not for a continuous corner's whole reach has a curve between the two: its reach is what
/// there is, and at half the shorter edge it is the circle, so that a capsule has round ends.
struct FittedCorner: Hashable {
  let radius: Double
  /// How far the curve extends along either edge, in pixels.
  let reach: Double
  let curve: Corner.Curve

  init(_ corner: Corner, width: Double, height: Double) {
    let room = max(0, min(width, height) / 2)
    radius = corner.radius > 0 ? min(corner.radius, room) : 0
    reach = corner.curve == .continuous ? min(Self.continuousReach * radius, room) : radius
    curve = corner.curve
  }

  /// In radii: `CALayer.cornerCurveExpansionFactor(.continuous)`.
  static let continuousReach = 1.528665

  /// Along how many pixels of an edge, and of the next, the pane is not full.
  var pixels: Int { Int(reach.rounded(.up)) }

  /// The curve of the top left corner, which is at (0, 0): from (reach, 0) to (0, reach), so x never grows
  /// and y never falls. Nowhere between two points does the curve leave the line by more than 1/10000
  /// pixel.
  func points() -> [SIMD2<Double>] {
    if radius == 0 { return [SIMD2(0, 0)] }
    return curve == .circular ? arc() : cubics()
  }

  /// Steps t of the circle's rational form, (1 - t^2, 2t) / (1 + t^2), turn by at most 2/count, and a chord
  /// of an angle a lies at most r * a^2 / 8 from its arc.
  private func arc() -> [SIMD2<Double>] {
    let count = Int((71 * radius.squareRoot()).rounded(.up))
    return (0...count).map { step in
      let t = Double(step) / Double(count)
      let square = 1 + t * t
      return SIMD2(radius * (1 - 2 * t / square), radius * (1 - (1 - t * t) / square))
    }
  }

  /// Three cubics, between the circle's and those of iOS. A chord of a cubic in n steps lies at most
  /// |B''| / (8 n^2) from it, and B'' is at most 1.32 radii.
  private func cubics() -> [SIMD2<Double>] {
    let share = (reach / radius - 1) / (Self.continuousReach - 1)
    let half = zip(Self.circle, Self.continuous).map { radius * ($0 + ($1 - $0) * share) }
    // The second half is the first one's mirror image.
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

  /// Control points in radii, from the edge to the middle of the corner. From UIBezierPath's rounded
  /// rectangles, as taken out of them by L. Rosenfeld (liamrosenfeld.com/posts/apple_icon_quest), who
  /// reports that with these he met Apple's mask for icons in every pixel.
  private static let continuous = [
    SIMD2(continuousReach, 0), SIMD2(1.08849296, 0), SIMD2(0.86840694, 0),
    SIMD2(0.63149379, 0.07491139), SIMD2(0.37282383, 0.16905956),
  ]

  /// The circle, cut where the cubics above are: arcs of 22.5, 45 and 22.5 degrees, with handles of 4/3 of
  /// the tangent of a quarter of the angle. They leave the circle by 4e-6 radii.
  private static let circle = [
    SIMD2(1.0, 0), SIMD2(0.8686781289, 0), SIMD2(0.7386421566, 0.0258657631),
    SIMD2(0.6173165676, 0.0761204675), SIMD2(0.3722884810, 0.1776144241),
  ]
}
