import Raster

/// A picture of cells in 16-bit fixed point: each channel's 0...255 is kept as 0...`Plane.full`.
///
/// A row is two half rows of `pitch` values: blue and red of each cell in turn, then green and alpha
/// of each. So a pixel splits into the halves by a mask and a shift, and merges by a shift and a
/// mask. A half row is wider than its cells by `slack`, so that kernels may work in whole vectors:
/// what they write there nobody reads.
struct Plane: Sendable {
  /// 8 bits and 6 more below the point. The sum of two values is a positive `Int16`.
  static let unit: UInt16 = 64
  static let full: UInt16 = 255 * unit

  /// How many values past its cells a kernel may read or write in a half row.
  static let slack = 64

  /// The cells it holds.
  let bounds: Rect
  /// Values from one half row to the next.
  let pitch: Int
  var values: [UInt16]

  init(_ bounds: Rect) {
    self.bounds = bounds
    // An odd number of cache lines from row to row: rows an even number apart, as 4096 bytes are,
    // would contend for the same few places of the cache, and the blur down reads ten at a time.
    pitch = 16 * ((2 * bounds.width + Self.slack + 15) / 16 | 1)
    values = Array(repeating: 0, count: 2 * pitch * bounds.height + 2 * Self.slack)
  }

  /// `rect`, its columns rounded up to whole vectors of a kernel (as far as there are cells): for a
  /// kernel whose last vector would else overwrite the neighbours with something wrong.
  func wholeVectors(_ rect: Rect) -> Rect {
    let width = (rect.width + 15) / 16 * 16
    return Rect(rect.x..<min(rect.x + width, bounds.maxX), rect.rows)
  }

  var shape: PlaneShape { PlaneShape(bounds: bounds, pitch: pitch) }

  /// Runs a kernel over the rows of `target` in bands, one on each of `threads` threads. The kernel is
  /// given its band, and the values from the band's first row on with their shape.
  mutating func update<Result>(
    _ target: Rect, threads: Int,
    _ kernel: (Rect, PlaneShape, inout MutableSpan<UInt16>) -> Result
  ) -> [Result] {
    precondition(bounds.contains(target))
    let shape = shape
    var span = values.mutableSpan
    return forEachBand(
      of: target.rows, threads: threads, in: &span,
      at: (target.y - shape.bounds.y) * shape.rowStride, stride: shape.rowStride
    ) { rows, values in
      kernel(Rect(target.columns, rows), shape.from(row: rows.lowerBound), &values)
    }
  }
}

/// Where the values of a plane lie; what a kernel needs to know beside the values themselves.
struct PlaneShape: Sendable {
  let bounds: Rect
  let pitch: Int

  var rowStride: Int { 2 * pitch }

  /// The shape of the values that start at row `row`.
  func from(row: Int) -> PlaneShape {
    PlaneShape(bounds: Rect(bounds.columns, row..<max(row, bounds.maxY)), pitch: pitch)
  }

  /// The index of the blue value of a cell; its green value lies `pitch` further.
  func index(x: Int, y: Int) -> Int { (y - bounds.y) * rowStride + 2 * (x - bounds.x) }
}
