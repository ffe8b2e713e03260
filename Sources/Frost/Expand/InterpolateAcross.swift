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
  case 4: interpolateFour(cells, at: first, count: count, weights[0], into: &out, at: to)
  default: interpolateBetween(cells, at: first, count: count, weights, into: &out, at: to)
  }
}

// Weights are below 1 and products are rounded to the nearest value, so no pixel leaves the range of its two cells.

/// Interpolates the four pixels between each cell and the next one. Computes two cells at once: up to four pixels more.
@_lifetime(out: copy out)
private func interpolateFour(
  _ cells: Span<UInt16>, at first: Int, count: Int, _ weights: Signed,
  into out: inout MutableSpan<UInt16>, at to: Int
) {
  precondition(first >= 0 && first + 2 * count + 16 <= cells.count)
  precondition(to >= 0 && to + 8 * count + 16 <= out.count)
  let weights = SIMD16(lowHalf: weights, highHalf: weights)
  for pair in 0..<count / 2 {
    let a = repeatedPair(cells, at: first &+ 4 &* pair)
    let b = repeatedPair(cells, at: first &+ 4 &* pair &+ 2)
    out.store(a &+ roundedProduct(b &- a, weights), at: to &+ 16 &* pair)
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
  let pairs = stride(from: 0, to: weights.count - 1, by: 2).map {
    SIMD16(lowHalf: weights[$0], highHalf: weights[$0 + 1])
  }
  let weights = pairs.span
  var at = to
  var a = repeated(cells, at: first)
  for c in 1..<max(count, 1) {
    let b = repeated(cells, at: first &+ 2 &* c)
    let start = SIMD16(lowHalf: a, highHalf: a)
    let rise = SIMD16(lowHalf: b &- a, highHalf: b &- a)
    for i in weights.indices {
      out.store(start &+ roundedProduct(rise, weights[i]), at: at &+ 16 &* i)
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
