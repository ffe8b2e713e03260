import ArgumentParser
import Frost
import Panes
import Raster

/// The command `blur`.
struct Blur: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Paints a pane over a PNG file; needs neither backdropd nor a display.",
    discussion: """
      The whole picture becomes glass, or with --geometry the part of it where a pane would be. The blur \
      mirrors the picture at its edges, as it does with the screen. Without --geometry the result is \
      transparent outside the rounded corners, and a shadow makes it larger.

        backdropctl blur screenshot.png frosted.png --sigma 20 --saturation 1.8
        backdropctl blur shot.png panel.png --material dark --geometry 400x300-40+40 --corner 24
        backdropctl blur shot.png note.png --material light --label 'Good morning' --at 20,20
      """)

  @Argument(help: "The PNG file to read.")
  var input: String
  @Argument(help: "The PNG file to write.")
  var output: String
  @OptionGroup var options: SettingOptions<PictureSelection>
  @OptionGroup var content: ContentOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Scale of images and labels, 0.5 to 8.", valueName: "FACTOR"))
  var scale = 1.0
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The part of the picture that becomes glass. (default: all)", valueName: "WxH+X+Y"))
  var geometry: String?
  @Flag(help: "Do not dither: round to the nearest of 256 values; long gradients show bands.")
  var noDither = false

  func run() throws {
    let pane = try makePane()
    let items = try content.items() ?? []
    let geometry = try parsedGeometry()
    let file = try OutputFile(path: output)
    let decoded = try DecodedPNG(path: input)
    let isOpaque = decoded.isOpaque
    // Moved and not copied, because it may be large.
    let picture = (consume decoded).bitmap
    let frame = try frame(of: geometry, on: picture.bounds, pane)
    let size = (width: frame.width, height: frame.height)
    let contents = try items.drawn(for: ContentTarget(scale: scale, pane: size))
    do { try PaneContent.check(contents, on: size) } catch { throw Failure(error) }
    let painted = paintedPane(pane, contents, on: size)
    let result =
      geometry == nil
      ? painted.painted(of: consume picture, isOpaque: isOpaque)
      : painted.painted(on: consume picture, isOpaque: isOpaque, frame)
    let fillsFrame = geometry != nil || pane.decoration.isSharp
    try file.write(png: result, isOpaque: isOpaque && fillsFrame)
  }

  private func parsedGeometry() throws(Failure) -> Geometry? {
    do throws(PaneError) {
      return try geometry.map { text throws(PaneError) in try Geometry(parsing: text) }
    } catch {
      throw Failure(error)
    }
  }

  /// A pane with the given settings and the largest size, so that any corner fits.
  private func makePane() throws(Failure) -> Pane {
    var settings = try options.settings()
    guard settings.sigma != nil || settings.material != nil else {
      throw Failure(
        .usage, "sigma is missing; give the blur, such as --sigma 20, or a --material such as light"
      )
    }
    guard (0.5...8).contains(scale) else {
      throw Failure(.usage, "scale: \(scale) is out of range; it takes 0.5 to 8")
    }
    let side = Geometry.sizeRange.upperBound
    settings.geometry = Geometry(width: side, height: side, x: .fromStart(0), y: .fromStart(0))
    do { return try Pane("blur", settings) } catch { throw Failure(error) }
  }

  /// The rectangle of the pane on a picture. Throws if it shares no pixel with the picture, or if
  /// its corner radius is too large.
  private func frame(
    of geometry: Geometry?, on picture: Rect, _ pane: Pane
  ) throws(Failure) -> Rect {
    let frame = geometry.map { Placement.geometry($0).frame(on: picture) } ?? picture
    do throws(PaneError) {
      guard frame.intersects(picture) else {
        throw .offScreen(
          geometry: geometry.map { "\($0)" } ?? "",
          screen: "\(picture.width)x\(picture.height)")
      }
      try pane.decoration.corner.check(width: frame.width, height: frame.height)
    } catch {
      throw Failure(error)
    }
    return frame
  }

  private func paintedPane(
    _ pane: Pane, _ contents: [PaneContent], on size: (width: Int, height: Int)
  ) -> PaintedPane {
    var material = pane.material
    material.isDithered = !noDither
    return PaintedPane(
      material: material, style: pane.decoration,
      contents: contents.flatMap { $0.placed(on: size) })
  }
}
