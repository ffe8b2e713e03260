/// An owned picture: premultiplied BGRA, one `UInt32` a pixel (blue in the low byte), rows packed.
package struct Bitmap: Equatable, Sendable {
  package let width, height: Int
  /// `width * height` pixels, row by row.
  package var pixels: [UInt32]

  /// All pixels get the value `pixel`. Traps if a dimension is negative.
  package init(width: Int, height: Int, filledWith pixel: UInt32 = 0) {
    precondition(width >= 0 && height >= 0)
    self.width = width
    self.height = height
    pixels = Array(repeating: pixel, count: width * height)
  }

  /// Traps if `pixels` does not hold exactly `width * height` pixels.
  package init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(pixels.count == width * height)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Copies the part `rect` of a picture. Traps if `layout.bounds` does not contain `rect`, or if
  /// `pixels` is shorter than `layout.pixelCount`.
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

  /// The rectangle at (0, 0) of the size of the bitmap.
  package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  /// The pixel at column `x` of row `y`. Traps outside the bitmap.
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

/// The memory layout of pixels: the rectangle that they cover, and the distance from row to row.
package struct PixelLayout: Equatable, Sendable {
  /// The pixel at (`bounds.x`, `bounds.y`) has index 0.
  package var bounds: Rect
  /// In pixels; at least `bounds.width`.
  package var stride: Int

  /// Rows are packed if `stride` is nil. Traps if `stride` is less than the width of `bounds`.
  package init(_ bounds: Rect, stride: Int? = nil) {
    self.bounds = bounds
    self.stride = stride ?? bounds.width
    precondition(self.stride >= bounds.width)
  }

  /// The smallest number of pixels that the memory must hold. The last row needs no full stride.
  package var pixelCount: Int {
    bounds.isEmpty ? 0 : (bounds.height - 1) * stride + bounds.width
  }

  /// The layout of the pixels that start at row `row`.
  package func from(row: Int) -> PixelLayout {
    PixelLayout(Rect(bounds.columns, row..<max(row, bounds.maxY)), stride: stride)
  }

  /// The index of the pixel (x, y), in the coordinates of `bounds`. Not checked against `bounds`.
  package func index(x: Int, y: Int) -> Int { (y - bounds.y) * stride + x - bounds.x }
}
