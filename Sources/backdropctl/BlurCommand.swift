import ArgumentParser
import Frost
import Panes
import Raster

struct Blur: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Paints a pane over a PNG file; needs no backdropd and no display.",
    discussion: """
      The whole picture becomes glass, or with --geometry the part of it where a pane would be. Its \
      edges mirror, as those of a screen do. Without --geometry, what round corners leave out is \
      clear, and a shadow makes the picture larger.

        backdropctl blur screenshot.png frosted.png --sigma 20 --saturation 1.8
        backdropctl blur shot.png panel.png --material dark --geometry 400x300-40+40 --corner 24
        backdropctl blur shot.png note.png --material light --label 'Good morning' --at 20,20
      """)

  @Argument(help: "The PNG file to read.")
  var input: String
  @Argument(help: "The PNG file to write.")
  var output: String
  @OptionGroup var options: MaterialOptions
  @OptionGroup var outline: OutlineOptions
  @OptionGroup var content: ContentOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Draws content for an output of this scale, 0.5 to 8.", valueName: "FACTOR"))
  var scale = 1.0
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The part of the picture that becomes glass. (default: all of it)", valueName: "WxH+X+Y"))
  var geometry: String?
  @Flag(help: "Round to the nearest of the 256 values; long gradients then show bands.")
  var noDither = false

  func run() throws {
    let pane = try paintedPane()
    let geometry = try parsed(geometry)
    let file = try OutputFile(path: output)
    let decoded = try DecodedPNG(path: input)
    let isOpaque = decoded.isOpaque
    // Not kept beside what is painted: it may be large.
    let picture = (consume decoded).bitmap
    let frame = try frame(of: geometry, on: picture.bounds, pane)
    let painted =
      geometry == nil
      ? pane.painted(of: consume picture, isOpaque: isOpaque)
      : pane.painted(on: consume picture, isOpaque: isOpaque, frame)
    try file.write(png: painted, isOpaque: isOpaque && (geometry != nil || pane.style.isSharp))
  }

  private func parsed(_ geometry: String?) throws(Failure) -> Geometry? {
    do throws(PaneError) {
      return try geometry.map { text throws(PaneError) in try Geometry(parsing: text) }
    } catch {
      throw Failure(error)
    }
  }

  /// Where the pane is on a picture, which it must not miss; its corners must fit into all of it.
  private func frame(
    of geometry: Geometry?, on picture: Rect, _ pane: PaintedPane
  ) throws(Failure) -> Rect {
    let frame = geometry.map { Placement.geometry($0).frame(on: picture) } ?? picture
    do throws(PaneError) {
      guard frame.intersects(picture) else {
        throw .offScreen(
          geometry: geometry.map { "\($0)" } ?? "",
          screen: "\(picture.width)x\(picture.height)")
      }
      try pane.style.corner.check(width: frame.width, height: frame.height)
    } catch {
      throw Failure(error)
    }
    return frame
  }

  private func paintedPane() throws(Failure) -> PaintedPane {
    var change = try options.change()
    guard change.sigma != nil || change.material != nil else {
      throw Failure(
        .usage,
        "sigma is missing; say how far to blur, as in --sigma 20, or what of: --material light")
    }
    try outline.apply(to: &change)
    guard (0.5...8).contains(scale) else {
      throw Failure(.usage, "scale: \(scale) is out of range; it takes 0.5 to 8")
    }
    change.contents = try content.contents { () throws(Failure) in scale }
    // The settings are those of a pane, so a pane says what they come to. Its place is not known yet:
    // here it has room for any corner.
    let side = Geometry.sizeRange.upperBound
    let anywhere = Geometry(width: side, height: side, x: .fromStart(0), y: .fromStart(0))
    do throws(PaneError) {
      let pane = try change.applied(to: Pane(name: "blur", placement: .geometry(anywhere)))
      var material = pane.material
      material.isDithered = !noDither
      return PaintedPane(material: material, style: pane.outline, contents: pane.contents)
    } catch {
      throw Failure(error)
    }
  }
}
