import ArgumentParser
import Control
import Engine
import Panes
import X11Display

/// The command `pick`.
struct Pick: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the command that puts glass behind the window that you click, or runs it.",
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
    let display = try serverName()
    let (survey, chosen) = try choose(on: display)
    let conditions = PaneSettings(
      matching: chosen.properties, among: survey.windows.map(\.properties))
    let settings = PaneChange(conditions).applied(to: look)
    let report = try PickReport(
      chosen, of: survey, settings, pane: newPane, display: daemon.display)
    if let newPane { try daemon.tell(.add(name: newPane, PaneChange(settings), fade)) }
    if json { try printJSON(report) } else { print(report.command) }
    inform(report.summary)
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

  private func serverName() throws(Failure) -> String {
    do throws(ControlError) {
      return try DisplayName.candidates(daemon.display, server: .x11)[0].text
    } catch {
      throw Failure(error)
    }
  }

  // MARK: Choice

  private func choose(on display: String) throws -> (WindowSurvey, TargetWindow) {
    if let text = window {
      let number: WindowNumber
      do { number = try WindowNumber(parsing: text) } catch { throw Failure(error) }
      let survey = try survey(of: display)
      if let chosen = survey.window(numbered: number.number) { return (survey, chosen) }
      throw Failure(
        .unavailable,
        "no shown window has the number \(number.text); 'xwininfo -root -tree' lists all")
    }
    let point = try awaitClick(on: display)
    let survey = try survey(of: display)
    if let chosen = survey.window(atX: point.x, y: point.y) { return (survey, chosen) }
    throw Failure(.unavailable, "no window is there, only the root window; click on a window")
  }

  private func survey(of display: String) throws(Failure) -> WindowSurvey {
    do { return try WindowSurvey(of: display) } catch { throw Failure(.unavailable, "\(error)") }
  }

  private func awaitClick(on display: String) throws -> (x: Int, y: Int) {
    let choice: WindowClick.Choice?
    do throws(DisplayError) { choice = try Self.askForClick(on: display) } catch {
      throw Failure(.unavailable, "\(error)")
    }
    switch choice {
    case .clicked(let x, let y): return (x, y)
    case .cancelled:
      inform("cancelled")
      throw ExitCode(Self.cancelledStatus)
    case nil:
      throw Failure(
        .unavailable,
        "another program has grabbed the pointer; close its menu, or name the window with --window ID"
      )
    }
  }

  /// Nil if another program has the pointer.
  private static func askForClick(
    on display: String
  ) throws(DisplayError) -> WindowClick.Choice? {
    guard var click = try WindowClick(on: display) else { return nil }
    inform("click a window; \(click.hasKeyboard ? "Escape or " : "")the right button cancels")
    return try click.wait()
  }

  /// The status of a program that Ctrl-C has ended, in a shell.
  private static let cancelledStatus: Int32 = 130
}
