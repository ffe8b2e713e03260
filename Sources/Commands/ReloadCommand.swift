import ArgumentParser
import Control

/// The command `reload`.
struct Reload: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reads the configuration again.",
    discussion: """
      backdropd does so by itself when the file changes. If something is wrong, nothing changes. What commands have changed \
      stays where the configuration has not changed; with --discard it ends.
      """)

  @Flag(help: "Undo what commands have changed: the panes are those of the configuration.")
  var discard = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let path = try daemon.status().configuration
    let file = try path.map { try ConfigurationFile(reading: $0) }
    let actions = try daemon.follow(file, isExact: discard)
    for action in actions where action.action != "keep" { print("\(action.action) \(action.name)") }
  }
}
