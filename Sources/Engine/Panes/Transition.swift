import Frost
import Panes

/// The look of a pane at one time.
struct Look: Equatable {
  var material: Material
  /// The opacity of border, shadow and content, 0 to 1.
  var presence: Double

  /// The look of an invisible pane: its unchanged backdrop.
  static let clear = Look(material: .clear, presence: 0)

  /// The look that a pane has without a transition.
  init(of pane: Pane) {
    self = pane.isShown ? Look(material: pane.material, presence: 1) : .clear
  }

  private init(material: Material, presence: Double) {
    self.material = material
    self.presence = presence
  }

  /// The interpolation between this look (`part` 0) and another one (`part` 1).
  func mixed(with other: Look, _ part: Double) -> Look {
    if part >= 1 { return other }
    return Look(
      material: material.mixed(with: other.material, part),
      presence: presence + (other.presence - presence) * part)
  }
}

/// A transition from one look to another, as a value. The time is an argument.
struct Transition {
  let from, to: Look
  let length: Duration
  /// Whether the pane is hidden at the end.
  let hides: Bool
  /// The time of its first frame.
  private var start: Duration?

  init(from: Look, to: Look, length: Duration, hides: Bool) {
    self.from = from
    self.to = to
    self.length = length
    self.hides = hides
  }

  /// The look at a time. The first call starts the transition.
  mutating func look(now: Duration) -> Look {
    let passed = now - (start ?? now)
    start = start ?? now
    let part = min(1, passed / length)
    // Smoothstep, 3t^2 - 2t^3: slow at both ends.
    return from.mixed(with: to, part * part * (3 - 2 * part))
  }

  func isOver(now: Duration) -> Bool { start.map { now - $0 >= length } ?? false }
}
