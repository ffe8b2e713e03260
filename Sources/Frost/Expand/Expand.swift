import Raster

/// Draws pixels from blurred grid cells: doubles their number as often as the plan says, interpolates
/// between the centres of the fine cells, and rounds to 8 bits.
///
/// `grid` must hold all grid cells around `target`, in the coordinates of the output. If there is a `tone`,
/// they are not toned, and the interpolated pixels get the tone; see `Bends`. `layout` must
/// cover `target`. `origin` is the pixel at which the pattern of the grain starts: the top left
/// corner of the output. Writes premultiplied BGRA, past the caches if `isStreaming`.
func expand(
  _ grid: borrowing Plane, across: GlassAxis, down: GlassAxis, target: Rect, tone: ToneSteps?,
  grain: Grain, origin: (x: Int, y: Int), into pixels: inout MutableSpan<UInt32>,
  _ layout: PixelLayout, isStreaming: Bool
) {
  defer { if isStreaming { finishStreaming() } }
  let area = ExpandedArea(
    across: across, down: down, target: target, grain: grain, origin: origin, layout: layout,
    isStreaming: isStreaming)
  switch across.fineCell {
  case 1: area.drawCells(of: grid, into: &pixels)
  case 2: area.drawSmooth(grid, tone, into: &pixels)
  default: area.drawBlocks(of: grid, tone, into: &pixels)
  }
}

/// An area to draw, with its kernels.
private struct ExpandedArea {
  let across, down: GlassAxis
  let target: Rect
  let grain: Grain
  let origin: (x: Int, y: Int)
  let layout: PixelLayout
  let isStreaming: Bool

  /// Draws fine cells of the size of pixels, which are already toned.
  func drawCells(of grid: borrowing Plane, into pixels: inout MutableSpan<UInt32>) {
    var source = FineRows(across, target.columns, tone: nil, headroom: nil)
    var line = PlaneLine(count: target.width)
    let pitch = line.pitch
    let row = LinePixels(line, from: 0, count: target.width)
    let first = down.fineCells(aroundPixels: target.rows).lowerBound
    for y in target.rows {
      source.makeCells(first + y - target.y, grid, into: &line.values, at: 0, pitch: pitch)
      drawRow(row, line, grain: grain, grain.kind, to: rows(y..<y + 1), into: &pixels)
    }
  }

  /// Draws the pixels between fine cells of two pixels.
  func drawSmooth(
    _ grid: borrowing Plane, _ tone: ToneSteps?, into pixels: inout MutableSpan<UInt32>
  ) {
    var source = SmoothRows(across, target.columns, tone: tone, headroom: grain.headroom)
    let first = target.x - across.pixel(ofFineCell: source.firstCell)
    for row in down.fineCells(aroundPixels: target.rows).dropFirst().dropLast() {
      let top = down.pixel(ofFineCell: row)
      for y in (top..<top + 2).clamped(to: target.rows) {
        source.make(row, isNext: y > top, grid)
        source.draw(from: first, grain: grain, to: rows(y..<y + 1), into: &pixels)
      }
    }
  }

  /// Draws blocks of pixels between fine cells.
  func drawBlocks(
    of grid: borrowing Plane, _ tone: ToneSteps?, into pixels: inout MutableSpan<UInt32>
  ) {
    let size = across.fineCell
    let cells = down.fineCells(aroundPixels: target.rows)
    var source = FineRows(across, target.columns, tone: tone, headroom: grain.headroom)
    var (above, below) = (source.makeRow(), source.makeRow())
    let firstPixel = across.pixel(ofFineCell: source.columns.lowerBound)
    var bends = tone.map { Bends($0, across, cellCount: source.columns.count) }
    source.make(cells.lowerBound, grid, into: &below)
    for row in cells.dropLast() {
      swap(&above, &below)
      source.make(row + 1, grid, into: &below)
      let isInRange = grain.kind == .noise && above.hasHeadroom && below.hasHeadroom
      let top = down.pixel(ofFineCell: row)
      let drawn = max(top, target.y)..<min(top + size, target.maxY)
      let steps = drawn.lowerBound - top..<drawn.upperBound - top
      interpolateDown(
        from: above.pixels, to: below.pixels, at: target.x - firstPixel,
        Slope(size, isBetween: down.isBetween, skipping: steps.lowerBound), grain: grain,
        isInRange ? .noiseInRange : grain.kind, to: rows(drawn), into: &pixels)
      bends?.draw(
        between: above, below, steps: steps, columns: target.columns, firstPixel: firstPixel,
        at: top, grain: grain, origin: origin, into: &pixels, layout)
    }
  }

  /// The pixels of some rows of the target.
  private func rows(_ rows: Range<Int>) -> PixelRows {
    PixelRows(
      count: target.width, rows: rows.count, start: layout.index(x: target.x, y: rows.lowerBound),
      stride: layout.stride, grainAt: (target.x - origin.x, rows.lowerBound - origin.y),
      isStreaming: isStreaming)
  }
}
