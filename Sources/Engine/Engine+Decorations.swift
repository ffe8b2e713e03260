package import Frost
package import Panes
import Raster

/// Decorations that take long to make, such as the shadow of a large corner: up to 130 ms. The caller of the engine
/// can make them on another thread, before it performs the request that needs them.
extension Engine where Server: ~Copyable {
  /// The decorations of shown panes that take more than some milliseconds to make and that no pane has.
  package func costlyDecorations(of panes: [Pane]) -> [DecorationPlan] {
    if isSuspended || panes.isEmpty { return [] }
    let known = knownDecorations
    return panes.filter(\.isShown).flatMap { pane in
      let plans = possibleOutputs(of: pane).map { output in
        DecorationPlan(
          of: pane, pane.placement.frame(on: output), unit: pane.placement.unit.pixels(on: output),
          sharing: known)
      }
      // Outputs of the same size have the same one.
      return plans.indices.filter { i in !plans[..<i].contains { $0.isLike(plans[i]) } }
        .map { plans[$0] }
    }.filter(\.isCostly)
  }

  /// The decorations that a new appearance can share.
  var knownDecorations: [Decoration] {
    preparedDecorations + board.entries.flatMap { $0.wanted?.layout.decorations ?? [] }
  }
}

/// A decoration that can be made on any thread.
package struct DecorationPlan: Sendable {
  private let style: DecorationStyle
  private let width, height: Int
  private let known: [Decoration]

  /// More pixels take more than some milliseconds.
  private static let pixelLimit = 1 << 19

  fileprivate init(of pane: Pane, _ frame: Rect, unit: Double, sharing known: [Decoration]) {
    (width, height) = (frame.width, frame.height)
    // The decoration of the other scheme has the same corner and shadow, which take most of the time.
    style = pane.look(in: .dark, size: (width, height), unit: unit).decoration
    self.known = known
  }

  fileprivate func isLike(_ other: DecorationPlan) -> Bool {
    style == other.style && (width, height) == (other.width, other.height)
  }

  var isCostly: Bool {
    if known.contains(where: { $0.fits(style, width: width, height: height) }) { return false }
    return Decoration.pixelCount(style, width: width, height: height, sharing: known)
      > Self.pixelLimit
  }

  package func make() -> Decoration {
    Decoration(style, width: width, height: height, sharing: known)
  }
}
