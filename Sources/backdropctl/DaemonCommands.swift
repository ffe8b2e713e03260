import ArgumentParser
import Control

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Lists the panes.")

  @Flag(help: "Print a JSON array, with every setting.")
  var json = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    guard case .panes(let panes) = try daemon.ask(.list).reply else {
      throw Failure(.unreadableReply)
    }
    if json { try printJSON(panes) } else { print(table(of: panes)) }
  }
}

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says how backdropd is, and what it has done since its start.")

  @Flag(help: "Print a JSON object.")
  var json = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    guard case .status(let status) = try daemon.ask(.status).reply else {
      throw Failure(.unreadableReply)
    }
    if json { try printJSON(status) } else { print(table(of: status)) }
  }
}

struct Sync: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Waits until all that was asked before has reached the screen.")

  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.sync) }
}

struct Quit: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Ends backdropd.")

  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.quit) }
}
