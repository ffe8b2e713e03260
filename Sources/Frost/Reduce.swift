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
  private let images: [MirrorImage]
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
    let first = line.lowerBound
    images = support.filter { $0 < 0 || $0 >= across.extent }.map { column in
      MirrorImage(to: 2 * (column - first), from: 2 * (across.mirrored(column) - first))
    }
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
    sums.copyColumns(images)
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
