import CPango
package import Panes
package import Raster

extension DeclaredWallpaper {
  /// The wallpaper of an output, opaque, as swaybg draws it with Cairo. `picture` is that of `path`. Throws `largePicture` or
  /// `noMemory`.
  package func drawn(
    _ picture: Bitmap?, on target: WallpaperTarget
  ) throws(PictureError) -> Bitmap {
    let (width, height) = (target.width, target.height)
    guard Canvas.isAllowed(width: width, height: 1) else {
      throw .largePicture(width: width, height: height)
    }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    // A screen may be larger than a canvas.
    let band = min(height, Canvas.rowLimit(ofWidth: width))
    for top in stride(from: 0, to: height, by: band) {
      var canvas = try Canvas(width: width, height: min(band, height - top))
      canvas.fill(with: color)
      if let picture {
        var place = WallpaperPlace(
          mode, width: picture.width, height: picture.height, on: target)
        place.y -= Double(top)
        canvas.draw(picture, at: place, isRepeated: mode == .tile)
      }
      pixels += canvas.bitmap().pixels
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }
}
