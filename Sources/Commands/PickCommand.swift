import ArgumentParser
import Control
import Engine
import Panes
import X11Display

/// The command `pick`.
struct Pick: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the command that gives glass to the window that you click, or runs it.",
    discussion: """
      The pointer becomes a cross. A click chooses the window; Escape or the right button cancels. The conditions are the \
      shortest that fit windows of this kind only. Needs an X server, but no backdropd, except with --add. What may \
      hinder the glass, and how many windows would have it, is told on the standard error.

        backdropctl pick
        backdropctl pick --add terminals --material regular-dark
        backdropctl pick --window "$WINDOWID" --json
      """)

  @Option(
    name: .customLong("add"),
    help: ArgumentHelp("Add the pane with this name at once.", valueName: "NAME"))
  var newPane: String?
  @Option(
    name: .customLong("window"),
    help: ArgumentHelp(
      "The window with this number, or in the frame with it, in place of a click.", valueName: "ID")
  )
  var window: String?
  @Flag(help: "Print a JSON object.")
  var json = false
  @OptionGroup var options: SettingOptions<LookSelection>
  @OptionGroup var fade: FadeOption
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let look = try options.settings()
    let fade = try fade.value()
    if let newPane { try checkAddition(of: newPane, look) }
    let chosen = try PointedWindow(numbered: window, on: daemon.pointerDisplay())
    let settings = PaneChange(chosen.conditions).applied(to: look)
    let report = try PickReport(
      chosen.window, of: chosen.survey, settings, pane: newPane, display: daemon.display)
    if let newPane { try daemon.tell(.add(name: newPane, PaneChange(settings), fade)) }
    if json { try printJSON(report) } else { print(report.command) }
    inform(report.summary)
    if let newPane { daemon.warnOfEarlierPanes(than: newPane, settings) }
    if let hindrance = report.hindrance { warn(hindrance) }
  }

  /// Finds what is wrong before the user clicks.
  private func checkAddition(of name: String, _ look: PaneSettings) throws {
    var settings = look
    settings.requests = true
    do { _ = try Pane(name, settings) } catch { throw Failure(error) }
    if try daemon.panes().contains(where: { $0.name == name }) {
      throw Failure(.duplicateName(name))
    }
  }
}
