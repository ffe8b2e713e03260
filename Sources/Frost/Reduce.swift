import Raster

/// Makes the cells `target` of pixels.
///
/// `pixels` hold `layout.bounds`, which must cover the real pixels that the cells are made of. Where
/// `isOpaque`, the pixels' fourth byte is taken as 255, whatever it is.
///
/// Returns the rows of cells in which a value really changed: one range a band, some of them empty.
func reduce(
  _ pixels: Span<UInt32>, _ layout: PixelLayout, isOpaque: Bool, across: Axis, down: Axis,
  _ target: Rect, into cells: inout Plane, threads: Int
) -> [Range<Int>] {
  cells.update(target, threads: threads) { band, shape, values in
    var reducer = Reducer(layout, across: across, down: down, band)
    var changed = band.y..<band.y
    reducer.start(pixels)
    for row in band.rows {
      let scale = reducer.sum(pixels, row: row)
      let isChanged = store(
        reducer.sums, from: reducer.first, count: band.width, scale: scale, isOpaque: isOpaque,
        into: &values, at: shape.index(x: band.x, y: row), pitch: shape.pitch)
      if isChanged {
        changed = (changed.isEmpty ? row : changed.lowerBound)..<row + 1
      }
    }
    return changed
  }
}

/// Walks down the rows of a band of cells.
private struct Reducer {
  let layout: PixelLayout
  let across, down: Axis
  let firstRow: Int
  /// Pixels, real or mirrored, that the cells are made of; and real ones that these show.
  let support, real: Range<Int>
  /// The pixels that `sums` has columns for: both of the above.
  let line: Range<Int>
  var sums: LineBuffer
  /// What a row of cells leaves to the next one, where they overlap.
  var carried: LineBuffer
  /// Where in the pixels the rows of one row of cells start.
  private var starts: [Int]

  init(_ layout: PixelLayout, across: Axis, down: Axis, _ band: Rect) {
    self.layout = layout
    self.across = across
    self.down = down
    firstRow = band.y
    support = across.support(ofCells: band.columns)
    real = across.realPixels(for: support)
    line = min(support.lowerBound, real.lowerBound)..<max(support.upperBound, real.upperBound)
    sums = LineBuffer(pixelCount: line.count)
    carried = LineBuffer(pixelCount: across.plan.prefilter == .tent ? real.count : 0)
    starts = Array(repeating: 0, count: across.plan.cell)
  }

  /// The column of `sums` that the first cell is folded to.
  var first: Int { support.lowerBound - line.lowerBound }

  /// Sums what the row of cells above the first one leaves to it.
  mutating func start(_ pixels: Span<UInt32>) {
    if across.plan.prefilter == .tent { sumDown(pixels, row: firstRow - 1) }
  }

  /// Makes one row of cells, from column `first` of `sums` on. Returns what a value of 1 has become.
  mutating func sum(_ pixels: Span<UInt32>, row: Int) -> Int {
    sumDown(pixels, row: row)
    sums.mirror(line, support: support, real: real, across)
    return sums.fold(from: first, count: support.count, across.plan)
  }

  private mutating func sumDown(_ pixels: Span<UInt32>, row: Int) {
    for i in starts.indices {
      // The first row of the cells above the band weighs nothing in what they leave, and may not be
      // there: any other stands in for it.
      let first = row < firstRow ? max(i, 1) : i
      starts[i] = layout.index(
        x: real.lowerBound, y: down.mirrored(row * across.plan.cell + first))
    }
    let at = real.lowerBound - line.lowerBound
    switch across.plan.prefilter {
    case .box:
      sumBox(pixels, starts, count: real.count, into: &sums, at: at)
    case .tent:
      sumTent(pixels, starts, count: real.count, carried: &carried, into: &sums, at: at)
    }
  }
}

/// Sums of pixels down the rows of one row of cells, one a column: two half rows, as in a plane.
struct LineBuffer: Sendable {
  /// From the first half row to the second, in values.
  let pitch: Int
  var values: [UInt16]

  init(pixelCount: Int) {
    pitch = 2 * pixelCount + Plane.slack
    values = Array(repeating: 0, count: 2 * pitch + Plane.slack)
  }

  /// Fills the columns outside the screen with mirror images of those inside.
  fileprivate mutating func mirror(
    _ line: Range<Int>, support: Range<Int>, real: Range<Int>, _ across: Axis
  ) {
    let pitch = pitch
    var span = values.mutableSpan
    let outside = [
      support.lowerBound..<max(support.lowerBound, real.lowerBound),
      min(support.upperBound, real.upperBound)..<support.upperBound,
    ]
    for columns in outside {
      for column in columns {
        let from = 2 * (across.mirrored(column) - line.lowerBound)
        let to = 2 * (column - line.lowerBound)
        precondition(from >= 0 && to >= 0 && max(from, to) + 2 <= pitch)
        span.store(span.load(SIMD2<UInt16>.self, at: from), at: to)
        span.store(span.load(SIMD2<UInt16>.self, at: pitch &+ from), at: pitch &+ to)
      }
    }
  }

