import ArgumentParser
import Control

/// The command `cache`.
struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists or clears the cache of backdrops.",
    discussion: """
      The daemon keeps the backdrops of panes that were shown, so that they appear at once when they are shown again, \
      or when an output is rotated back.
      """,
    subcommands: [CacheList.self, CacheClear.self], defaultSubcommand: CacheList.self)
}

/// The command `cache list`.
struct CacheList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the entries of the cache (the default).",
    discussion: """
      An entry has the tiles of one part of an output in one orientation, seen below a layer of panes, in cells of one \
      size. Those that shown panes need come first, then those that were needed last.
      """)

  @Flag(help: "Print a JSON array.")
  var json = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    guard case .cache(let entries) = try daemon.ask(.cache).reply else {
      throw Failure(.unreadableReply)
    }
    if json { try printJSON(entries) } else { print(table(of: entries)) }
  }
}

/// The command `cache clear`.
struct CacheClear: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Removes what no shown pane needs from the cache.")

  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.clearCache) }
}
