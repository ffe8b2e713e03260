import Raster

/// Draws the pixels where a tone bends between cells.
///
/// A tone is applied to cells and interpolated, which is exact as long as it is affine between the four cells
/// around a block of pixels. Where it is not, such as at a limit to black and white, the block bends: in its
/// centre the tone of the interpolated colour differs from the interpolated tone. These blocks are drawn again,
/// with the tone of each interpolated pixel. A bend is a line on the picture, so few blocks are.
///
/// The error of a block that is not drawn again is at most four times the tolerance: at a straight bend through
/// a block twice the difference in its centre, at a bend that cuts off a corner less than four times.
///
/// Between two bends in opposite directions there may be no difference in the centre. A tone that has these is
/// tested beside the centre.
struct Bends {
  /// The largest difference of a block that does not bend, in units of a plane: a quarter of a level.
  private static let tolerance: Int16 = 16

  private let tone: ToneSteps
  private let fineCell: Int
  private let weights: [Signed]
  private let cellCount: Int
  /// The place in a block that is tested, as the weights of the right and of the lower cells.
  private let test: (across: Signed, down: Signed)
  /// The tones at the tested places; then, in the first half row, a value that is not zero for each of them
  /// from which the interpolated tone differs.
  private var tones: PlaneLine
  private var scratch: BentPixels

  init(_ tone: ToneSteps, _ axis: GlassAxis, cellCount: Int) {
    self.tone = tone
    fineCell = axis.fineCell
    self.cellCount = cellCount
    weights = Frost.weights(axis)
    let (across, down) = tone.canTurn ? (3.0 / 8, 5.0 / 8) : (0.5, 0.5)
    test = (Signed(repeating: Int16(across * 32768)), Signed(repeating: Int16(down * 32768)))
    tones = PlaneLine(count: cellCount)
    scratch = BentPixels(cell: fineCell)
  }

  /// Draws the bent blocks between two rows of cells: the rows of pixels `steps`, counted from the upper cells,
  /// whose row of pixels is `top`, and the columns `columns`. `firstPixel` is the first column between the first
  /// two cells.
  mutating func draw(
    between above: borrowing FineRow, _ below: borrowing FineRow, steps: Range<Int>,
    columns: Range<Int>, firstPixel: Int, at top: Int, grain: Grain, origin: (x: Int, y: Int),
    into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    let blocks = find(above, below)
    if blocks.isEmpty { return }
    let rows = top + steps.lowerBound..<top + steps.upperBound
    precondition(layout.bounds.contains(Rect(columns, rows)))
    for start in stride(from: 0, to: blocks.count, by: BentPixels.blockCount) {
      let some = blocks[start..<min(start + BentPixels.blockCount, blocks.count)]
      scratch.interpolate(some, above.cells, below.cells, weights, steps: steps)
      scratch.apply(tone)
      let pen = BentPen(
        columns: columns, rows: rows, origin: origin, layout: layout,
        lefts: some.map { firstPixel + fineCell * $0 })
      scratch.draw(pen, grain, into: &pixels)
    }
  }

  // MARK: Find

  /// The blocks that bend, as the indices of their upper left cells.
  private mutating func find(_ above: borrowing FineRow, _ below: borrowing FineRow) -> [Int] {
    interpolate(above.cells.values.span, below.cells.values.span)
    let (tone, cellCount, pitch) = (tone, cellCount, tones.pitch)
    var values = tones.values.mutableSpan
    tone.apply(to: &values, at: 0, pitch: pitch, cellCount: cellCount)
    compare(above.toned.values.span, below.toned.values.span)
    return marked()
  }

  /// Sets `tones` to the colours at the tested places.
  private mutating func interpolate(_ above: Span<UInt16>, _ below: Span<UInt16>) {
    let (cellCount, pitch, test) = (cellCount, tones.pitch, test)
    var tones = tones.values.mutableSpan
    precondition(above.count == tones.count && below.count == tones.count)
    precondition(2 * pitch + Plane.slack == tones.count && 2 * cellCount <= pitch)
    for half in 0..<2 {
      let at = half * pitch
      var i = 0
      while i < 2 * cellCount {
        tones.store(between(above, below, at: at &+ i, test), at: at &+ i)
        i &+= 8
      }
    }
  }

  /// Compares `tones` with the interpolated tones.
  private mutating func compare(_ above: Span<UInt16>, _ below: Span<UInt16>) {
    let (cellCount, pitch, test) = (cellCount, tones.pitch, test)
    var tones = tones.values.mutableSpan
    precondition(above.count == tones.count && below.count == tones.count)
    precondition(2 * pitch + Plane.slack == tones.count && 2 * cellCount <= pitch)
    let tolerance = Signed(repeating: Self.tolerance)
    @inline(__always)
    func differs(_ tone: Signed, _ at: Int) -> Signed {
      let difference = between(above, below, at: at, test) &- tone
      let sign = difference &>> 15
      // Negative if the absolute value is larger.
      return (tolerance &- ((difference ^ sign) &- sign)) &>> 15
    }
    var i = 0
    while i < 2 * cellCount {
      let (br, ga) = (tones.load(Signed.self, at: i), tones.load(Signed.self, at: pitch &+ i))
      tones.store(differs(br, i) | differs(ga, pitch &+ i), at: i)
      i &+= 8
    }
  }

  /// The cells that `compare` marked, except the last one.
  private func marked() -> [Int] {
    let marks = tones.values.span
    var blocks: [Int] = []
    var cell = 0
    while cell < cellCount - 1 {
      if cell & 7 == 0, marks.load(Lanes.self, at: 2 &* cell) == Lanes() {
        cell &+= 8
        continue
      }
      if marks[2 * cell] | marks[2 * cell + 1] != 0 { blocks.append(cell) }
      cell &+= 1
    }
    return blocks
  }
}

/// Interpolates four cells of two rows with their right neighbours.
@inline(__always)
private func between(
  _ above: Span<UInt16>, _ below: Span<UInt16>, at index: Int,
  _ test: (across: Signed, down: Signed)
) -> Signed {
  between(
    between(above.load(at: index), above.load(at: index &+ 2), test.across),
    between(below.load(at: index), below.load(at: index &+ 2), test.across), test.down)
}
