import Raster

/// Draws the pixels where a tone bends between cells.
///
/// A tone is applied to cells and interpolated, which is exact as long as it is affine between the four cells
/// around a block of pixels. Where it is not, such as at a limit to black and white, the block bends: in its
/// centre the tone of the interpolated colour differs from the interpolated tone. These blocks are drawn again,
/// with the tone of each interpolated pixel. The bends of a picture are lines, so few blocks bend.
///
/// The error of a block that is not drawn again is at most four times the tolerance: at a straight bend through
/// a block twice the difference in its centre, at a bend that cuts off a corner less than four times.
///
/// Between two bends in opposite directions there may be no difference in the centre. A tone that has these is
/// tested beside the centre. It also curves toward its bends: there the error of a block is up to four times the
/// difference at the tested place, in blocks side by side, so its tolerance is smaller.
struct Bends {
  /// The largest difference of a block that does not bend, in units of a plane: a quarter of a level, or a ninth if the
  /// tone can turn.
  private let tolerance: Int16

  private let tone: ToneSteps
  private let fineCell: Int
  private let weights: [Signed]
  private let cellCount: Int
  /// The place in a block that is tested.
  private let test: BlockPoint
  /// The tones of the tested places, four together.
  private var tones: PlaneLine
  /// The first cells of the blocks that are tested, four together.
  private var tested: [Int] = []
  private var scratch: BentPixels

  init(_ tone: ToneSteps, _ axis: GlassAxis, cellCount: Int) {
    self.tone = tone
    fineCell = axis.fineCell
    self.cellCount = cellCount
    weights = Frost.weights(axis)
    tolerance = tone.canTurn ? 7 : 16
    test = tone.canTurn ? BlockPoint(across: 3.0 / 8, down: 5.0 / 8) : .centre
    tones = PlaneLine(count: (cellCount + 3) / 4 * 4)
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
    chooseTested(above.toned, below.toned)
    if tested.isEmpty { return [] }
    interpolate(above.cells, below.cells)
    let (tone, pitch, count) = (tone, tones.pitch, 4 * tested.count)
    var values = tones.values.mutableSpan
    tone.apply(to: &values, at: 0, pitch: pitch, cellCount: count)
    return compare(above.toned, below.toned)
  }

  /// Sets `tested` to the blocks that may bend.
  private mutating func chooseTested(_ above: borrowing PlaneLine, _ below: borrowing PlaneLine) {
    let all = stride(from: 0, to: cellCount - 1, by: 4)
    tested.removeAll(keepingCapacity: true)
    guard let limits = tone.limits else {
      tested.append(contentsOf: all)
      return
    }
    let (pitch, above, below) = (above.pitch, above.values.span, below.values.span)
    for first in all {
      let toned = FourBlocks(above, below, at: 2 * first, pitch: pitch)
      if larger(toned.bends(at: limits), Signed()) != Signed() { tested.append(first) }
    }
  }

  /// Sets `tones` to the colours at the tested places.
  private mutating func interpolate(_ above: borrowing PlaneLine, _ below: borrowing PlaneLine) {
    let (pitch, above, below) = (above.pitch, above.values.span, below.values.span)
    let (tonesPitch, test, tested) = (tones.pitch, test, tested)
    var values = tones.values.mutableSpan
    var at = 0
    for first in tested {
      let value = FourBlocks(above, below, at: 2 * first, pitch: pitch).value(at: test)
      values.store(value.br, at: at)
      values.store(value.ga, at: tonesPitch + at)
      at += 8
    }
  }

