package import Raster

extension Bitmap {
  /// The picture scaled by `factor`, with a width and height rounded to whole pixels, at least 1.
  /// Returns the picture itself if its size does not change. Throws `largePicture` or `noMemory`.
  package func scaled(by factor: Double) throws(PictureError) -> Bitmap {
    // Limited before the conversion, because the number may be too large for an Int.
    func length(_ length: Int) -> Int {
      Int(min(max((Double(length) * factor).rounded(), 1), 1e9))
    }
    let (width, height) = (length(self.width), length(self.height))
    guard Canvas.isAllowed(width: width, height: height) else {
      throw .largePicture(width: width, height: height)
    }
    if (width, height) == (self.width, self.height) { return self }
    var canvas = try Canvas(width: width, height: height)
    canvas.fill(with: self)
    return canvas.bitmap().premultiplied
  }

  /// The picture with every colour limited to its alpha. A sharp filter overshoots at edges and may
  /// exceed it.
  private var premultiplied: Bitmap {
    Bitmap(
      width: width, height: height,
      pixels: pixels.map { pixel in
        let alpha = pixel >> 24
        let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
        return alpha << 24 | min(red, alpha) << 16 | min(green, alpha) << 8 | min(blue, alpha)
      })
  }
}
