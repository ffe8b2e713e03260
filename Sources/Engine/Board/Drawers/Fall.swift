/// The motion of a drawer that was let go: it falls to one of its ends under gravity, bounces there, and rests. A closed
/// formula of the time, so its path does not depend on how often it is asked.
///
/// Positions are pixels from the closed end, times are seconds. A height is the distance from the end to which the drawer
/// falls, and a rise is a speed away from it.
struct Fall: Equatable {
  let isOpening: Bool
  /// The time after which it rests.
  private(set) var duration = 0.0
  private let length, gravity: Double
  private var arcs: [Arc] = []

  /// The motion between two collisions.
  private struct Arc: Equatable {
    let start, height, rise: Double
  }

  /// The acceleration at scale 1, in pixels per second squared: five times that of UIGravityBehavior, with which a drawer
  /// of 540 pixels falls for half a second.
  static let gravity = 5000.0
  /// The time for which the speed at the release counts when the end is chosen, in seconds.
  private static let foresight = 0.2
  /// The height in pixels below which a bounce is not visible.
  private static let lowestBounce = 0.5

  /// The fall from a position with a velocity in pixels per second, positive if it opens. `elasticity`, from 0 to below 1,
  /// is the part of the speed that remains after a collision.
  init(
    from position: Double, velocity: Double, isOpening: Bool, length: Double, elasticity: Double,
    gravity: Double
  ) {
    (self.isOpening, self.length, self.gravity) = (isOpening, length, gravity)
    var arc = Arc(
      start: 0, height: isOpening ? length - position : position,
      rise: isOpening ? -velocity : velocity)
    while true {
      arcs.append(arc)
      if let collision = collision(of: arc, elasticity) {
        arc = collision
        continue
      }
      // Energy per mass: v^2 / 2 + g h.
      let impact = (arc.rise * arc.rise + 2 * gravity * arc.height).squareRoot()
      let landing = arc.start + (arc.rise + impact) / gravity
      let rise = impact * elasticity
      if rise * rise / (2 * gravity) < Self.lowestBounce {
        duration = landing
        return
      }
      arc = Arc(start: landing, height: 0, rise: rise)
    }
  }

  /// The arc after a collision with the other end; nil if the drawer does not reach it.
  private func collision(of arc: Arc, _ elasticity: Double) -> Arc? {
    let energy = arc.rise * arc.rise - 2 * gravity * (length - arc.height)
    guard arc.rise > 0, energy > 0 else { return nil }
    let speed = energy.squareRoot()
    let time = arc.start + (arc.rise - speed) / gravity
    return Arc(start: time, height: length, rise: -speed * elasticity)
  }

  /// The position at a time after the release, 0 to the length. From the end of the fall on it is exactly 0 or the length.
  func position(at time: Double) -> Double {
    guard time < duration, let arc = arcs.last(where: { $0.start <= time }) ?? arcs.first else {
      return isOpening ? length : 0
    }
    let passed = max(0, time - arc.start)
    let height = arc.height + (arc.rise - gravity * passed / 2) * passed
    let clamped = min(length, max(0, height))
    return isOpening ? length - clamped : clamped
  }

  /// Whether a drawer that is let go falls open: where it would be in a moment, it is beyond the middle.
  static func opens(from position: Double, velocity: Double, length: Double) -> Bool {
    position + velocity * foresight > length / 2
  }
}
