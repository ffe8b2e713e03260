import Configuration
package import Control
package import Engine
import X11Display

/// The windows with glass, and what is to be told of them.
package struct GlassWindows: Sendable {
  package let windows: [WindowReport]
  private let programs: DesktopPrograms
  /// The panes without round corners.
  private let square: Set<String>
  /// What the compositor does with windows by its own settings.
  private let rules: PicomRules?

  /// Those among the windows that the daemon of a display knows. Waits for the X server, for some seconds if that is stopped.
  package init(_ windows: [WindowReport], of panes: [PaneReport], onServer display: String) {
    self.windows = windows.filter { $0.pane != nil }
    square = Set(panes.filter { $0.settings["corner"] == .text("0") }.map(\.name))
    programs = self.windows.isEmpty ? DesktopPrograms() : desktopPrograms(of: display)
    rules =
      programs.compositor?.lowercased().hasPrefix("picom") == true
      ? programs.compositorProcess.map {
        PicomRules(ofProcess: $0, environment: environmentVariable)
      } : nil
  }

  /// What the compositor does with the windows of panes, and the commands that suit it, once for each pane.
  package var hints: [CompositorHint] {
    guard let rules else { return [] }
    let names = windows.compactMap(\.pane).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    return names.flatMap { pane in
      let own = windows.filter { $0.pane == pane && $0.obstacle == nil }
      var hints: [CompositorHint] = []
      if own.contains(where: { $0.over == true }), !rules.translucency.isEmpty {
        hints.append(.translucency(pane, rules.translucency))
      }
      if own.contains(where: { $0.over != true }), rules.cornerRadius > 0, square.contains(pane) {
        hints.append(.corner(pane, rules.cornerRadius))
      }
      return hints
    }
  }

  /// The obstacles, once for each pane and reason.
  package var obstructed: [ObstructedGlass] {
    var found: Set<[String]> = []
    return windows.compactMap { ObstructedGlass($0, on: programs) }.filter { glass in
      found.insert([glass.pane, glass.finding]).inserted
    }
  }

  /// The checks about glass that is not shown or could be better; nil if there are none.
  var checks: CheckGroup? {
    let checks = obstructed.map(\.check) + hints.map(\.check)
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
