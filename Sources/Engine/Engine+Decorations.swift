package import Frost
package import Panes

/// Decorations that take long to make, such as the shadow of a large corner: up to 130 ms. The caller of the engine
/// can make them on another thread, before it performs the request that needs them.
extension Engine where Server: ~Copyable {
  /// The decorations of shown panes that take more than some milliseconds to make and that no pane has.
  package func costlyDecorations(of panes: [Pane]) -> [DecorationPlan] {
    panes.compactMap { pane in
      let size = pane.placement.size
      let plan = DecorationPlan(style: pane.decoration, width: size.width, height: size.height)
      if isSuspended || !pane.isShown || !plan.isCostly || isKnown(plan) { return nil }
      return plan
    }
  }

  private func isKnown(_ plan: DecorationPlan) -> Bool {
    entries.contains { entry in
      entry.wanted?.layout.decoration.fits(plan.style, width: plan.width, height: plan.height)
        == true
    }
  }
}

/// A decoration that can be made on any thread.
package struct DecorationPlan: Sendable {
  let style: DecorationStyle
  let width, height: Int

  /// More pixels take more than some milliseconds.
  private static let pixelLimit = 1 << 19

  var isCostly: Bool {
    Decoration.pixelCount(style, width: width, height: height) > Self.pixelLimit
  }

  package func make() -> Decoration { Decoration(style, width: width, height: height) }
}
