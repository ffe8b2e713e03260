package import Control
package import Engine

/// Glass of a pane behind a window that is not shown, and what to do.
package struct ObstructedGlass {
  package let pane: String
  /// Why it is not shown.
  package let finding: String
  /// What to do; nil if there is nothing to do.
  package let remedy: String?

  /// Nil if the glass behind the window is shown.
  package init?(_ window: WindowReport, on programs: DesktopPrograms) {
    guard let pane = window.pane, let properties = window.properties,
      let obstacle = window.obstacle.flatMap(TargetState.Obstacle.init)
    else { return nil }
    self.pane = pane
    finding = obstacle.finding
    remedy = obstacle.remedy(for: properties, on: programs)
  }

  var check: Check {
    Check("glass of '\(pane)'", .warning, "not shown: \(finding)", remedy: remedy)
  }
}
