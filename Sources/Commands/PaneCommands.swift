import ArgumentParser
import Control
import Panes

/// The command `add`.
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Adds a pane and shows it.",
    discussion: """
      A pane is a sheet of glass for light or dark surroundings, with round corners, a thin border and a soft shadow. \
      With --plain it is a blur of sigma 20 and nothing else. Clicks pass to what is below.

        backdropctl add panel --geometry 400x300+760+390 --tint '#10182080'
        backdropctl add note --geometry 300x80-20+20 --label 通知センター
        backdropctl add side --anchor right --size 25%x100% --margin 12
        echo 'Build done' | backdropctl add message --geometry auto --label - --for 5s
      """)

  @OptionGroup var pane: NameArgument
  @OptionGroup var pointing: PointingOptions
  @OptionGroup var addition: AdditionOptions
  @OptionGroup var plain: PlainOption
  @OptionGroup var options: SettingOptions<PaneSelection>
  @OptionGroup var content: ContentOptions
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    var settings = try options.settings()
    try plain.apply(to: &settings)
    try pointing.point(
      &settings, pane: pane.name, replacesOther: addition.replacesOther, daemon)
    // Checks the settings before content is drawn.
    do { _ = try Pane(pane.name, settings) } catch {
      if case .missing(setting: "geometry", _) = error { throw Self.missingPlace }
      throw Failure(error)
    }
    let declared = settings
    settings.contents = try content.contents { () throws(Failure) in
      try daemon.target(of: declared)
    }
    try daemon.tell(addition.request(pane.name, settings, fade.value()))
    if pointing.window { daemon.warnOfEarlierPanes(than: pane.name, settings) }
    daemon.warnOfAbsentOutputs(of: [settings.output])
    daemon.warnIfUnseen(pane.name)
  }
}

extension Add {
  fileprivate static let missingPlace = Failure(
    .usage,
    "geometry is missing; a new pane needs --geometry 400x300-40+40, --size 400x300 --anchor top-right, or --select"
  )
}

/// Whether the next daemon gets what a command changes.
struct EphemeralOption: ParsableArguments {
  @Flag(
    name: .customLong("ephemeral"),
    help: "Do not save this for the next start, as for what a script does again.")
  var isEphemeral = false
}

/// How a pane is added.
struct AdditionOptions: ParsableArguments {
  @Flag(
    name: .customLong("or-set"),
    help: "If there is a pane with this name, change it to what would be added.")
  var replacesOther = false
  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp(
      "Remove the pane after this time, with its fade: 500ms, 5s, 2min, 1h.", valueName: "TIME"))
  var lifetime: String?
  @OptionGroup var keeping: EphemeralOption

  /// The request that adds a pane.
  func request(
    _ name: String, _ settings: PaneSettings, _ fade: Fade
  ) throws(Failure) -> Request {
    .add(
      name: name, PaneChange(settings), fade, orSet: replacesOther, for: try parsedLifetime(),
      isEphemeral: keeping.isEphemeral)
  }

  private func parsedLifetime() throws(Failure) -> Lifetime? {
    guard let lifetime else { return nil }
    do { return try Lifetime(parsing: lifetime) } catch { throw Failure(error) }
  }
}

/// The command `set`.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Changes the given settings of a pane and keeps the others.",
    discussion: """
      A material replaces the previous look. The given images and labels replace all previous ones.

        backdropctl set panel --label 12:45 --at 20,20 --content bell.png --at -20,20
        backdropctl set panel --content none
        backdropctl set panel --reset tint --reset shadow
      """)

  @OptionGroup var pane: NameArgument
  @OptionGroup var plain: PlainOption
  @OptionGroup var options: SettingOptions<ChangeSelection>
  @OptionGroup var content: ContentOptions
  @Option(
    name: .customLong("reset"),
    help: ArgumentHelp(
      "Set this setting back to its default. Can be repeated.", valueName: "SETTING"),
    completion: .list(Setting.all.map(\.name)))
  var resetNames: [String] = []
  @OptionGroup var keeping: EphemeralOption
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    var change = try options.change()
    try plain.apply(to: &change.settings)
    for name in resetNames {
      do { change.reset.insert(try Setting.named(name).name) } catch { throw Failure(error) }
    }
    let declared = change
    change.settings.contents = try content.contents { () throws(Failure) in
      try daemon.target(
        of: declared.applied(to: daemon.placeSettings(of: pane.name) ?? PaneSettings()))
    }
    if change.isEmpty {
      throw Failure(.usage, "nothing to set; give at least one setting, such as --sigma 20")
    }
    try daemon.tell(
      .set(name: pane.name, change, try fade.value(), isEphemeral: keeping.isEphemeral))
    daemon.warnOfAbsentOutputs(of: [change.settings.output])
    daemon.warnIfUnseen(pane.name)
  }
}

/// The command `remove`.
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Removes a pane, or all panes.")

  @Argument(
    help: "The pane.", completion: .custom { words, _, _ in paneNames(completing: words) })
  var name: String?
  @Flag(name: .customLong("all"), help: "Remove all panes.")
  var removesAll = false
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    if (name == nil) != removesAll {
      throw ValidationError("give the name of one pane, which 'list' prints, or --all")
    }
  }

  func run() throws {
    guard let name else { return _ = try daemon.ask(.apply([], isRehearsal: false)) }
    try daemon.tell(.remove(name: name))
  }
}

/// The command `show`.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Shows a hidden pane.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    try daemon.tell(.show(name: pane.name, fade.value()))
    daemon.warnIfUnseen(pane.name)
  }
}

/// The command `hide`.
struct Hide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hides a pane and keeps its settings.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.hide(name: pane.name, fade.value())) }
}

/// The command `toggle`.
struct Toggle: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hides a shown pane, or shows a hidden pane.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    try daemon.tell(.toggle(name: pane.name, fade.value()))
    daemon.warnIfUnseen(pane.name)
  }
}