  /// Folds `count` columns, from column `first` on, to cells, two to one again and again; the cells
  /// then stand from column `first` on. Returns what a value of 1 has become.
  fileprivate mutating func fold(from first: Int, count: Int, _ plan: Plan) -> Int {
    var scale = plan.prefilter == .tent ? plan.cell * plan.cell : plan.cell
    var columns = count
    var k = plan.cell
    while k > 1 {
      columns = (columns + 1) / 2
      for half in 0..<2 {
        let at = half * pitch + 2 * first
        switch plan.prefilter {
        case .tent: foldTent(&values, at: at, count: columns)
        case .box where scale < 256: foldBox(&values, at: at, count: columns)
        case .box: foldMean(&values, at: at, count: columns)
        }
      }
      switch plan.prefilter {
      case .tent: scale *= 4
      case .box: scale = min(256, 2 * scale)
      }
      k /= 2
    }
    return scale
  }
}

// MARK: Down the rows

/// Sums pixels over the rows that start at `starts`.
private func sumBox(
  _ pixels: Span<UInt32>, _ starts: [Int], count: Int, into sums: inout LineBuffer, at first: Int
) {
  let starts = starts.span
  let pitch = sums.pitch
  var out = sums.values.mutableSpan
  precondition(pitch >= 2 * (first + count) && out.count >= pitch + 2 * (first + count))
  for i in starts.indices {
    precondition(starts[i] >= 0 && starts[i] + count <= pixels.count)
  }
  var x = 0
  while x &+ 16 <= count {
    var br0 = Lanes(), br1 = Lanes(), ga0 = Lanes(), ga1 = Lanes()
    for i in starts.indices {
      let p0: Lanes = pixels.load(at: starts[i] &+ x)
      let p1: Lanes = pixels.load(at: starts[i] &+ x &+ 8)
      br0 &+= p0 & 0xff
      br1 &+= p1 & 0xff
      ga0 &+= p0 &>> 8
      ga1 &+= p1 &>> 8
    }
    let at = 2 &* (first &+ x)
    out.store(br0, at: at)
    out.store(br1, at: at &+ 16)
    out.store(ga0, at: pitch &+ at)
    out.store(ga1, at: pitch &+ at &+ 16)
    x &+= 16
  }
  while x < count {
    var br = SIMD2<UInt16>(), ga = SIMD2<UInt16>()
    for i in starts.indices {
      let p: SIMD2<UInt16> = pixels.load(at: starts[i] &+ x)
      br &+= p & 0xff
      ga &+= p &>> 8
    }
    let at = 2 &* (first &+ x)
    out.store(br, at: at)
    out.store(ga, at: pitch &+ at)
    x &+= 1
  }
}

/// Sums the rows r_0 ... r_(k-1) that start at `starts` with falling weights k, k - 1, ..., 1, and
/// adds what the row of cells above has carried over; carries over the rising weights 0, 1, ...,
/// k - 1. By running sums: U = sum of i * r_i, S = sum of r_i, and the falling sum is k * S - U.
private func sumTent(
  _ pixels: Span<UInt32>, _ starts: [Int], count: Int, carried: inout LineBuffer,
  into sums: inout LineBuffer, at first: Int
) {
  let starts = starts.span
  let pitch = sums.pitch
  let carriedPitch = carried.pitch
  var out = sums.values.mutableSpan
  var carry = carried.values.mutableSpan
  precondition(pitch >= 2 * (first + count) && out.count >= pitch + 2 * (first + count))
  precondition(carriedPitch >= 2 * count && carry.count >= carriedPitch + 2 * count)
  for i in starts.indices {
    precondition(starts[i] >= 0 && starts[i] + count <= pixels.count)
  }
  var x = 0
  while x &+ 16 <= count {
    for part in 0..<2 {
      let at = x &+ 8 &* part
      let sum = TentSum<Lanes>(pixels, starts, at: at)
      out.store(sum.fallingBR &+ carry.load(at: 2 &* at), at: 2 &* (first &+ at))
      out.store(
        sum.fallingGA &+ carry.load(at: carriedPitch &+ 2 &* at),
        at: pitch &+ 2 &* (first &+ at))
      carry.store(sum.risingBR, at: 2 &* at)
      carry.store(sum.risingGA, at: carriedPitch &+ 2 &* at)
    }
    x &+= 16
  }
  while x < count {
    let sum = TentSum<SIMD2<UInt16>>(pixels, starts, at: x)
    out.store(sum.fallingBR &+ carry.load(at: 2 &* x), at: 2 &* (first &+ x))
    out.store(
      sum.fallingGA &+ carry.load(at: carriedPitch &+ 2 &* x), at: pitch &+ 2 &* (first &+ x))
    carry.store(sum.risingBR, at: 2 &* x)
    carry.store(sum.risingGA, at: carriedPitch &+ 2 &* x)
    x &+= 1
  }
}

