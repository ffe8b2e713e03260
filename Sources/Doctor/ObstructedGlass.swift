package import Control
package import Engine

/// Glass of a pane behind a window that is not shown, and what to do.
package struct ObstructedGlass: Equatable, Sendable {
  package let pane: String
  /// Why it is not shown.
  package let finding: String
  /// The remedy; nil if there is none.
  package let remedy: String?

  /// Nil if the glass is shown, or if its obstacle is temporary or hides the pane.
  package init?(_ window: WindowReport, on programs: DesktopPrograms) {
    guard let pane = window.pane, let properties = window.properties,
      let obstacle = window.obstacle.flatMap(TargetState.Obstacle.init), obstacle.isLasting
    else { return nil }
    self.pane = pane
    finding = obstacle.finding
    remedy = obstacle.remedy(for: properties, on: programs)
  }

  var check: Check {
    Check(pane, .warning, "not shown: \(finding)", remedy: remedy)
  }
}
