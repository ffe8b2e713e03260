package import Raster

extension Bitmap {
  /// The picture in another size, to the nearest whole pixel; itself where that is its own.
  package func scaled(by factor: Double) throws(PictureError) -> Bitmap {
    // Rounded while it is a number that may be far too large for an integer.
    func length(_ length: Int) -> Int {
      Int(min(max((Double(length) * factor).rounded(), 1), 1e9))
    }
    let (width, height) = (length(self.width), length(self.height))
    guard Canvas.canBe(width: width, height: height) else {
      throw .largePicture(width: width, height: height)
    }
    if (width, height) == (self.width, self.height) { return self }
    var canvas = try Canvas(width: width, height: height)
    canvas.fill(with: self)
    return canvas.bitmap().premultiplied
  }

  /// A sharp filter overshoots at edges, and may leave a colour brighter than its alpha allows.
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