/// The falling and the rising sum of a column of pixels.
private struct TentSum<V: SIMD & BitwiseCopyable> where V.Scalar == UInt16 {
  var fallingBR = V(), fallingGA = V(), risingBR = V(), risingGA = V()

  @inline(__always)
  init(_ pixels: Span<UInt32>, _ starts: Span<Int>, at x: Int) {
    var sumBR = V(), sumGA = V()
    var i = starts.count &- 1
    while i > 0 {
      let p: V = pixels.load(at: starts[i] &+ x)
      sumBR &+= p & 0xff
      sumGA &+= p &>> 8
      risingBR &+= sumBR
      risingGA &+= sumGA
      i &-= 1
    }
    let p: V = pixels.load(at: starts[0] &+ x)
    let k = UInt16(truncatingIfNeeded: starts.count)
    fallingBR = (sumBR &+ (p & 0xff)) &* k &- risingBR
    fallingGA = (sumGA &+ (p &>> 8)) &* k &- risingGA
  }
}

// MARK: Across the columns

/// The even and the odd of sixteen columns, from value `at` on.
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

/// As `foldBox`, with the mean, rounded half up.
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

/// Column c becomes column 2c, twice column 2c + 1 and column 2c + 2, for `count` columns, in place.
private func foldTent(_ values: inout [UInt16], at first: Int, count: Int) {
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

// MARK: Into the plane

/// Stores `count` cells of a line, brought to the plane's unit. Returns whether one was different.
private func store(
  _ line: borrowing LineBuffer, from first: Int, count: Int, scale: Int, isOpaque: Bool,
  into plane: inout MutableSpan<UInt16>, at: Int, pitch: Int
) -> Bool {
  let values = line.values.span
  let linePitch = line.pitch
  precondition(at >= 0 && at + pitch + 2 * count <= plane.count)
  precondition(first >= 0 && 2 * (first + count) + linePitch <= values.count)
  let toUnit = UnitScale(from: scale)
  var wideAlpha = (keep: Lanes(repeating: 0xffff), fill: Lanes())
  var narrowAlpha = (keep: SIMD2<UInt16>(repeating: 0xffff), fill: SIMD2<UInt16>())
  if isOpaque {
    wideAlpha.keep.oddHalf = SIMD8()
    wideAlpha.fill.oddHalf = SIMD8(repeating: Plane.full)
    narrowAlpha = (SIMD2(0xffff, 0), SIMD2(0, Plane.full))
  }
  var difference = Lanes()
  var i = 0
  while i &+ 16 <= 2 &* count {
    let br: Lanes = toUnit(values.load(at: 2 &* first &+ i))
    let raw: Lanes = toUnit(values.load(at: linePitch &+ 2 &* first &+ i))
    let ga = raw & wideAlpha.keep | wideAlpha.fill
    difference |= br ^ plane.load(at: at &+ i)
    difference |= ga ^ plane.load(at: at &+ pitch &+ i)
    plane.store(br, at: at &+ i)
    plane.store(ga, at: at &+ pitch &+ i)
    i &+= 16
  }
  var rest = SIMD2<UInt16>()
  while i < 2 &* count {
    let br: SIMD2<UInt16> = toUnit(values.load(at: 2 &* first &+ i))
    let raw: SIMD2<UInt16> = toUnit(values.load(at: linePitch &+ 2 &* first &+ i))
    let ga = raw & narrowAlpha.keep | narrowAlpha.fill
    rest |= br ^ plane.load(at: at &+ i)
    rest |= ga ^ plane.load(at: at &+ pitch &+ i)
    plane.store(br, at: at &+ i)
    plane.store(ga, at: at &+ pitch &+ i)
    i &+= 2
  }
  return difference != Lanes() || rest != SIMD2()
}

/// Brings sums of pixels to the plane's unit, rounded.
private struct UnitScale {
  private let up, half, down: UInt16

  /// `scale` is what a value of 1 has become: a power of two.
  init(from scale: Int) {
    let unit = Int(Plane.unit)
    up = scale < unit ? UInt16((unit / scale).trailingZeroBitCount) : 0
    down = scale > unit ? UInt16((scale / unit).trailingZeroBitCount) : 0
    half = down > 0 ? 1 << (down - 1) : 0
  }

  @inline(__always)
  func callAsFunction<V: SIMD>(_ v: V) -> V where V.Scalar == UInt16 {
    ((v &<< up) &+ half) &>> down
  }
}
