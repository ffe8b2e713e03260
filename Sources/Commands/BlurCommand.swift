import ArgumentParser
import Frost
import Glibc
import Linux
import Panes
import Raster

/// The command `blur`.
struct Blur: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Paints a pane over a PNG file; needs neither backdropd nor a display.",
    discussion: """
      The whole picture becomes glass, or with --geometry the part of it where a pane would be. The blur \
      mirrors the picture at its edges, as it does with the screen. Without --geometry the result is \
      transparent outside the rounded corners, and a shadow makes it larger; and its style is plain.

        backdropctl blur screenshot.png frosted.png --sigma 20 --saturation 1.8
        backdropctl blur shot.png panel.png --material dark --geometry 400x300-40+40
        backdropctl blur shot.png note.png --material light --label 'Good morning'
      """)

  @Argument(help: "The PNG file to read; - is the standard input.")
  var input: String
  @Argument(help: "The PNG file to write; - is the standard output.")
  var output: String
  @OptionGroup var plain: PlainOption
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
    if input != standardStream, !input.hasSuffix(".png"),
      unsafe access(input.systemText, F_OK) != 0, errno == ENOENT
    {
      throw Failure(
        .noInput,
        "cannot read \(input): there is no such file; 'blur' paints on a PNG file, and \(glassBehind)"
      )
    }
    let geometry = try parsedGeometry()
    let settings = try settings(isPane: geometry != nil)
    let items = try content.items() ?? []
    let file = try OutputFile(path: output)
    let decoded = try DecodedPNG(path: input)
    let isOpaque = decoded.isOpaque
    // Moved and not copied, because it may be large.
    let picture = (consume decoded).bitmap
    let frame = try frame(of: geometry, on: picture.bounds)
    let size = (width: frame.width, height: frame.height)
    let target = ContentTarget(scale: scale, width: size.width, height: size.height)
    let contents = try items.drawn(for: target)
    var look = try PaneLook(
      settings, over: picture, isOpaque: isOpaque, frame, contents: contents)
    look.material.isDithered = !noDither
    let painted = PaintedPane(
      material: look.material, style: look.decoration,
      contents: contents.flatMap { $0.placed(on: size) })
    let result =
      geometry == nil
      ? painted.painted(of: consume picture, isOpaque: isOpaque)
      : painted.painted(on: consume picture, isOpaque: isOpaque, frame)
    let fillsFrame = geometry != nil || look.decoration.isSharp
    try file.write(png: result, isOpaque: isOpaque && fillsFrame)
  }

  private func parsedGeometry() throws(Failure) -> Geometry? {
    do throws(PaneError) {
      return try geometry.map { text throws(PaneError) in try Geometry(parsing: text) }
    } catch {
      throw Failure(error)
    }
  }

  /// The given settings. Without a geometry the whole picture is blurred, so its style is plain then if none is given.
  private func settings(isPane: Bool) throws(Failure) -> PaneSettings {
    var settings = try options.settings()
    try plain.apply(to: &settings)
    guard isPane || settings.sigma != nil || settings.material != nil || settings.style == .glass
    else {
      throw Failure(
        .usage, "sigma is missing; give the blur, such as --sigma 20, or a --material such as light"
      )
    }
    guard (0.5...8).contains(scale) else {
      throw Failure(.usage, "scale: \(scale) is out of range; it takes 0.5 to 8")
    }
    if !isPane { settings.style = settings.style ?? .plain }
    return settings
  }

  /// The rectangle of the pane on a picture. Throws if it shares no pixel with the picture.
  private func frame(of geometry: Geometry?, on picture: Rect) throws(Failure) -> Rect {
    guard let geometry else { return picture }
    let frame = geometry.rect(on: picture)
    if frame.intersects(picture) { return frame }
    throw Failure(
      PaneError.offScreen(place: "\(geometry)", size: "\(picture.width)x\(picture.height)"))
  }
}
