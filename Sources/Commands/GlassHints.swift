import Control
import Doctor
import Engine
import Panes
import X11Display

extension DaemonOptions {
  /// The windows with glass.
  func glassWindows() throws(Failure) -> GlassWindows {
    GlassWindows(try windows(), of: try panes(), onServer: try status().display)
  }

  /// Warns of what the daemon knows to hinder glass behind windows, and tells what to do. Waits for the display only if there is
  /// something to tell.
  func warnOfObstacles(_ status: StatusReport) {
    if case .wayland = DisplayName(status.display) {
      for pane in (try? panes()) ?? [] where pane.isBehindWindows {
        warn("\(PaneObstacle(pane: pane.name, reason: .noWindows))")
      }
    }
    if status.glass == GlassWay.still.rawValue {
      warn(
        "glass is still: \(status.glassReason); after a change behind panes, run 'backdropctl refresh'"
      )
    }
    if status.obstructed.isEmpty { return }
    let programs = desktopPrograms(of: status.display)
    warn(of: status.obstructed.compactMap { ObstructedGlass($0, on: programs) })
  }
}

extension DaemonOptions {
  /// Warns if panes that come before a pane have windows that fulfil its conditions.
  func warnOfEarlierPanes(than pane: String, _ settings: PaneSettings) {
    guard let match = try? settings.placement().behind?.match,
      let windows = try? windows(fulfilling: match).found
    else { return }
    warnOfPanes(before: pane, having: windows)
  }
}

/// Warns if panes that come before a pane have some of the windows that fulfil its conditions.
func warnOfPanes(before pane: String, having windows: [WindowReport]) {
  let taken = windows.filter { $0.pane != nil && $0.pane != pane }
  if taken.isEmpty { return }
  warn(
    "the glass of '\(pane)' is not behind \(taken.count) of them: \(earlierPanes(having: taken))")
}

/// A text that names the panes of some windows and says that they come first.
func earlierPanes(having windows: [WindowReport]) -> String {
  let names = Set(windows.compactMap(\.pane)).sorted().map { "'\($0)'" }
  return "\(names.joined(separator: ", ")) \(names.count == 1 ? "comes" : "come") first"
}

/// Tells what a compositor does with windows that have glass, and which command suits it.
func inform(of hints: [CompositorHint]) {
  for hint in hints { inform("\(hint.finding): \(hint.remedy)") }
}

/// Warns of what hinders glass, and tells what to do.
func warn(of obstructed: [ObstructedGlass]) {
  for glass in obstructed {
    let remedy = glass.remedy.map { "; \($0)" } ?? ""
    warn("the glass of '\(glass.pane)' is not shown: \(glass.finding)\(remedy)")
  }
}

extension DaemonOptions {
  /// Warns of panes that wait for wallpaper.
  func warnOfHiddenWallpaper(_ panes: [PaneReport]) {
    let waiting = panes.filter(\.awaitsWallpaper)
    guard !waiting.isEmpty, let status = try? status() else { return }
    let advice =
      switch (status.wallpaper, status.wallpaperError) {
      case (nil, _): "; the setting 'wallpaper' of backdropd.conf names its picture"
      case (_, let error?): ", and the setting 'wallpaper' has no effect: \(error)"
      case (_, nil): "; the picture of the setting 'wallpaper' is not drawn yet"
      }
    for pane in waiting {
      warn("'\(pane.name)' waits for the wallpaper: windows cover it\(advice)")
    }
  }

  /// Warns if a pane that was added, changed or shown is not seen: it is on no output, or waits for wallpaper, which can be only
  /// on a Wayland compositor. Waits until the daemon has looked for it.
  func warnIfUnseen(_ name: String) {
    func pane() -> PaneReport? { (try? panes())?.first { $0.name == name } }
    guard let added = pane(), added.isShown else { return }
    if added.isOffOutputs {
      warn("no output shows where '\(name)' is; 'backdropctl outputs' lists their places")
    }
    guard added.mayAwaitWallpaper, let status = try? status(),
      case .wayland = DisplayName(status.display), (try? tell(.sync)) != nil
    else { return }
    warnOfHiddenWallpaper(pane().map { [$0] } ?? [])
  }
}

extension PaneReport {
  /// Whether it waits for wallpaper that windows cover, on one of its outputs.
  var awaitsWallpaper: Bool { places.contains { $0.awaitsWallpaper == true } }

  /// Whether it is where no output shows anything.
  var isOffOutputs: Bool { !places.isEmpty && places.allSatisfy { $0.isOffOutputs == true } }

  /// Whether it is shown, and shows the wallpaper without windows on a Wayland compositor.
  fileprivate var mayAwaitWallpaper: Bool {
    isShown
      && (settings["sees"] == .text(BackdropSource.wallpaper.rawValue)
        || [StackingLayer.desktop, .belowDocks].contains { settings["layer"] == .text($0.rawValue) })
  }
}
