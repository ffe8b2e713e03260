import ArgumentParser
import Control
import Panes

struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Adds a pane and shows it.",
    discussion: """
      Settings that are not given: sigma 20, colours left alone, no tint, square corners, no shadow, no \
      border; clicks pass.

        backdropctl add panel --geometry 400x300+760+390 --saturation 1.8 --tint '#10182080'
        backdropctl add note --geometry 300x80-20+20 --label 通知センター --font 'Sans Bold 24'
      """)

  @OptionGroup var pane: NameArgument
  @OptionGroup var options: PaneOptions
  @OptionGroup var content: ContentOptions
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    var change = try options.change()
    do throws(PaneError) {
      _ = try change.makePane(named: pane.name)
    } catch {
      throw Failure(error)
    }
    change.contents = try content.contents(scale: daemon.scale)
    try daemon.tell(.add(name: pane.name, change, try fade.value()))
  }
}

struct Set: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Changes the given settings of a pane, and leaves the others.",
    discussion: """
      Of what a pane holds, all that is given replaces all that was there.

        backdropctl set panel --label 12:45 --at 20,20 --content bell@2x.png --at -20,20
        backdropctl set panel --content none
      """)

  @OptionGroup var pane: NameArgument
  @OptionGroup var options: PaneOptions
  @OptionGroup var content: ContentOptions
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    var change = try options.change()
    change.contents = try content.contents(scale: daemon.scale)
    if change == PaneChange() {
      throw Failure(.usage, "nothing to set; give at least one setting, as in --sigma 20")
    }
    try daemon.tell(.set(name: pane.name, change, try fade.value()))
  }
}

struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Removes a pane.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.remove(name: pane.name)) }
}

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Shows a pane that was hidden.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.show(name: pane.name, fade.value())) }
}

struct Hide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Takes a pane off the screen, and keeps its settings.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.hide(name: pane.name, fade.value())) }
}

struct Toggle: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hides a pane that is shown, and shows one that is hidden.")

  @OptionGroup var pane: NameArgument
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws { try daemon.tell(.toggle(name: pane.name, fade.value())) }
}
