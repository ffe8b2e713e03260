import Frost
import Raster

/// The pixels below our overlays on an output (BGRX), in the coordinates of the display, as far as they are watched.
struct OutputBackdrop {
  private(set) var layout = PixelLayout(.zero)
  private(set) var pixels: [UInt32] = []
  /// Where they are those that the compositor showed last.
  private(set) var known = Region()

  /// The memory begins and ends at multiples of it, so that a pane that moves does not need other memory at each step.
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

  /// Notes that pixels are not those of the screen any more.
  mutating func outdate(_ region: Region) { known.subtract(region) }

  /// Notes that pixels were captured.
  mutating func note(_ region: Region) { known.form(union: region) }

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

  /// Gives the pixels of a region the colour of the nearest known ones: in their row, else in a row nearby. Without any known
  /// pixel they stay as they are.
  mutating func guess(_ region: Region) {
    let sources = known.subtracting(region)
    if sources.isEmpty { return }
    for part in region.rects {
      var last: Int?
      for y in part.rows {
        if let row = nearest(to: part, inRow: y, of: sources) {
          for x in part.columns {
            pixels[layout.index(x: x, y: y)] = pixels[layout.index(x: row(x), y: y)]
          }
          if last == nil { for above in part.y..<y { copyRow(part.columns, from: y, to: above) } }
          last = y
        } else if let last {
          copyRow(part.columns, from: last, to: y)
        }
      }
      if last == nil { fill(part, with: mean(of: sources)) }
    }
  }

  /// For each column of a part, the nearest known column beside it in a row; nil if there is none.
  private func nearest(
    to part: Rect, inRow y: Int, of sources: Region
  ) -> ((_ x: Int) -> Int)? {
    let row = sources.intersection(Rect(layout.bounds.columns, y..<y + 1)).rects
    let left = row.filter { $0.maxX <= part.x }.map { $0.maxX - 1 }.max()
    let right = row.filter { $0.x >= part.maxX }.map(\.x).min()
    switch (left, right) {
    case (nil, nil): return nil
    case (let left?, nil): return { _ in left }
    case (nil, let right?): return { _ in right }
    case (let left?, let right?): return { x in x - left <= right - x ? left : right }
    }
  }

  private mutating func copyRow(_ columns: Range<Int>, from: Int, to: Int) {
    for x in columns { pixels[layout.index(x: x, y: to)] = pixels[layout.index(x: x, y: from)] }
  }

  private mutating func fill(_ part: Rect, with pixel: UInt32) {
    for y in part.rows { for x in part.columns { pixels[layout.index(x: x, y: y)] = pixel } }
  }

  /// The mean colour of some pixels.
  private func mean(of region: Region) -> UInt32 {
    var (sums, count) = (SIMD4<Int>(repeating: 0), 0)
    for part in region.rects {
      for y in stride(from: part.y, to: part.maxY, by: 8) {
        for x in stride(from: part.x, to: part.maxX, by: 8) {
          let pixel = Int(pixels[layout.index(x: x, y: y)])
          sums &+= SIMD4(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, 0)
          count += 1
        }
      }
    }
    let mean = sums / max(1, count)
    return UInt32(mean[0] | mean[1] << 8 | mean[2] << 16)
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
