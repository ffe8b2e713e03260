import Raster

/// What an overlay shows, or will show: pixels at a place.
struct Face {
  let buffer: SharedBuffer
  /// The rectangle in the coordinates of the display.
  let rect: Rect
  /// The marks of the tiles that its commit touched, with their pixels.
  var marks: [(x: Int, y: Int, pixel: UInt32)]

  /// The layout of the buffer in the coordinates of the display.
  var layout: PixelLayout { PixelLayout(rect, stride: buffer.layout.stride) }

  /// How many of the marks are on a screen, and how many could be.
  func visibleMarks(
    on screen: Span<UInt32>, _ layout: PixelLayout
  ) -> (seen: Int, all: Int) {
    let inside = marks.filter { layout.bounds.contains(x: $0.x, y: $0.y) }
    let seen = inside.filter {
      (screen[layout.index(x: $0.x, y: $0.y)] ^ $0.pixel) & 0x00ff_ffff == 0
    }
    return (seen.count, inside.count)
  }
}
