/// Interpolates a half row of the fine cells `columns` linearly: `axis.fineCell` pixels, 4 or more, for each pair of
/// neighbours.
/// `weights` are those of `axis`.
func interpolateAcross(
  _ cells: Span<UInt16>, at first: Int, _ columns: Range<Int>, _ axis: GlassAxis,
  _ weights: [Signed], into line: inout PlaneLine, at to: Int
) {
  let count = columns.count
  var out = line.values.mutableSpan
  precondition(first >= 0 && first + 2 * count + 16 <= cells.count)
  precondition(to + 2 * axis.fineCell * count + 16 <= out.count)
  switch axis.fineCell {
  case 4:
    let isOdd = columns.lowerBound & 1 != 0
    interpolateFour(
      cells, at: first, count: count, isOdd: isOdd, weights[0], into: &out, at: to)
  default:
    interpolateBetween(cells, at: first, count: count, weights, into: &out, at: to)
  }
}

// Weights are below 1, so no value leaves the range of its two cells. Every second vector of four pixels is
// rounded up and the others down, so that there is little bias.

/// Interpolates the four pixels between each cell and the next one. Those after odd cells are rounded up;
/// `isOdd` is whether the first cell is odd.
@_lifetime(out: copy out)
private func interpolateFour(
  _ cells: Span<UInt16>, at first: Int, count: Int, isOdd: Bool, _ weights: Signed,
  into out: inout MutableSpan<UInt16>, at to: Int
) {
  precondition(first >= 0 && first + 2 * count + 16 <= cells.count)
  precondition(to >= 0 && to + 8 * count + 16 <= out.count)
  let pairs = max(0, count - 1) / 2
  let odd = Signed(repeating: -1)
  let signs =
    isOdd ? SIMD16(lowHalf: odd, highHalf: Signed()) : SIMD16(lowHalf: Signed(), highHalf: odd)
  let bothWeights = SIMD16(lowHalf: weights, highHalf: weights)
  for pair in 0..<pairs {
    let a = repeatedPair(cells, at: first &+ 4 &* pair)
    let b = repeatedPair(cells, at: first &+ 4 &* pair &+ 2)
    // Negated if the sign is -1, and so is the product.
    let twice = (((b &- a) &+ (b &- a)) ^ signs) &- signs
    out.store(a &+ ((multiplyHigh(twice, bothWeights) ^ signs) &- signs), at: to &+ 16 &* pair)
  }
  if 2 * pairs + 1 < count {
    let sign = isOdd ? odd : Signed()
    let a = repeated(cells, at: first &+ 4 &* pairs)
    let b = repeated(cells, at: first &+ 4 &* pairs &+ 2)
    let twice = (((b &- a) &+ (b &- a)) ^ sign) &- sign
    out.store(a &+ ((multiplyHigh(twice, weights) ^ sign) &- sign), at: to &+ 16 &* pairs)
  }
}

/// Interpolates the pixels between each cell and the next one, for cells of 8 pixels or more.
@_lifetime(out: copy out)
private func interpolateBetween(
  _ cells: Span<UInt16>, at first: Int, count: Int, _ weights: [Signed],
  into out: inout MutableSpan<UInt16>, at to: Int
) {
  precondition(first >= 0 && first + 2 * count + 16 <= cells.count)
  precondition(to >= 0 && to + 8 * weights.count * count + 16 <= out.count)
  // Eight pixels at once, of which the last four are rounded up, since their product is subtracted.
  let pairs = stride(from: 0, to: weights.count - 1, by: 2).map {
    SIMD16(lowHalf: weights[$0], highHalf: weights[$0 + 1])
  }
  let signs = SIMD16(lowHalf: Signed(), highHalf: Signed(repeating: -1))
  let weights = pairs.span
  var at = to
  var a = repeated(cells, at: first)
  for c in 1..<max(count, 1) {
    let b = repeated(cells, at: first &+ 2 &* c)
    let rise = (b &- a) &+ (b &- a)
    let start = SIMD16(lowHalf: a, highHalf: a)
    let change = (SIMD16(lowHalf: rise, highHalf: rise) ^ signs) &- signs
    for i in weights.indices {
      out.store(
        start &+ ((multiplyHigh(change, weights[i]) ^ signs) &- signs), at: at &+ 16 &* i)
    }
    at &+= 16 &* weights.count
    a = b
  }
}

/// The weights of the next cell for the pixels between two cells, four pixels a vector, in units of
/// 2^-15.
func weights(_ axis: GlassAxis) -> [Signed] {
  let size = axis.fineCell
  let start = axis.isBetween ? 1 : 0
  return stride(from: 0, to: size, by: 4).map { first -> Signed in
    var weights = Signed()
    for i in 0..<8 {
      let halves = 2 * (first + i / 2) + start
      weights[i] = Int16(halves * 32768 / (2 * size))
    }
    return weights
  }
}

/// The two channels of a cell, repeated four times, and those of the next cell.
@inline(__always)
private func repeatedPair(_ cells: Span<UInt16>, at index: Int) -> SIMD16<Int16> {
  let two: SIMD2<UInt32> = cells.load(at: index)
  let pixels = SIMD8(lowHalf: SIMD4(repeating: two[0]), highHalf: SIMD4(repeating: two[1]))
  return unsafe unsafeBitCast(pixels, to: SIMD16<Int16>.self)
}

/// The two channels of a cell, repeated four times.
@inline(__always)
func repeated(_ cells: Span<UInt16>, at index: Int) -> Signed {
  let two: SIMD2<Int16> = cells.load(at: index)
  let four = SIMD4(lowHalf: two, highHalf: two)
  return SIMD8(lowHalf: four, highHalf: four)
}
