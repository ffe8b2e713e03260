package import Control
package import Engine
import X11Display

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

  fileprivate var check: Check {
    Check(pane, .warning, "not shown: \(finding)", remedy: remedy)
  }
}

/// The windows that glass is behind.
package struct GlassWindows: Sendable {
  package let windows: [WindowReport]
  private let programs: DesktopPrograms

  /// Those among the windows that the daemon of a display knows. Waits for the X server if some glass is not shown, for some seconds
  /// if that is stopped.
  package init(_ windows: [WindowReport], onServer display: String) {
    self.windows = windows.filter { $0.pane != nil }
    let isObstructed = self.windows.contains { $0.obstacle != nil }
    programs = isObstructed ? desktopPrograms(of: display) : DesktopPrograms()
  }

  /// The obstacles, once for each pane and reason.
  package var obstructed: [ObstructedGlass] {
    var found: Set<[String]> = []
    return windows.compactMap { ObstructedGlass($0, on: programs) }.filter { glass in
      found.insert([glass.pane, glass.finding]).inserted
    }
  }

  /// The checks about glass that is not shown; nil if all is shown.
  var checks: CheckGroup? {
    let checks = obstructed.map(\.check)
    return checks.isEmpty ? nil : CheckGroup("glass behind windows", checks)
  }
}

/// The programs of an X server; none if it does not answer in time.
package func desktopPrograms(of display: String) -> DesktopPrograms {
  let answer = try? askDisplay(display) { _ throws(DisplayError) in
    try DesktopPrograms(of: display)
  }
  return answer ?? DesktopPrograms()
}
