import Configuration
package import Control
package import Engine
import Panes
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

/// What a compositor does with the windows of a pane, which leaves no trace on them.
package enum CompositorHint: Equatable, Sendable {
  /// These settings make some windows translucent, and the glass of the pane is over its windows.
  case translucency(String, [String])
  /// It rounds the corners of windows, with a radius in pixels, and the glass of the pane beneath its windows is square.
  case corner(String, Int)

  package var pane: String {
    switch self {
    case .translucency(let pane, _), .corner(let pane, _): pane
    }
  }

  /// What the compositor does.
  package var finding: String {
    switch self {
    case .translucency(let pane, let settings):
      "\(settings.joined(separator: " and ")) of picom may make windows of '\(pane)' translucent, whose glass is over them"
    case .corner(let pane, let radius):
      "picom rounds the corners of the windows of '\(pane)' (corner-radius \(radius)), and not those of the glass"
    }
  }

  /// The command that suits it.
  package var remedy: String {
    switch self {
    case .translucency(let pane, _): "backdropctl set \(shellWord(pane)) --translucent always"
    case .corner(let pane, let radius): "backdropctl set \(shellWord(pane)) --corner \(radius)"
    }
  }

  fileprivate var check: Check { Check(pane, .note, finding, remedy: remedy) }
}

/// The programs of an X server; none if it does not answer in time.
package func desktopPrograms(of display: String) -> DesktopPrograms {
  let answer = try? askDisplay(display) { _ throws(DisplayError) in
    try DesktopPrograms(of: display)
  }
  return answer ?? DesktopPrograms()
}
