/// Rows of pixels that are drawn together, all in the same columns.
struct PixelRows {
  /// The number of pixels of a row, and the number of rows.
  let count, rows: Int
  /// The index of the first pixel in its memory, and the distance between rows.
  let start, stride: Int
  /// The position of the first pixel, from the origin of the grain.
  let grainAt: (x: Int, y: Int)
  /// Whether pixels are stored past the caches, as far as all rows start a cache line there; `finishStreaming` must follow.
  let isStreaming: Bool

  /// Whether all are among these pixels.
  func areInside(_ pixels: borrowing MutableSpan<UInt32>) -> Bool {
    rows <= 0 || start >= 0 && start + (rows - 1) * stride + count <= pixels.count
  }

  /// The pixels from column `x` on, as far as the pattern of the grain is contiguous. If they are stored past the caches, all
  /// rows of the part start a cache line.
  func part(from x: Int, _ grain: Grain, _ pixels: borrowing MutableSpan<UInt32>) -> PixelRows {
    var width = grain.contiguousCount(from: grainAt.x + x, atMost: count - x)
    let streams = isStreaming && stride % 16 == 0
    // The pixels before the first cache line are a part of their own.
    let before = streams ? pixels.countBeforeCacheLine(at: start + x) : 0
    if before > 0 { width = min(width, before) }
    return PixelRows(
      count: width, rows: rows, start: start + x, stride: stride,
      grainAt: (grainAt.x + x, grainAt.y), isStreaming: streams && before == 0)
  }
}
