import FoundationEssentials
import Panes
import TestSupport
import Testing

struct ManualTests {
  @Test(arguments: ["backdropd", "backdropctl"])
  func optionsAreInHelpAndManual(_ program: String) throws {
    let commands = try help(of: program).all
    #expect(commands.flatMap(\.options).count >= 5)
    let manual = try Checkout.file("docs/man/\(program).1")
    for command in commands { report(undocumented(command, in: manual)) }
  }

  /// The parser breaks lines of help at 80 columns, and half of a command cannot be pasted.
  @Test(arguments: ["backdropd", "backdropctl"])
  func examplesInHelpAreNotBroken(_ program: String) throws {
    for command in try help(of: program).all {
      for line in (command.discussion ?? "").split(separator: "\n")
      where line.hasPrefix("  ") && line.count > 80 {
        Issue.record("\(command.commandName): this line has \(line.count) columns: \(line)")
      }
    }
  }

  @Test func settingsAreInHelpAndManual() throws {
    let manual = try Checkout.file("docs/man/backdropctl.1")
    let set = try help(of: "backdropctl").all.first { $0.commandName == "set" }
    for setting in Setting.all {
      #expect(isDocumented(setting.name, in: manual), "\(setting.name) is not in \(manual.path)")
      #expect(
        set?.options.contains { $0.name == setting.name } == true,
        "\(setting.name) is not in 'backdropctl set --help'")
    }
  }

  /// The man page of the configuration has all settings, and so has the file that is installed.
  @Test func configurationIsInItsManual() throws {
    let manual = try Checkout.file("docs/man/backdropd.conf.5")
    let words = manual.lines.filter { $0.contains("Ic ") }.flatMap {
      $0.split { " ,".contains($0) }.map(String.init)
    }
    let names = DaemonSetting.all.map(\.name) + Setting.all.map(\.name)
    for name in names + ["materials", "panes", "name", "shown", "image", "label"] {
      #expect(words.contains(name), "\(name) is not in \(manual.path)")
    }
    let installed = try Checkout.file("packaging/backdropd.conf")
    for setting in DaemonSetting.all {
      #expect(installed.lines.contains { $0.hasPrefix("#\(setting.name) = ") }, "\(setting.name)")
    }
    // All of it is a comment. Without the signs, it is a configuration.
    #expect(installed.lines.allSatisfy { $0.isEmpty || $0.hasPrefix("#") })
    let folder = try TemporaryDirectory()
    // Its wallpaper is not there.
    let text = installed.lines.filter { !$0.hasPrefix("# ") || $0.hasPrefix("#  ") }
      .filter { !$0.hasPrefix("#wallpaper = ") }
      .map { $0.dropFirst() }.joined(separator: "\n")
    try writeText(text, to: folder.path + "/a.conf")
    let check = try Child.run(
      ProgramPaths.backdropctl, ["config", "check", folder.path + "/a.conf"], environment: [:])
    #expect(check.status == .exited(0) && check.out.contains("4 panes"), "\(check.err)\(text)")
  }

  @Test func undocumentedOptionIsFound() {
    let manual = TextFile(
      "a.1",
      """
      .Sh SYNOPSIS
      .Op Fl -rate Ar frames
      .Sh DESCRIPTION
      .It Fl v , -verbose
      .It Fl -json Ar file
      .Fl -fade ,
      """)
    #expect(isDocumented("verbose", in: manual))
    #expect(isDocumented("json", in: manual))
    #expect(isDocumented("fade", in: manual))
    #expect(!isDocumented("rate", in: manual))
    #expect(!isDocumented("js", in: manual))

    let rate = CommandHelp.Option(
      names: [.init(kind: "long", name: "rate")], abstract: "Frames per second.")
    let json = CommandHelp.Option(names: [.init(kind: "long", name: "json")], abstract: nil)
    let command = CommandHelp(
      commandName: "a", discussion: nil, arguments: [rate, json], subcommands: nil)
    #expect(
      undocumented(command, in: manual).map(\.description) == [
        "a.1: --rate of 'a' is not described", "a.1: --json of 'a' has no help",
      ])
  }
}

/// The options of a command that the man page or `--help` do not describe.
private func undocumented(_ command: CommandHelp, in manual: TextFile) -> [Finding] {
  command.options.flatMap { option in
    let name = "--\(option.name) of '\(command.commandName)'"
    let missing = isDocumented(option.name, in: manual) ? [] : ["\(name) is not described"]
    let unexplained = option.help.isEmpty ? ["\(name) has no help"] : []
    return (missing + unexplained).map { Finding(manual.path, $0) }
  }
}

/// Whether a man page names a long option outside of its synopsis.
private func isDocumented(_ option: String, in manual: TextFile) -> Bool {
  var isInSynopsis = false
  for line in manual.lines {
    if line.hasPrefix(".Sh") { isInSynopsis = line == ".Sh SYNOPSIS" }
    let words = line.split(separator: " ")
    let isFlag = words.contains("Fl") || words.first == ".Fl"
    if !isInSynopsis, isFlag, words.contains("-\(option)") { return true }
  }
  return false
}

private func help(of program: String) throws -> CommandHelp {
  let path = program == "backdropd" ? ProgramPaths.backdropd : ProgramPaths.backdropctl
  let outcome = try Child.run(path, ["--experimental-dump-help"], environment: [:])
  return try JSONDecoder().decode(HelpDump.self, from: Data(outcome.out.utf8)).command
}

/// The help of a program as the argument parser prints it in JSON.
private struct HelpDump: Decodable {
  let command: CommandHelp
}

private struct CommandHelp: Decodable {
  struct Option: Decodable {
    struct Name: Decodable {
      let kind, name: String
    }

    /// Nil for positional arguments.
    let names: [Name]?
    let abstract: String?

    var long: String? { names?.first { $0.kind == "long" }?.name }
  }

  let commandName: String
  let discussion: String?
  let arguments: [Option]?
  let subcommands: [CommandHelp]?

  /// The options with their long names, without `--help`, which the parser adds to every command.
  var options: [(name: String, help: String)] {
    (arguments ?? []).compactMap { option in
      guard let name = option.long, name != "help" else { return nil }
      return (name, option.abstract ?? "")
    }
  }

  /// This command and all below it.
  var all: [CommandHelp] { [self] + (subcommands ?? []).flatMap(\.all) }
}
