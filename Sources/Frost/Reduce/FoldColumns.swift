// Folds sums over columns of pixels, for one row of cells, to cells.

extension PlaneLine {
  /// Copies columns to the positions of their mirror images.
  mutating func copyColumns(_ images: [MirrorImage]) {
    let pitch = pitch
    var span = values.mutableSpan
    for image in images {
      let (from, to) = (2 &* image.from, 2 &* image.to)
      precondition(from >= 0 && to >= 0 && max(from, to) &+ 2 <= pitch)
      span.store(span.load(SIMD2<UInt16>.self, at: from), at: to)
      span.store(span.load(SIMD2<UInt16>.self, at: pitch &+ from), at: pitch &+ to)
    }
  }

  /// Folds `count` columns, from column `first` on, to cells in place: halves the number of columns
  /// until one column is one cell. The cells start at column `first`. Returns the factor by which
  /// the values are scaled.
  mutating func fold(from first: Int, count: Int, _ reduction: Reduction) -> Int {
    let steps = reduction.cell / reduction.step
    var scale = reduction.step * steps * steps
    var columns = count
    var k = reduction.cell
    while k > 1 {
      columns = (columns + 1) / 2
      let isBox = k > steps
      for half in 0..<2 {
        let at = half * pitch + 2 * first
        if isBox {
          foldPairs(&values, at: at, count: columns)
        } else if scale < 256 {
          foldSum(&values, at: at, count: columns)
        } else {
          foldMean(&values, at: at, count: columns)
        }
      }
      scale = min(256, (isBox ? 2 : 4) * scale)
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
private func foldPairs(_ values: inout [UInt16], at first: Int, count: Int) {
  fold(&values, at: first, count: count) { left, middle, _ in left &+ middle }
}

/// Column c becomes column 2c, twice column 2c + 1 and column 2c + 2, for `count` columns, in
/// place.
private func foldSum(_ values: inout [UInt16], at first: Int, count: Int) {
  fold(&values, at: first, count: count) { $0 &+ $1 &+ $1 &+ $2 }
}

/// Like `foldSum`, but divided by 4, for sums that would not fit in 16 bits. The mean of the outer columns is rounded up, the
/// mean with the middle column down, so that there is no bias.
private func foldMean(_ values: inout [UInt16], at first: Int, count: Int) {
  fold(&values, at: first, count: count) { left, middle, right in
    let outer = roundedMean(left, right)
    return (outer & middle) &+ ((outer ^ middle) &>> 1)
  }
}

/// Column c becomes `body` of columns 2c, 2c + 1 and 2c + 2, for `count` columns, in place.
@inline(__always)
private func fold(
  _ values: inout [UInt16], at first: Int, count: Int, _ body: (Lanes, Lanes, Lanes) -> Lanes
) {
  var line = values.mutableSpan
  precondition(first >= 0 && first + 4 * count + 36 <= line.count)
  var c = 0
  while c < count {
    let (even, odd) = columns(line, at: first &+ 4 &* c)
    let next = columns(line, at: first &+ 4 &* c &+ 4).even
    line.store(body(even, odd, next), at: first &+ 2 &* c)
    c &+= 8
  }
}

/// A column of a line and the column that it mirrors.
struct MirrorImage: Sendable {
  let to, from: Int
}
