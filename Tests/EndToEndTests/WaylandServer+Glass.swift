import Raster
import TestSupport

extension WaylandServer {
  /// The plain glass with sigma 9 of a picture, as `backdropctl blur` draws it.
  func glass(of picture: Bitmap) throws -> Bitmap {
    let folder = runtimeDirectory
    try writePNG(straight: picture, to: folder + "/bare.png")
    let outcome = try run(
      ProgramPaths.backdropctl,
      ["blur", folder + "/bare.png", folder + "/glass.png", "--sigma", "9"])
    guard outcome.status == .exited(0) else { throw TestFailure(outcome.err) }
    return try readPNG(folder + "/glass.png")
  }
}
