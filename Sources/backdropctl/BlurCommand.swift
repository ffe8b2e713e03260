import ArgumentParser
import Frost
import Glibc
import Panes
import Raster

struct Blur: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Blurs a PNG file as a pane would; needs no backdropd and no display.",
    discussion: """
      The whole picture is the glass. Its edges mirror, as those of a screen do.

        backdropctl blur screenshot.png frosted.png --sigma 20 --saturation 1.8
        backdropctl blur screenshot.png frosted.png --material regular-dark
      """)

  @Argument(help: "The PNG file to read.")
  var input: String
  @Argument(help: "The PNG file to write.")
  var output: String
  @OptionGroup var options: MaterialOptions
  @Flag(help: "Round to the nearest of the 256 values; long gradients then show bands.")
  var noDither = false

  func run() throws {
    let material = try material()
    let file = try OutputFile(path: output)
    var picture = try DecodedPNG(path: input)
    frost(&picture.bitmap, isOpaque: picture.isOpaque, material)
    try file.write(png: picture.bitmap, isOpaque: picture.isOpaque)
  }

  private func material() throws(Failure) -> Material {
    let change = try options.change()
    guard change.sigma != nil || change.material != nil else {
      throw Failure(
        .usage,
        "sigma is missing; say how far to blur, as in --sigma 20, or what of: --material light")
    }
    // The settings are those of a pane, so a pane says what they come to; where it is is no matter.
    let anywhere = Geometry(width: 1, height: 1, x: .fromStart(0), y: .fromStart(0))
    do throws(PaneError) {
      let pane = Pane(name: "blur", placement: .geometry(anywhere))
      var material = try change.applied(to: pane).material
      material.isDithered = !noDither
      return material
    } catch {
      throw Failure(error)
    }
  }
}

/// Puts a pane over the whole picture, and the picture that shows in its place.
private func frost(_ picture: inout Bitmap, isOpaque: Bool, _ material: Material) {
  let bounds = picture.bounds
  let layout = PixelLayout(bounds)
  var glass = Glass(pane: bounds, screen: bounds, material: material)
  glass.threads = min(2, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  glass.absorb(picture.pixels.span, layout, isOpaque: isOpaque, damage: bounds)
  _ = glass.settle()
  var pixels = picture.pixels.mutableSpan
  glass.draw(bounds, into: &pixels, layout)
}
