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
      let frames = possibleOutputs(of: pane).map { pane.placement.frame(on: $0) }
      let sizes = Set(frames.map { Rect(x: 0, y: 0, width: $0.width, height: $0.height) })
      return sizes.map { DecorationPlan(of: pane, $0, sharing: known) }
    }.filter(\.isCostly)
  }

  /// The decorations that a new appearance can share.
  var knownDecorations: [Decoration] {
    preparedDecorations + entries.flatMap { $0.wanted?.layout.decorations ?? [] }
  }
}

/// A decoration that can be made on any thread.
package struct DecorationPlan: Sendable {
  private let style: DecorationStyle
  private let width, height: Int
  private let known: [Decoration]

  /// More pixels take more than some milliseconds.
  private static let pixelLimit = 1 << 19

  fileprivate init(of pane: Pane, _ size: Rect, sharing known: [Decoration]) {
    (width, height) = (size.width, size.height)
    // That of the other scheme has the same corner and shadow, which take the time.
    style = pane.look(in: .dark, size: (width, height)).decoration
    self.known = known
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
