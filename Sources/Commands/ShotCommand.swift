import ArgumentParser
import Control
import Doctor
import Engine
import Frost
import Panes
import Raster
import WaylandDisplay
import X11Display

/// The command `shot`.
struct Shot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the desktop as glass to a PNG file, for lock screens and greeters.",
    discussion: """
      The whole screen is captured, without the pointer, and each output becomes glass, as a pane as large as it would be. \
      Needs a display, but no backdropd. Without settings of the look it is a plain blur of sigma 20.

        backdropctl shot ~/.cache/lock.png --sigma 20 && i3lock -i ~/.cache/lock.png
        backdropctl shot lock.png --output eDP-1 && swaylock -i eDP-1:lock.png
      """)

  @Argument(help: "The PNG file to write; - is the standard output.")
  var file: String
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "Only the output with this name. (default: all, at their places)", valueName: "NAME"))
  var outputName: String?
  @OptionGroup var options: SettingOptions<PictureSelection>
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    var settings = try options.settings()
    settings.style = settings.style ?? .plain
    if settings.material == nil, settings.sigma == nil { settings.sigma = 20 }
    let file = try OutputFile(path: file)
    let picture = try desktopPicture()
    let parts = try chosen(picture.parts)
    let bounds = outputName == nil ? picture.bounds : parts[0].output.bounds
    var result = Bitmap(width: bounds.width, height: bounds.height, filledWith: 0xff00_0000)
    for part in parts {
      guard let pixels = part.pixels else {
        warn("output '\(part.output.name)' could not be captured, as one that is off; it is black")
        continue
      }
      let rect = part.output.bounds.translated(x: -bounds.x, y: -bounds.y)
      result.paint(try glass(settings, over: pixels), at: rect)
    }
    try file.write(png: result, isOpaque: true)
  }

  /// The picture of the first display that can be captured.
  private func desktopPicture() throws(Failure) -> DesktopPicture {
    let candidates: [DisplayName]
    do { candidates = try DisplayName.candidates(daemon.display) } catch { throw Failure(error) }
    var reasons: [String] = []
    for candidate in candidates {
      do throws(DisplayError) { return try picture(of: candidate) } catch {
        reasons.append("\(error)")
      }
    }
    throw Failure(.unavailable, reasons.joined(separator: "; "))
  }

  private func picture(of display: DisplayName) throws(DisplayError) -> DesktopPicture {
    try askDisplay(display.text) { progress throws(DisplayError) in
      switch display {
      case .x11(let name): try DesktopPicture(ofServer: name, recordStep: progress.recordStep)
      case .wayland(let name):
        try DesktopPicture(ofCompositor: name, recordStep: progress.recordStep)
      }
    }
  }

  /// The parts of the named output, or of all outputs but mirrors. Throws if there is no such output, or if no part could be
  /// captured.
  private func chosen(_ parts: [DesktopPicture.Part]) throws(Failure) -> [DesktopPicture.Part] {
    // A mirror shows what is in the picture already.
    let chosen = parts.filter { part in
      outputName.map { $0 == part.output.name } ?? !part.output.isMirror
    }
    if let outputName, chosen.isEmpty {
      throw Failure(.unknownOutput(outputName, all: parts.map(\.output.name)))
    }
    if chosen.allSatisfy({ $0.pixels == nil }) {
      let name = outputName.map { "output '\($0)' shows nothing; is it off?" }
      throw Failure(.unavailable, name ?? "no output shows anything")
    }
    return chosen
  }

  /// The glass of a whole picture, in the scheme that suits it. Throws if a setting is wrong.
  private func glass(_ settings: PaneSettings, over picture: Bitmap) throws(Failure) -> Bitmap {
    let look = try PaneLook(settings, over: picture, isOpaque: true, picture.bounds, contents: [])
    return PaintedPane(material: look.material, style: look.decoration, contents: [])
      .painted(on: picture, isOpaque: true, picture.bounds)
  }
}

extension Shot: GlassCommand {}

extension Bitmap {
  /// Copies a picture of the size of `rect` to this place, which must be inside.
  fileprivate mutating func paint(_ picture: Bitmap, at rect: Rect) {
    for y in 0..<rect.height {
      let start = (rect.y + y) * width + rect.x
      pixels.replaceSubrange(
        start..<start + rect.width,
        with: picture.pixels[y * rect.width..<(y + 1) * rect.width])
    }
  }
}
