import ArgumentParser
import Control
import Engine
import Panes

/// The command `behind`: glass right beneath windows of other programs.
struct Behind: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Gives glass to the windows of other programs: terminals, editors, panels and menus.",
    discussion: """
      The glass is right beneath a translucent window that a compositor blends. Over any other window it takes the place \
      of the even background, unless '--background' is none. The first pane that matches a window gives it its glass. It \
      has no tint, because the window has a colour of its own; '--style glass' and '--material' tint it. 'set', 'show', \
      'hide' and 'remove' work on these panes too.

        backdropctl behind add terminals --class kitty
        backdropctl behind add editors --class mousepad
        backdropctl behind add panel --type dock --sigma 20
        backdropctl behind requests on
        backdropctl behind list
      """,
    subcommands: [
      BehindAdd.self, BehindRequests.self, BehindList.self, BehindMatch.self, BehindRemove.self,
    ])
}

/// The command `behind add`.
struct BehindAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Adds glass for all windows that fulfil conditions.",
    discussion: """
      Every window that fulfils all of the conditions gets glass of its own, which follows it. Where a window asks for blur \
      by _KDE_NET_WM_BLUR_BEHIND_REGION, the glass is only there.

        backdropctl behind add terminals --class kitty --exclude title=vim
        backdropctl behind add menus --override-redirect --corner 8
      """)

  @OptionGroup var pane: NameArgument
  @OptionGroup var addition: AdditionOptions
  @OptionGroup var options: SettingOptions<BehindSelection>
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let settings = try options.settings()
    guard settings.isBehindWindows else { throw Self.missingCondition(pane: pane.name) }
    do { _ = try Pane(pane.name, settings) } catch { throw Failure(error) }
    try daemon.tell(addition.request(pane.name, settings, fade.value()))
    // The pane was added, so the command does not fail if the obstacles cannot be determined.
    guard let match = try? settings.placement().behind?.match,
      let windows = try? daemon.windows(fulfilling: match).found,
      let glass = try? daemon.glassWindows()
    else { return }
    inform(summary(of: windows))
    warnOfPanes(before: pane.name, having: windows)
    warn(of: glass.obstructed.filter { $0.pane == pane.name })
    inform(of: glass.hints.filter { $0.pane == pane.name })
  }

  /// How many windows fulfil the conditions.
  private func summary(of windows: [WindowReport]) -> String {
    switch windows.count {
    case 0:
      "no window fulfils the conditions now; glass comes with one that does ('behind match' lists all windows)"
    case 1: "1 window fulfils the conditions now"
    default: "\(windows.count) windows fulfil the conditions now"
    }
  }

  /// `name` is often meant as that of the windows.
  static func missingCondition(pane name: String) -> Failure {
    Failure(
      .usage,
      "no condition on windows; did you mean '--class \(shellWord(name))'? 'backdropctl behind match' lists the windows "
        + "and what a condition can name")
  }
}

/// The command `behind requests`.
struct BehindRequests: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "requests", abstract: "Fulfils the requests of programs for blur, or ends this.",
    discussion: """
      Programs ask by the property _KDE_NET_WM_BLUR_BEHIND_REGION; 'xprop' can set it for others. 'on' adds a pane with \
      the name 'requests', or changes its look; windows that another pane matches have the look of that one.
      """)

  @Argument(help: "on or off.", completion: .list(["on", "off"]))
  var state: State
  @OptionGroup var options: SettingOptions<LookSelection>
  @OptionGroup var daemon: DaemonOptions

  /// Whether requests are fulfilled.
  enum State: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  /// The name of the pane.
  static let name = "requests"

  func run() throws {
    let pane = try daemon.panes().first { $0.name == Self.name }
    if let pane, pane.settings["requests"] != .flag(true) {
      throw Failure(
        .usage, "the pane '\(Self.name)' is not one for requests; remove it first with 'remove'")
    }
    switch (state, pane != nil) {
    case (.on, false):
      var settings = try options.settings()
      settings.requests = true
      try daemon.tell(.add(name: Self.name, PaneChange(settings)))
    case (.on, true):
      let change = try options.change()
      if !change.isEmpty { try daemon.tell(.set(name: Self.name, change)) }
      try daemon.tell(.show(name: Self.name))
    case (.off, true): try daemon.tell(.remove(name: Self.name))
    case (.off, false): break
    }
  }
}

/// The command `behind list`.
struct BehindList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the glass behind windows.")

  @Flag(help: "Print a JSON array of windows.")
  var json = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let glass = try daemon.glassWindows()
    if json { return try printJSON(glass.windows) }
    let panes = try daemon.panes().filter(\.isBehindWindows)
    print(table(of: glass.windows, behind: panes))
    warn(of: glass.obstructed)
    inform(of: glass.hints)
  }
}

/// The command `behind match`.
struct BehindMatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Lists the windows that fulfil conditions; without any, all.",
    discussion: """
      backdropctl behind match --class kitty
      """)

  @OptionGroup var options: SettingOptions<WindowSelection>
  @Flag(help: "Print a JSON array.")
  var json = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let settings = try options.settings()
    var match = WindowMatch()
    if settings != PaneSettings() {
      do {
        guard let behind = try settings.placement().behind else {
          throw Failure(.usage, "no condition on windows; give at least one, such as --class kitty")
        }
        match = behind.match
      } catch let error as PaneError { throw Failure(error) }
    }
    let (windows, undecided) = try daemon.windows(fulfilling: match)
    if json { try printJSON(windows) } else { print(table(of: windows)) }
    if undecided.isEmpty { return }
    let numbers = undecided.map(\.window).joined(separator: ", ")
    warn(
      "the search takes too many steps in the title of \(numbers); \(TargetState.Obstacle.titleAdvice)"
    )
  }
}

/// The command `behind remove`.
struct BehindRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes glass behind windows.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let pane = try daemon.panes().first { $0.name == self.pane.name }
    if let pane, !pane.isBehindWindows {
      throw Failure(
        .usage, "the pane '\(pane.name)' is not behind windows; remove it with 'remove'")
    }
    try daemon.tell(.remove(name: self.pane.name))
  }
}

extension PaneReport {
  /// Whether it is right beneath windows.
  var isBehindWindows: Bool {
    Setting.all.contains { $0.group == .window && settings[$0.name] != nil }
  }
}
