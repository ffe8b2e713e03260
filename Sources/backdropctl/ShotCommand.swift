import ArgumentParser
import Control
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
        backdropctl shot lock.png --material dark --output eDP-1 && swaylock -i eDP-1:lock.png
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
    let parts = try chosen(try desktopPicture().parts)
    let bounds = parts.reduce(Rect.zero) { $0.hull($1.output.bounds) }
    var result = Bitmap(width: bounds.width, height: bounds.height, filledWith: 0xff00_0000)
    for part in parts {
      let rect = part.output.bounds.translated(x: -bounds.x, y: -bounds.y)
      result.paint(try glass(settings, over: part.pixels), at: rect)
    }
    try file.write(png: result, isOpaque: true)
  }

  private func desktopPicture() throws(Failure) -> DesktopPicture {
    do {
      let candidates = try DisplayName.candidates(daemon.display)
      switch candidates.first {
      case .x11(let name): return try DesktopPicture(ofServer: name)
      case .wayland(let name): return try DesktopPicture(ofCompositor: name)
      case nil: throw ControlError.noDisplay(.auto)
      }
    } catch let error as ControlError {
      throw Failure(error)
    } catch {
      throw Failure(.unavailable, "\(error)")
    }
  }

  private func chosen(_ parts: [DesktopPicture.Part]) throws(Failure) -> [DesktopPicture.Part] {
    if parts.isEmpty { throw Failure(.unavailable, "no output shows anything") }
    guard let outputName else { return parts }
    let names = parts.map(\.output.name)
    guard let part = parts.first(where: { $0.output.name == outputName }) else {
      throw Failure(.unknownOutput(outputName, all: names))
    }
    return [part]
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