  /// The blocks where the interpolated tone differs from `tones`.
  private func compare(_ above: borrowing PlaneLine, _ below: borrowing PlaneLine) -> [Int] {
    let (pitch, above, below) = (above.pitch, above.values.span, below.values.span)
    let (values, limits) = (tones.values.span, self.tone.limits)
    var blocks: [Int] = []
    var at = 0
    for first in tested {
      let tone = FourCells(br: values.load(at: at), ga: values.load(at: tones.pitch + at))
      at += 8
      let toned = FourBlocks(above, below, at: 2 * first, pitch: pitch)
      let bent = differences(tone, toned.value(at: test))
      if bent == Signed() { continue }
      let mayBend = limits.map { toned.bends(at: $0) } ?? Signed(repeating: 1)
      for i in 0..<min(4, cellCount - 1 - first)
      where bent[2 * i] | bent[2 * i + 1] != 0 && max(mayBend[2 * i], mayBend[2 * i + 1]) > 0 {
        blocks.append(first + i)
      }
    }
    return blocks
  }

  /// Two values for each of four cells, which are not both zero if two colours differ by more than the tolerance.
  @inline(__always)
  private func differences(_ one: FourCells, _ other: FourCells) -> Signed {
    let most = Signed(repeating: tolerance)
    @inline(__always)
    func exceeds(_ difference: Signed) -> Signed {
      let sign = difference &>> 15
      // Negative if the absolute value is larger.
      return (most &- ((difference ^ sign) &- sign)) &>> 15
    }
    return exceeds(one.br &- other.br) | exceeds(one.ga &- other.ga)
  }
}

/// A place in a block, as the weights of its right and of its lower cells.
private struct BlockPoint {
  let across, down: Signed

  /// From 0 to 1.
  init(across: Double, down: Double) {
    self.across = Signed(repeating: Int16(across * 32768))
    self.down = Signed(repeating: Int16(down * 32768))
  }

  static let centre = BlockPoint(across: 0.5, down: 0.5)
}

/// Four blocks side by side: the cells at their corners.
private struct FourBlocks {
  private let top, bottom: (left: FourCells, right: FourCells)

  /// `index` is that of the first upper left cell in its line.
  @inline(__always)
  init(_ above: Span<UInt16>, _ below: Span<UInt16>, at index: Int, pitch: Int) {
    @inline(__always)
    func cells(_ line: Span<UInt16>, _ index: Int) -> FourCells {
      FourCells(br: line.load(at: index), ga: line.load(at: pitch &+ index))
    }
    top = (cells(above, index), cells(above, index &+ 2))
    bottom = (cells(below, index), cells(below, index &+ 2))
  }

  /// The interpolated colours.
  @inline(__always)
  func value(at point: BlockPoint) -> FourCells {
    @inline(__always)
    func value(_ channels: (FourCells) -> Signed) -> Signed {
      between(
        between(channels(top.left), channels(top.right), point.across),
        between(channels(bottom.left), channels(bottom.right), point.across), point.down)
    }
    return FourCells(br: value { $0.br }, ga: value { $0.ga })
  }

  /// Two values for each block; one of them is positive if the tone may bend in the block. The cells are results of the tone,
  /// which is affine between its limits. So the tone does not bend if, in each channel, all results are at the same limit or no
  /// result is at a limit. Translucent cells, whose limits differ, count as bent.
  @inline(__always)
  func bends(at limits: ToneLimits) -> Signed {
    @inline(__always)
    func all(_ choose: (Signed, Signed) -> Signed, _ channels: (FourCells) -> Signed) -> Signed {
      choose(
        choose(channels(top.left), channels(top.right)),
        choose(channels(bottom.left), channels(bottom.right)))
    }
    // Positive where the results differ and one of them is at a limit.
    @inline(__always)
    func bends(_ smallest: Signed, _ largest: Signed, _ low: Signed, _ high: Signed) -> Signed {
      smaller(largest &- smallest, 1 &- smaller(smallest &- low, high &- largest))
    }
    // Alpha differs from its limits if it is not full.
    let opaque = Signed(repeating: 0, and: Int16(Plane.full))
    return larger(
      bends(all(smaller) { $0.br }, all(larger) { $0.br }, limits.low.br, limits.high.br),
      bends(
        all(smaller) { $0.ga }, larger(all(larger) { $0.ga }, opaque), limits.low.ga,
        limits.high.ga))
  }
}
