// Folds sums over columns of pixels, for one row of cells, to cells.

extension PlaneLine {
  /// Copies real columns to the positions of their mirror images.
  mutating func copyColumns(_ images: [MirrorImage]) {
    let pitch = pitch
    var span = values.mutableSpan
    for image in images {
      precondition(image.from >= 0 && image.to >= 0 && max(image.from, image.to) + 2 <= pitch)
      span.store(span.load(SIMD2<UInt16>.self, at: image.from), at: image.to)
      span.store(
        span.load(SIMD2<UInt16>.self, at: pitch &+ image.from), at: pitch &+ image.to)
    }
  }

  /// Folds `count` columns, from column `first` on, to cells in place: halves the number of columns
  /// until one column is one cell. The cells start at column `first`. Returns the factor by which
  /// the values are scaled.
  mutating func fold(from first: Int, count: Int, _ reduction: Reduction) -> Int {
    let isTriangle = reduction.prefilter == .triangle
    var scale = isTriangle ? reduction.cell * reduction.cell : reduction.cell
    var columns = count
    var k = reduction.cell
    while k > 1 {
      columns = (columns + 1) / 2
      for half in 0..<2 {
        let at = half * pitch + 2 * first
        switch reduction.prefilter {
        case .triangle: foldTriangle(&values, at: at, count: columns)
        case .box where scale < 256: foldBox(&values, at: at, count: columns)
        case .box: foldMean(&values, at: at, count: columns)
        }
      }
      switch reduction.prefilter {
      case .triangle: scale *= 4
      case .box: scale = min(256, 2 * scale)
      }
      k /= 2
    }
    return scale
  }
}

// MARK: Two columns to one

/// The even and the odd ones of sixteen columns that start at value `at`.
@inline(__always)
private func columns(_ line: borrowing MutableSpan<UInt16>, at: Int) -> (even: Lanes, odd: Lanes) {
  let pairs: SIMD16<UInt32> = line.load(at: at)
  return unsafe (
    unsafeBitCast(pairs.evenHalf, to: Lanes.self), unsafeBitCast(pairs.oddHalf, to: Lanes.self)
  )
}

/// Column c becomes the sum of columns 2c and 2c + 1, for `count` columns, in place.
private func foldBox(_ values: inout [UInt16], at first: Int, count: Int) {
  var line = values.mutableSpan
  precondition(first >= 0 && first + 4 * count + 32 <= line.count)
  var c = 0
  while c < count {
    let (even, odd) = columns(line, at: first &+ 4 &* c)
    line.store(even &+ odd, at: first &+ 2 &* c)
    c &+= 8
  }
}

/// Column c becomes the mean of columns 2c and 2c + 1, rounded half up, for `count` columns, in
/// place.
private func foldMean(_ values: inout [UInt16], at first: Int, count: Int) {
  var line = values.mutableSpan
  precondition(first >= 0 && first + 4 * count + 32 <= line.count)
  var c = 0
  while c < count {
    let (even, odd) = columns(line, at: first &+ 4 &* c)
    // (a + b + 1) / 2 without the 17th bit.
    line.store((even | odd) &- ((even ^ odd) &>> 1), at: first &+ 2 &* c)
    c &+= 8
  }
}

/// Column c becomes column 2c, twice column 2c + 1 and column 2c + 2, for `count` columns, in
/// place.
private func foldTriangle(_ values: inout [UInt16], at first: Int, count: Int) {
  var line = values.mutableSpan
  precondition(first >= 0 && first + 4 * count + 36 <= line.count)
  var c = 0
  while c < count {
    let (even, odd) = columns(line, at: first &+ 4 &* c)
    let next = columns(line, at: first &+ 4 &* c &+ 4).even
    line.store(even &+ odd &+ odd &+ next, at: first &+ 2 &* c)
    c &+= 8
  }
}

/// A column outside the output and the real column that it mirrors, as indices into a half row.
struct MirrorImage: Sendable {
  let to, from: Int
}
