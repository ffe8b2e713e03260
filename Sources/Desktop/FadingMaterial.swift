import Frost
import Panes

/// A pane on its way from one material to another.
struct FadingMaterial {
  let from, to: Material
  let length: Duration
  /// Whether the pane is hidden in the end.
  let hides: Bool
  /// When its first frame was shown.
  private var start: Duration?

  init(from: Material, to: Material, length: Duration, hides: Bool = false) {
    self.from = from
    self.to = to
    self.length = length
    self.hides = hides
  }

  /// What a frame at a time shows. The first frame starts the fade.
  mutating func material(now: Duration) -> Material {
    let passed = now - (start ?? now)
    start = start ?? now
    let part = min(1, passed / length)
    // Slowly off and slowly on: 3t^2 - 2t^3.
    return from.mixed(with: to, part * part * (3 - 2 * part))
  }

  func isOver(now: Duration) -> Bool { start.map { now - $0 >= length } ?? false }
}
