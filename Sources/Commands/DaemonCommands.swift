import ArgumentParser
import Control
import Glibc

/// The command `list`.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Lists the panes.")

  @Flag(help: "Print a JSON array with all settings.")
  var json = false
  @Flag(help: "Print a wide table with all settings but those of windows.")
  var wide = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let panes = try daemon.panes()
    if json { return try printJSON(panes) }
    print(wide ? wideTable(of: panes) : table(of: panes))
    daemon.warnOfHiddenWallpaper(panes)
    if !panes.isEmpty { daemon.warnOfObstacles(try daemon.status()) }
  }
}

/// The command `outputs`.
struct Outputs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the outputs: the monitors of the display.")

  @Flag(help: "Print a JSON array.")
  var json = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let outputs = try daemon.outputs()
    if json { try printJSON(outputs) } else { print(table(of: outputs)) }
  }
}

/// The command `status`.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the daemon's status and statistics.")

  @Flag(help: "Print a JSON object.")
  var json = false
  @Flag(
    help: "Print the table again each second, with the rates since the last one, until interrupted."
  )
  var watch = false
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    if json && watch { throw ValidationError("--json and --watch: choose one") }
  }

  func run() throws {
    if watch { return try watchStatus() }
    let status = try daemon.status()
    if json { return try printJSON(status) }
    print(table(of: status))
    daemon.warnOfObstacles(status)
  }

  private func watchStatus() throws {
    var last = try daemon.status()
    while true {
      _ = poll(nil, 0, 1000)
      let status = try daemon.status()
      // On a terminal, in the place of the last one.
      let clear = isatty(STDOUT_FILENO) == 1 ? "\u{1b}[H\u{1b}[2J" : ""
      print(clear + rateTable(from: last, to: status) + "\n" + table(of: status))
      fflush(nil)
      last = status
    }
  }
}

/// The command `sync`.
struct Sync: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Waits until the effects of all earlier requests are on the screen.")

  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.sync) }
}

/// The command `refresh`.
struct Refresh: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Captures what is behind all panes again.",
    discussion: """
      Glass follows most changes by itself. Use this where it cannot: if 'status' says that glass is still, or \
      after 'xsetroot -solid', which no program is told of. Panes of still glass vanish for a moment, \
      and the compositor is tested again for live glass.
      """)

  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.refresh) }
}

/// The command `quit`.
struct Quit: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Ends backdropd.")

  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.quit) }
}
