import Raster
import Testing

/// Two pictures alike. A failure says how many pixels differ, and not every pixel.
func expectSame(
  _ picture: Bitmap, _ model: Bitmap, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    (picture.width, picture.height) == (model.width, model.height), sourceLocation: sourceLocation)
  let differing = zip(picture.pixels, model.pixels).count { $0 != $1 }
  #expect(differing == 0, sourceLocation: sourceLocation)
}
