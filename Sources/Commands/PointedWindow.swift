import ArgumentParser
import Control
import Doctor
import Engine
import Panes
import X11Display

/// A window that the user chooses, among all of its display.
struct PointedWindow {
  let survey: WindowSurvey
  let window: TargetWindow

  /// The window with a number; if no number is given, the window that the user clicks. Throws a `Failure`, or an `ExitCode` if
  /// the user cancels.
  init(numbered text: String?, on display: String) throws {
    let chosen =
      if let text { try Self.window(numbered: text, on: display) } else {
        try Self.clickedWindow(on: display)
      }
    survey = try Self.survey(of: display, inspecting: [chosen.properties.id])
    window = survey.window(numbered: chosen.properties.id) ?? chosen
  }

  private static func window(numbered text: String, on display: String) throws -> TargetWindow {
    let number: WindowNumber
    do { number = try WindowNumber(parsing: text) } catch { throw Failure(error) }
    guard let chosen = try survey(of: display).window(numbered: number.number) else {
      throw Failure(
        .unavailable,
        "no shown window has the number \(number.text); 'xwininfo -root -tree' lists all")
    }
    return chosen
  }

  private static func clickedWindow(on display: String) throws -> TargetWindow {
    let point = try awaitClick(on: display)
    guard let chosen = try survey(of: display).window(atX: point.x, y: point.y) else {
      throw Failure(
        .unavailable, "no window is there, only the root window; click on a window")
    }
    return chosen
  }

  /// The conditions that fit it and windows of its kind only.
  var conditions: PaneSettings {
    PaneSettings(matching: window.properties, among: survey.windows.map(\.properties))
  }

  private static func survey(
    of display: String, inspecting numbers: Set<UInt32> = []
  ) throws(Failure) -> WindowSurvey {
    do throws(DisplayError) {
      return try askDisplay(display) { _ throws(DisplayError) in
        try WindowSurvey(of: display, inspecting: numbers)
      }
    } catch {
      throw Failure(.unavailable, "\(error)")
    }
  }

  private static func awaitClick(on display: String) throws -> (x: Int, y: Int) {
    let choice: WindowClick.Choice?
    do throws(DisplayError) { choice = try askForClick(on: display) } catch {
      throw Failure(.unavailable, "\(error)")
    }
    switch choice {
    case .clicked(let x, let y): return (x, y)
    case .cancelled: throw cancellation()
    case nil:
      throw pointerIsTaken(remedy: "close its menu, or name the window with 'pick --window ID'")
    }
  }

  /// Nil if another program has the pointer.
  private static func askForClick(
    on display: String
  ) throws(DisplayError) -> WindowClick.Choice? {
    let taken = try askDisplay(display) { _ throws(DisplayError) in try WindowClick(on: display) }
    guard var click = taken else { return nil }
    inform("click a window; \(click.hasKeyboard ? "Escape or " : "")the right button cancels")
    return try click.wait()
  }
}

/// The failure of a command that needs the pointer.
func pointerIsTaken(remedy: String) -> Failure {
  Failure(.unavailable, "another program has grabbed the pointer; \(remedy)")
}

/// Says that the user has cancelled. Returns the status of a program that Ctrl-C has ended, in a shell.
func cancellation() -> ExitCode {
  inform("cancelled")
  return ExitCode(130)
}

extension DaemonOptions {
  /// The X server of the command. Throws if there is none; the pointer can be taken only there.
  func pointerDisplay() throws(Failure) -> String {
    do throws(ControlError) {
      return try DisplayName.candidates(display, server: .x11)[0].text
    } catch {
      throw Failure(error)
    }
  }
}
