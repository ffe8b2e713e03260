import Frost
import Panes

/// How a pane looks at a moment.
struct Look: Equatable {
  var material: Material
  /// How far its border and its shadow are there, 0 to 1.
  var presence: Double

  /// The look of a pane that is not there: its backdrop.
  static let clear = Look(material: .clear, presence: 0)

  /// That of a pane in the end.
  init(of pane: Pane) {
    self = pane.isShown ? Look(material: pane.material, presence: 1) : .clear
  }

  private init(material: Material, presence: Double) {
    self.material = material
    self.presence = presence
  }

  func mixed(with other: Look, _ part: Double) -> Look {
    if part >= 1 { return other }
    return Look(
      material: material.mixed(with: other.material, part),
      presence: presence + (other.presence - presence) * part)
  }
}

/// A pane on its way from one look to another.
struct FadingLook {
  let from, to: Look
  let length: Duration
  /// Whether the pane is hidden in the end.
  let hides: Bool
  /// When its first frame was shown.
  private var start: Duration?

  init(from: Look, to: Look, length: Duration, hides: Bool = false) {
    self.from = from
    self.to = to
    self.length = length
    self.hides = hides
  }

  /// What a frame at a time shows. The first frame starts the fade.
  mutating func look(now: Duration) -> Look {
    let passed = now - (start ?? now)
    start = start ?? now
    let part = min(1, passed / length)
    // Slowly off and slowly on: 3t^2 - 2t^3.
    return from.mixed(with: to, part * part * (3 - 2 * part))
  }

  func isOver(now: Duration) -> Bool { start.map { now - $0 >= length } ?? false }
}
