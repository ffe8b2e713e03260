import Raster

/// A picture of cells in 16-bit fixed point: a channel value 0...255 is stored as 0...`Plane.full`,
/// premultiplied.
///
/// A row consists of two half rows of `pitch` values: blue and red interleaved, then green and
/// alpha interleaved. So a mask and a shift split a pixel into halves, and a shift and a mask merge
/// them. A half row has at least `slack` values more than its cells need, so that kernels can write
/// whole vectors; these values are never used as cells.
struct Plane: Sendable {
  /// The value of one level: 6 fraction bits. The sum of two values fits in a positive `Int16`.
  static let unit: UInt16 = 64
  /// The value of 255 levels.
  static let full: UInt16 = 255 * unit

  /// The number of values after its cells that a kernel may read or write in a half row.
  static let slack = 64

  /// The cells that the plane holds.
  let bounds: Rect
  /// The distance from one half row to the next, in values.
  let pitch: Int
  var values: [UInt16]

  init(_ bounds: Rect) {
    self.bounds = bounds
    // Rows are an odd number of cache lines apart. With an even number, such as 4096 bytes, many
    // rows would map to the same few cache sets, and the vertical blur reads ten rows at a time.
    pitch = 16 * ((2 * bounds.width + Self.slack + 15) / 16 | 1)
    values = Array(repeating: 0, count: 2 * pitch * bounds.height + 2 * Self.slack)
  }

  /// `rect` with its columns extended to whole vectors of a kernel, within `bounds`. Without this
  /// the last vector of a kernel would overwrite the cells right of `rect` with wrong values.
  func wholeVectors(_ rect: Rect) -> Rect {
    let width = (rect.width + 15) / 16 * 16
    return Rect(rect.x..<min(rect.x + width, bounds.maxX), rect.rows)
  }

  var shape: PlaneShape { PlaneShape(bounds: bounds, pitch: pitch) }

  /// Copies the cells that both planes hold.
  mutating func copyOverlap(of other: borrowing Plane) {
    let rect = bounds.intersection(other.bounds)
    let (own, others) = (shape, other.shape)
    let source = other.values.span
    var target = values.mutableSpan
    for y in rect.rows {
      for half in 0..<2 {
        let from = others.index(x: rect.x, y: y) + half * others.pitch
        let to = own.index(x: rect.x, y: y) + half * own.pitch
        for i in 0..<2 * rect.width { target[to + i] = source[from + i] }
      }
    }
  }

  /// Runs a kernel over the rows of `target` in bands, on up to `threads` threads. The kernel gets
  /// its band, the shape of the values from the band's first row on, and these values. Returns the
  /// results in the order of the bands.
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

/// The memory layout of the values of a plane.
struct PlaneShape: Sendable {
  let bounds: Rect
  let pitch: Int

  var rowStride: Int { 2 * pitch }

  /// The shape of the values that start at row `row`.
  func from(row: Int) -> PlaneShape {
    PlaneShape(bounds: Rect(bounds.columns, row..<max(row, bounds.maxY)), pitch: pitch)
  }

  /// The index of the blue value of a cell. Its red value is the next one; its green value is
  /// `pitch` further.
  func index(x: Int, y: Int) -> Int { (y - bounds.y) * rowStride + 2 * (x - bounds.x) }
}
