import Frost
import Raster

/// The pixels below our overlays on an output (BGRX), in the coordinates of the display, as far as they are watched.
struct OutputBackdrop {
  private(set) var layout = PixelLayout(.zero)
  private(set) var pixels: [UInt32] = []
  /// Where `pixels` are the ones that the compositor showed last.
  private(set) var known = Region()

  /// The edges of the stored rectangle are at multiples of this, so that a moving pane does not need new memory at each step.
  private static let step = 128

  /// Keeps the pixels of a region, which must be inside `output`, and forgets others.
  mutating func keep(_ region: Region, on output: Rect) {
    known = known.intersection(region)
    let needed = region.bounds.rounded(outTo: Self.step).intersection(output)
    let isTooLarge = layout.bounds.area > 2 * needed.area
    if layout.bounds.contains(needed), !isTooLarge, output.contains(layout.bounds) { return }
    var new = Array(repeating: UInt32(0), count: needed.area)
    let newLayout = PixelLayout(needed)
    var span = new.mutableSpan
    copyPixels(
      of: needed.intersection(layout.bounds), from: pixels.span, layout, to: &span, newLayout)
    (pixels, layout) = (new, newLayout)
  }

  /// Records that pixels are not those of the screen any more.
  mutating func outdate(_ region: Region) { known.subtract(region) }

  /// Records that pixels were captured.
  mutating func record(_ region: Region) { known.form(union: region) }

  mutating func forget() { self = OutputBackdrop() }

  /// The pixels of a part, as opaque ones; those of a region are tinted.
  func opaquePixels(of part: Rect, tintedIn region: Region) -> [UInt32] {
    var picture = part.rows.flatMap { y in
      let first = layout.index(x: part.x, y: y)
      return pixels[first..<first + part.width].map { $0 | 0xff00_0000 }
    }
    for rect in region.intersection(part).rects {
      for y in rect.rows {
        for x in rect.columns {
          let i = (y - part.y) * part.width + x - part.x
          picture[i] = tinted(picture[i])
        }
      }
    }
    return picture
  }

  /// Calls `body` with the pixels for writing.
  mutating func withPixels<Result>(
    _ body: (inout MutableSpan<UInt32>, PixelLayout) -> Result
  ) -> Result {
    let layout = layout
    var span = pixels.mutableSpan
    return body(&span, layout)
  }

  /// Copies pixels of the screen where there is no overlay. Returns a rectangle with those that changed.
  mutating func copy(_ part: Rect, of screen: Span<UInt32>, _ screenLayout: PixelLayout) -> Rect {
    var changed = Rect.zero
    let layout = layout
    var span = pixels.mutableSpan
    for y in part.rows {
      let from = screenLayout.index(x: part.x, y: y)
      let to = layout.index(x: part.x, y: y)
      // Adding up the differences is faster than to look at each of them.
      var difference: UInt32 = 0
      for i in 0..<part.width {
        difference |= screen[from &+ i] ^ span[to &+ i]
        span[to &+ i] = screen[from &+ i]
      }
      if difference & 0x00ff_ffff != 0 {
        changed = changed.hull(Rect(part.columns, y..<y + 1))
      }
    }
    return changed
  }

  /// Gives a pixel that cannot be seen the colour of the one beside it.
  mutating func fill(x: Int, y: Int, from neighbor: Int) {
    guard layout.bounds.contains(x: x, y: y), layout.bounds.contains(x: neighbor, y: y) else {
      return
    }
    pixels[layout.index(x: x, y: y)] = pixels[layout.index(x: neighbor, y: y)]
  }
}

extension Rect {
  /// The smallest rectangle around this one whose edges are at multiples of `step`.
  func rounded(outTo step: Int) -> Rect {
    func down(_ value: Int) -> Int { value - (value % step + step) % step }
    func up(_ value: Int) -> Int { down(value + step - 1) }
    return isEmpty ? .zero : Rect(down(x)..<up(maxX), down(y)..<up(maxY))
  }
}
