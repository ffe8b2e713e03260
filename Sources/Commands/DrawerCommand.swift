import ArgumentParser
import Control
import Panes

/// The command `drawer`.
struct DrawerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drawer",
    abstract: "Opens or closes a drawer: a pane with --edge.",
    discussion: """
      The drawer falls to its end and bounces there. It can also be pulled with the pointer or a finger, and Escape \
      closes it after that.
      """,
    subcommands: [DrawerOpen.self, DrawerClose.self, DrawerToggle.self])
}

/// The command `drawer open`.
struct DrawerOpen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Opens a drawer.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.drawer(name: pane.name, .open)) }
}

/// The command `drawer close`.
struct DrawerClose: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Closes a drawer.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.drawer(name: pane.name, .close)) }
}

/// The command `drawer toggle`.
struct DrawerToggle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Opens a closed drawer, or closes an open one.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.drawer(name: pane.name, .toggle)) }
}
