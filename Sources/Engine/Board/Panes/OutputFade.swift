import Frost
import Raster

/// The cross-fade of a pane after a change of its output: the new glass replaces the former one. The pane itself is at its
/// new place at once, with its content.
struct OutputFade {
  private var former: FormerGlass
  private var weight = 1.0
  private var progress: TransitionProgress

  init(from former: FormerGlass, length: Duration) {
    self.former = former
    progress = TransitionProgress(length: length)
  }

  /// The fade from the same glass, from its start.
  func restarted(length: Duration) -> OutputFade { OutputFade(from: former, length: length) }

  /// Steps to a time. The first call starts the fade. Returns whether it is not over.
  mutating func advance(now: Duration) -> Bool {
    weight = 1 - progress.part(now: now)
    return !progress.isOver(now: now)
  }

  /// The former glass on a pane at `frame`, of which `part` is visible.
  mutating func layer(on frame: Rect, part: Rect) -> FormerLayer {
    if former.frame != frame || former.part != part {
      former = former.moved(to: frame, part: part)
    }
    return FormerLayer(former, weight: weight)
  }
}
