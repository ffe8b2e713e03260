import ArgumentParser
import Control
import Panes
import Pictures
import Raster

/// The command `redraw`.
struct Redraw: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws the images and labels of panes again.",
    discussion: """
      For example after an image file has changed, or a font was installed. When the scale or the size of a pane \
      changes, backdropd runs this command itself.
      """)

  @Argument(help: "The panes. (default: all)")
  var names: [String] = []
  @Flag(help: "Draw only what has another scale, or was wrapped for another size, than its pane.")
  var outdated = false
  @Flag(help: "Draw the wallpaper of the configuration.")
  var wallpaper = false
  @OptionGroup var daemon: DaemonOptions

  func validate() throws {
    if wallpaper, !names.isEmpty || outdated {
      throw ValidationError("--wallpaper takes neither panes nor --outdated")
    }
  }

  func run() throws {
    if wallpaper { return try paintWallpaper() }
    var failures: [Failure] = []
    for drawing in try names.isEmpty ? drawings(of: nil) : names.flatMap(drawings) {
      do throws(Failure) {
        try daemon.tell(.redraw(name: drawing.name, drawing.drawn()))
      } catch {
        failures.append(Failure(error.kind, "pane '\(drawing.name)': \(error.text)"))
      }
    }
    for failure in failures.dropLast() { failure.report() }
    if let last = failures.last { throw last }
  }

  private func drawings(of name: String?) throws(Failure) -> [DrawingReport] {
    let reply = try daemon.ask(.drawings(name: name, isAll: !outdated)).reply
    guard case .drawings(let drawings) = reply else { throw Failure(.unreadableReply) }
    return drawings
  }
}

extension Redraw {
  /// Draws the wallpaper for the outputs that need it.
  private func paintWallpaper() throws {
    let reply = try daemon.ask(.wallpaper).reply
    // No wallpaper is declared, or no pane shows it.
    if case .done = reply { return }
    guard case .wallpaper(let report) = reply else { throw Failure(.unreadableReply) }
    let wallpaper: DeclaredWallpaper
    do { wallpaper = try report.wallpaper() } catch { throw Failure(error) }
    let picture = try wallpaper.path.map { path throws(Failure) in
      try DecodedPNG(path: path).bitmap
    }
    let pictures = try report.targets.map { target throws(Failure) in
      do throws(PictureError) {
        return WallpaperPicture(
          output: target.output, bitmap: try wallpaper.drawn(picture, on: target))
      } catch {
        throw Failure(error)
      }
    }
    try daemon.tell(.paintWallpaper(number: report.number, pictures))
  }
}

extension DrawingReport {
  /// The content, declared as it is, drawn for the size and the scale.
  fileprivate func drawn() throws(Failure) -> [PaneContent] {
    let drawn = try content.map { report throws(Failure) in
      try ContentItem(ContentGroup(report))
    }.drawn(for: target)
    let declarations: [PaneContent.Declaration]
    do { declarations = try self.declarations() } catch { throw Failure(.internal, "\(error)") }
    return zip(declarations, drawn).map { PaneContent($0, drawing: $1.drawing) }
  }
}

extension ContentGroup {
  fileprivate init(_ report: ContentReport) {
    item = report.image.map { ContentWord(.content, $0) } ?? ContentWord(.label, report.label ?? "")
    attributes[.at] = report.at
    attributes[.vibrancy] = report.vibrancy ?? "none"
    attributes[.font] = report.font
    attributes[.color] = report.color
    attributes[.wrap] = report.wrap
    attributes[.ellipsize] = report.ellipsize
  }
}
