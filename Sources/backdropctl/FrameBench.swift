import Frost
import Glibc
import Raster

/// A glass over a whole frame, and a memcpy of its pixels to measure it by.
struct FrameBench: ~Copyable {
  private let source: Bitmap
  private(set) var result: Bitmap
  private var copy: Bitmap
  private var glass: Glass

  init(_ source: Bitmap, _ material: Material, threads: Int) {
    self.source = source
    result = Bitmap(width: source.width, height: source.height, filledWith: 1)
    copy = result
    glass = Glass(pane: source.bounds, screen: source.bounds, material: material)
    glass.threads = threads
    // Once unmeasured: it touches all memory for the first time.
    _ = run()
  }

  /// One frame from pixels to pixels, and one memcpy.
  mutating func run() -> FrameTimes { update(source.bounds) }

  /// One frame of a change of `damage`, and a memcpy of that.
  mutating func update(_ damage: Rect) -> FrameTimes {
    var times = frost(source, damage, through: &glass, into: &result)
    let start = milliseconds()
    copyPixels(damage)
    times.copy = milliseconds() - start
    return times
  }

  /// Row by row, and at once where the rows are whole.
  private mutating func copyPixels(_ rect: Rect) {
    let isWhole = rect.columns == source.bounds.columns
    let (rowCount, length) = isWhole ? (1, rect.area) : (rect.height, rect.width)
    unsafe source.pixels.withUnsafeBufferPointer { from in
      unsafe copy.pixels.withUnsafeMutableBufferPointer { to in
        guard let target = to.baseAddress, let origin = from.baseAddress else { return }
        for row in 0..<rowCount {
          let index = (rect.y + row) * source.width + rect.x
          unsafe _ = memcpy(target + index, origin + index, 4 * length)
        }
      }
    }
  }
}

/// One frame of a change.
private func frost(
  _ source: Bitmap, _ damage: Rect, through glass: inout Glass, into result: inout Bitmap
) -> FrameTimes {
  let layout = PixelLayout(source.bounds)
  let start = milliseconds()
  glass.absorb(source.pixels.span, layout, isOpaque: true, damage: damage)
  let absorbed = milliseconds()
  // The pixels are the same every time; a frame that changes has to go on from here.
  glass.invalidate(damage)
  let parts = glass.settle().rects
  let settled = milliseconds()
  var pixels = result.pixels.mutableSpan
  for part in parts { glass.draw(part, into: &pixels, layout) }
  return FrameTimes(
    absorb: absorbed - start, settle: settled - absorbed, draw: milliseconds() - settled)
}

/// Milliseconds of the steps of one frame, and of a memcpy of the same pixels right after it.
struct FrameTimes {
  /// From pixels to cells.
  var absorb: Double
  /// From cells to blurred and toned cells.
  var settle: Double
  /// From those to pixels.
  var draw: Double
  var copy = 0.0

  var frame: Double { absorb + settle + draw }
}

extension Bitmap {
  /// The same noise every time.
  static func benchNoise(width: Int, height: Int) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    var state: UInt32 = 1
    for i in picture.pixels.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      picture.pixels[i] = state >> 8 | 0xff00_0000
    }
    return picture
  }
}

/// Of the monotonic clock.
private func milliseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}
