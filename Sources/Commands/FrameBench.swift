import Frost
import Glibc
import Raster

/// Measures a glass over a whole frame and a memcpy of the same pixels.
///
/// The given frame and its inversion alternate, because nothing would be blurred in an unchanged
/// frame.
struct FrameBench: ~Copyable {
  // Not `let`, because Swift 6.2 then refuses mutating calls in `init`.
  private var frames: [Bitmap]
  private var next = 0
  private(set) var result: Bitmap
  private var copy: Bitmap
  private var glass: PictureGlass

  init(_ source: Bitmap, _ material: Material, threads: Int) {
    var inverted = source
    for i in inverted.pixels.indices { inverted.pixels[i] ^= 0x00ff_ffff }
    frames = [source, inverted]
    result = Bitmap(width: source.width, height: source.height, filledWith: 1)
    copy = result
    glass = PictureGlass(
      pane: source.bounds, picture: source.bounds, material: material, threads: threads)
    // One unmeasured run of each frame, which accesses all memory for the first time.
    for _ in frames { _ = run() }
  }

  /// Measures one whole frame, from pixels to pixels, and one memcpy.
  mutating func run() -> FrameTimes { update(result.bounds) }

  /// Measures one frame in which `damage` changed, and a memcpy of that part.
  mutating func update(_ damage: Rect) -> FrameTimes {
    defer { next = 1 - next }
    var times = frost(frames[next], damage, through: &glass, into: &result)
    let start = milliseconds()
    copyPixels(damage)
    times.copy = milliseconds() - start
    return times
  }

  /// Runs until `result` is the glass of the given frame.
  mutating func finish() {
    repeat { _ = run() } while next != 1
  }

  /// Copies row by row, or at once if the rows are whole.
  private mutating func copyPixels(_ rect: Rect) {
    let isWhole = rect.columns == result.bounds.columns
    let (rowCount, length) = isWhole ? (1, rect.area) : (rect.height, rect.width)
    unsafe frames[next].pixels.withUnsafeBufferPointer { from in
      unsafe copy.pixels.withUnsafeMutableBufferPointer { to in
        guard let target = to.baseAddress, let origin = from.baseAddress else { return }
        for row in 0..<rowCount {
          let index = (rect.y + row) * result.width + rect.x
          unsafe _ = memcpy(target + index, origin + index, 4 * length)
        }
      }
    }
  }
}

/// Computes one frame in which `damage` changed.
private func frost(
  _ source: Bitmap, _ damage: Rect, through glass: inout PictureGlass, into result: inout Bitmap
) -> FrameTimes {
  let layout = PixelLayout(source.bounds)
  let start = milliseconds()
  glass.update(with: source.pixels.span, layout, isOpaque: true, damage: damage)
  let reduced = milliseconds()
  let parts = glass.settle().rects
  let settled = milliseconds()
  var pixels = result.pixels.mutableSpan
  for part in parts { glass.draw(part, into: &pixels, layout) }
  return FrameTimes(
    reduce: reduced - start, settle: settled - reduced, draw: milliseconds() - settled)
}

/// The time of the stages of one frame, and of a memcpy of the same pixels directly after it, in
/// milliseconds.
struct FrameTimes {
  /// From pixels to cells.
  var reduce: Double
  /// From cells to blurred and toned cells.
  var settle: Double
  /// From those to pixels.
  var draw: Double
  /// The memcpy.
  var copy = 0.0

  var frame: Double { reduce + settle + draw }
}

extension Bitmap {
  /// Deterministic noise, from the linear congruential generator of Numerical Recipes.
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

/// The time of the monotonic clock, in milliseconds.
private func milliseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}
