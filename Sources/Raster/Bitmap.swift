/// An owned picture: premultiplied BGRA, one `UInt32` a pixel (blue in the low byte), rows packed.
package struct Bitmap: Equatable, Sendable {
  package let width, height: Int
  /// Row by row, `width * height` of them.
  package var pixels: [UInt32]

  package init(width: Int, height: Int, filledWith pixel: UInt32 = 0) {
    precondition(width >= 0 && height >= 0)
    self.width = width
    self.height = height
    pixels = Array(repeating: pixel, count: width * height)
  }

  package init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// A copy of the part `rect` of a picture.
  package init(_ rect: Rect, of pixels: Span<UInt32>, _ layout: PixelLayout) {
    precondition(layout.bounds.contains(rect) && pixels.count >= layout.pixelCount)
    self.init(width: rect.width, height: rect.height)
    var i = 0
    for y in rect.rows {
      let first = layout.index(x: rect.x, y: y)
      for x in 0..<rect.width { self.pixels[i + x] = pixels[first + x] }
      i += rect.width
    }
  }

  package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  package subscript(x: Int, y: Int) -> UInt32 {
    get {
      precondition(bounds.contains(x: x, y: y))
      return pixels[y * width + x]
    }
    set {
      precondition(bounds.contains(x: x, y: y))
      pixels[y * width + x] = newValue
    }
  }
}

/// Where pixels lie in memory: which rectangle, and how many pixels a row is from the next.
package struct PixelLayout: Equatable, Sendable {
  /// In the coordinates of whoever asks, mostly the screen's. Its first pixel is at index 0.
  package var bounds: Rect
  /// At least `bounds.width`.
  package var pixelsPerRow: Int

  package init(_ bounds: Rect, pixelsPerRow: Int? = nil) {
    self.bounds = bounds
    self.pixelsPerRow = pixelsPerRow ?? bounds.width
    precondition(self.pixelsPerRow >= bounds.width)
  }

  /// The number of pixels that the memory must hold at least.
  package var pixelCount: Int {
    bounds.isEmpty ? 0 : (bounds.height - 1) * pixelsPerRow + bounds.width
  }

  /// The layout of the pixels that start at row `row`.
  package func from(row: Int) -> PixelLayout {
    PixelLayout(Rect(bounds.columns, row..<max(row, bounds.maxY)), pixelsPerRow: pixelsPerRow)
  }

  package func index(x: Int, y: Int) -> Int { (y - bounds.y) * pixelsPerRow + x - bounds.x }
}
