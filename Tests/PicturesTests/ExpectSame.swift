import Raster
import Testing

/// Expects two equal pictures. A failure tells how many pixels differ instead of printing all pixels.
func expectSame(
  _ picture: Bitmap, _ model: Bitmap, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    (picture.width, picture.height) == (model.width, model.height), sourceLocation: sourceLocation)
  let differing = zip(picture.pixels, model.pixels).count { $0 != $1 }
  #expect(differing == 0, sourceLocation: sourceLocation)
}
