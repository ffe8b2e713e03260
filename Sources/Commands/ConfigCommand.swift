import ArgumentParser
import Configuration
import Control
import Linux
import Panes

/// The command `config`.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Checks, prints and saves the configuration.",
    discussion: """
      The configuration is backdropd/backdropd.conf in $XDG_CONFIG_HOME (by default ~/.config), or in a folder of \
      $XDG_CONFIG_DIRS (by default /etc/xdg). It is described in backdropd.conf(5). backdropd follows it when it changes.
      """,
    subcommands: [ConfigCheck.self, ConfigShow.self, ConfigSave.self])
}

/// The file of a command about the configuration.
struct ConfigurationArgument: ParsableArguments {
  @Argument(
    help: "The file; - is the standard input or output. (default: the configuration)",
    completion: .file())
  var file: String?

  /// The given file, or the first one that exists.
  func path() throws(Failure) -> String {
    if let file { return file == standardStream ? file : absolutePath(file) }
    let candidates = configurationFiles()
    guard let path = firstExisting(candidates) else {
      throw Failure(.noInput, "there is no configuration; it would be \(candidates.first ?? "")")
    }
    return path
  }
}

/// The command `config check`.
struct ConfigCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Prints all that is wrong in a configuration file.",
    discussion: "The exit status is 78 if something is wrong.")

  @OptionGroup var argument: ConfigurationArgument

  func run() throws {
    let file = try ConfigurationFile(reading: argument.path())
    try file.check()
    let panes = file.configuration.panes.count
    let materials = file.configuration.materials.count
    print(
      "\(file.path.printable): nothing is wrong; \(panes) pane\(panes == 1 ? "" : "s"), "
        + "\(materials) material\(materials == 1 ? "" : "s")")
  }
}

/// The command `config show`.
struct ConfigShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints what a configuration file declares, with the defaults of the rest.",
    discussion: "Panes have the settings of their materials. Without a file, prints the defaults.")

  @OptionGroup var argument: ConfigurationArgument

  func run() throws {
    let isMissing = argument.file == nil && firstExisting(configurationFiles()) == nil
    let read = try isMissing ? nil : ConfigurationFile(path: argument.path())
    print((read?.configuration ?? Configuration()).text, terminator: "")
  }
}

/// The command `config save`.
struct ConfigSave: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Makes the panes of the configuration those on the screen.",
    discussion: """
      What has not changed keeps its text and its comments. Ephemeral panes, and those with --for, are not saved. Without a \
      file, it is the configuration that backdropd follows; if that is not one of yours, a copy in your folder.
      """)

  @OptionGroup var argument: ConfigurationArgument
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let source = try daemon.status().configuration
    let old = try source.map { try ConfigurationFile(reading: $0) }
    // The declarations of the daemon must be those of the file.
    _ = try daemon.follow(old)
    guard case .declared(let panes) = try daemon.ask(.declared).reply else {
      throw Failure(.unreadableReply)
    }
    let path = try target(of: source)
    var text = try text(of: old, at: path, panes)
    if path != source, source.map({ configurationFiles().dropFirst().contains($0) }) ?? true {
      text = withOwnHead(text)
    }
    if argument.file == standardStream { return try OutputFile(path: standardStream).write(text) }
    if text != old?.text || path != source { try write(text, to: path) }
    if argument.file == nil { _ = try daemon.follow(ConfigurationFile(reading: path)) }
    print(
      "saved \(panes.present.count) pane\(panes.present.count == 1 ? "" : "s") in \(path.printable)"
    )
  }

  /// The text of a new file of the user. Replaces the comments at the start of a file for all users, up to an empty line, because
  /// they describe that file.
  private func withOwnHead(_ text: [UInt8]) -> [UInt8] {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let head = lines.prefix { $0.first == UInt8(ascii: "#") }.count
    let hasHead = head > 0 && lines.indices.contains(head) && lines[head].isEmpty
    let rest = hasHead ? lines.dropFirst(head + 1) : lines[...]
    return Array(Self.head.utf8) + rest.joined(separator: [UInt8(ascii: "\n")])
  }

  private static let head = """
    # The configuration of backdropd, which follows each change of this file. It is described in backdropd.conf(5);
    # 'backdropctl config check' tells what is wrong, and 'backdropctl config save' writes the panes on the screen into it.


    """

  private func target(of source: String?) throws(Failure) -> String {
    if let file = argument.file, file != standardStream { return absolutePath(file) }
    let candidates = configurationFiles()
    // A file named by `--config` is the choice of the user.
    if let source, !candidates.dropFirst().contains(source) { return source }
    guard let own = candidates.first else {
      throw Failure(.configuration, "HOME is not set, so there is no folder; name a file")
    }
    return own
  }

  private func text(
    of old: ConfigurationFile?, at path: String, _ panes: DeclaredPanes
  ) throws -> [UInt8] {
    let home = environmentVariable("HOME")
    let text = old?.text ?? []
    var read = Configuration()
    if let old {
      read = try Configuration(parsing: text, path: path, home: home)
      let contents = [read, old.configuration].map { $0.panes.map(\.declared) }
      if contents[0] != contents[1] {
        throw Failure(
          .usage,
          "\(old.path) has paths that are relative to its folder; save it there, or make them absolute"
        )
      }
    }
    do throws(SavingError) {
      return try read.text(text, path: path, home: home, from: panes.configured, to: panes.present)
    } catch {
      throw Failure(.data, "\(path): \(error)")
    }
  }

  private func write(_ text: [UInt8], to path: String) throws(Failure) {
    if let folder = path.folderOfPath { _ = makeFolder(folder) }
    try OutputFile(path: path).write(text)
  }
}
