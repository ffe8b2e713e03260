import ArgumentParser
import Control
import Doctor
import Engine
import Frost
import Glibc
import Linux
import Panes
import Pictures
import Raster
import WaylandDisplay
import X11Display

/// The ways to show with the pointer where a new pane belongs.
struct PointingOptions: ParsableArguments {
  @Flag(
    help:
      "Drag a rectangle on the screen for the pane. Escape cancels."
  )
  var select = false
  @Flag(help: "Click a window; the glass is behind it and windows of its kind.")
  var window = false

  func validate() throws {
    if select, window { throw ValidationError("--select and --window: choose one") }
  }

  /// Adds the place to settings; does nothing if the options do not ask for it. Checks the settings before the user points.
  /// Throws a `Failure`, or an `ExitCode` if the user cancels.
  func point(
    _ settings: inout PaneSettings, pane: String, replacesOther: Bool, _ daemon: DaemonOptions
  ) throws {
    guard select || window else { return }
    try check(settings, pane: pane)
    if !replacesOther, try daemon.panes().contains(where: { $0.name == pane }) {
      throw Failure(.duplicateName(pane))
    }
    let status = try daemon.status()
    let display = DisplayName(status.display)
    if select {
      switch display {
      case .x11(let name):
        settings.geometry = Geometry(try selectedRect(on: name, scale: status.scale))
      case .wayland(let name):
        let place = try placeBySlurp(on: name)
        settings.output = .named(place.output)
        settings.geometry = Geometry(place.rect)
      }
    } else {
      guard case .x11(let name) = display else {
        throw Failure(
          .unavailable, "\(EngineError.noWindows(display.text)); leave out --window")
      }
      let chosen = try PointedWindow(numbered: nil, on: name)
      settings = PaneChange(chosen.conditions).applied(to: settings)
      let report = try PickReport(
        chosen.window, of: chosen.survey, settings, pane: pane, display: daemon.display)
      inform(report.summary)
      if let hindrance = report.hindrance { warn(hindrance) }
    }
  }

  /// Throws if the settings are wrong, whatever the user points to.
  private func check(_ settings: PaneSettings, pane: String) throws(Failure) {
    let given = Setting.all.filter { $0.group == .place && $0.write(settings) != nil }.map(\.name)
    if select,
      let name = given.first(where: { ["geometry", "size", "anchor", "output"].contains($0) })
    {
      throw Failure(.usage, "--select says where the pane is; leave out --\(name)")
    }
    var settings = settings
    if select {
      settings.geometry = Geometry(Rect(x: 0, y: 0, width: 64, height: 64))
    } else {
      settings.requests = true
    }
    do { _ = try Pane(pane, settings) } catch { throw Failure(error) }
  }
}

extension Geometry {
  /// A rectangle of the screen.
  fileprivate init(_ rect: Rect) {
    self.init(width: rect.width, height: rect.height, x: .fromStart(rect.x), y: .fromStart(rect.y))
  }
}

/// Lets the user drag a rectangle. Throws a `Failure`, or an `ExitCode` if the user cancels.
private func selectedRect(on display: String, scale: Double) throws -> Rect {
  let choice: RectangleSelection.Choice?
  do throws(DisplayError) { choice = try askForRectangle(on: display, scale: scale) } catch {
    throw Failure(.unavailable, "\(error)")
  }
  switch choice {
  case .selected(let rect):
    inform("\(rect)")
    return rect
  case .cancelled: throw cancellation()
  case nil: throw pointerIsTaken(remedy: "close its menu, or give --geometry")
  }
}

/// Nil if another program has the pointer.
private func askForRectangle(
  on display: String, scale: Double
) throws(DisplayError) -> RectangleSelection.Choice? {
  let taken = try askDisplay(display) { _ throws(DisplayError) in
    try RectangleSelection(on: display)
  }
  guard var selection = taken else { return nil }
  let hint = "\(selection.hasKeyboard ? "Escape or " : "")the right button cancels"
  inform("drag a rectangle; \(hint)")
  return try selection.wait(hint: screenLabel("Drag a rectangle; \(hint)", scale: scale)) {
    screenLabel("\($0)", scale: scale)
  }
}

/// Lets the user drag a rectangle with slurp: a compositor gives the pointer to no other client than one with a surface there, and
/// slurp is what its users know. Throws a `Failure`, or an `ExitCode` if the user cancels.
private func placeBySlurp(on display: String) throws -> OutputPlace {
  // slurp waits without a bound for a compositor that does not answer.
  _ = try placeOfLogical(Rect(x: 0, y: 0, width: 1, height: 1), on: display)
  unsafe setenv("WAYLAND_DISPLAY", display, 1)
  let slurp: HelperProcess
  do throws(SystemError) { slurp = try HelperProcess("slurp", ["-d"]) } catch {
    throw Failure(
      .unavailable,
      "on Wayland --select needs the program slurp (\(error)); install the package slurp, or give --geometry"
    )
  }
  inform("drag a rectangle; Escape cancels")
  while !slurp.update() { _ = awaitReadable(slurp.descriptor, within: .seconds(3600)) }
  guard slurp.hasSucceeded else {
    let text = slurp.errorText.split(separator: "\n").last ?? ""
    if text.contains("cancel") { throw cancellation() }
    throw Failure(.unavailable, "slurp has failed: \(text)")
  }
  let text = String(slurp.outputText.prefix { $0 != "\n" })
  guard let logical = Rect(logical: text) else {
    throw Failure(.unavailable, "slurp says '\(text)', which is no rectangle 'X,Y WIDTHxHEIGHT'")
  }
  if let place = try placeOfLogical(logical, on: display) { return place }
  throw Failure(.unavailable, "the rectangle \(text) is on no output")
}

/// Nil if the rectangle is on no output.
private func placeOfLogical(_ rect: Rect, on display: String) throws(Failure) -> OutputPlace? {
  do throws(DisplayError) {
    return try askDisplay(display) { _ throws(DisplayError) in
      try OutputPlace(ofLogical: rect, onCompositor: display)
    }
  } catch { throw Failure(.unavailable, "\(error)") }
}

/// White on dark grey, with a margin. Without fonts a grey bar.
private func screenLabel(_ text: String, scale: Double) -> Bitmap {
  let drawn = (try? Font(parsing: "Sans Bold 10")).flatMap { font in
    try? Label(text, font).drawn(scale: scale).picture
  }
  let letters = drawn ?? Bitmap(width: 60, height: 4, filledWith: 0)
  let margin = Int((5 * scale).rounded())
  var label = Bitmap(
    width: letters.width + 2 * margin, height: letters.height + 2 * margin,
    filledWith: 0xff20_2020)
  let place = letters.bounds.translated(x: margin, y: margin)
  let layout = PixelLayout(label.bounds)
  var pixels = label.pixels.mutableSpan
  compose(place, of: letters.pixels.span, PixelLayout(place), onto: &pixels, layout)
  return label
}
