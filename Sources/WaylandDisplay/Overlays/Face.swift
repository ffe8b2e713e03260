import Raster
import WaylandClient

/// The present or next content of an overlay: pixels at a place.
struct Face {
  let buffer: SharedBuffer
  /// The rectangle in the coordinates of the display.
  let rect: Rect
  /// The region in which the overlay is not clear: its part of the stack of overlays.
  let owned: Region
  /// The part of `owned` in which the pane hides what is below it, apart from leaks.
  let opaque: Region
  /// The pattern that a probe shows for a check, without leaks; nil without a check.
  let pattern: CheckPattern?
  /// The tiles that its commit touched, and their marks. Tiles without an opaque pixel have none.
  let touched: Set<Int>
  let marks: [Int: Mark]

  /// An opaque pixel with the version of its tile.
  struct Mark: Equatable {
    let x, y: Int
    let pixel: UInt32

    /// Whether it is on a screen. Traps if it is outside of `layout`.
    func isVisible(on screen: Span<UInt32>, _ layout: PixelLayout) -> Bool {
      (screen[layout.index(x: x, y: y)] ^ pixel) & 0x00ff_ffff == 0
    }
  }

  /// The layout of the buffer in the coordinates of the display.
  var layout: PixelLayout { PixelLayout(rect, stride: buffer.layout.stride) }

  /// The marks inside a rectangle that are on a screen, and those that could be.
  func visibleMarks(
    on screen: Span<UInt32>, _ layout: PixelLayout, in rect: Rect
  ) -> (seen: Int, all: Int) {
    let inside = marks.values.filter { rect.contains(x: $0.x, y: $0.y) }
    return (inside.count { $0.isVisible(on: screen, layout) }, inside.count)
  }
}
