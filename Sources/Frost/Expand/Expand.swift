import Raster

/// Draws pixels from blurred grid cells: doubles their number as often as the plan says, interpolates
/// linearly between the centres of the fine cells, and rounds to 8 bits.
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
  if across.fineCell == 1 {
    area.drawRows(of: grid, tone, into: &pixels)
  } else {
    area.drawBlocks(of: grid, tone, into: &pixels)
  }
}

/// What is drawn, and how.
private struct ExpandedArea {
  let across, down: GlassAxis
  let target: Rect
  let grain: Grain
  let origin: (x: Int, y: Int)
  let layout: PixelLayout
  let isStreaming: Bool

  /// Draws rows of pixels from fine cells of the size of pixels: equal to them and already toned, or means of
  /// neighbours.
  func drawRows(
    of grid: borrowing Plane, _ tone: ToneSteps?, into pixels: inout MutableSpan<UInt32>
  ) {
    let first = down.fineCells(aroundPixels: target.rows).lowerBound - target.y
    var source = FineRows(across, target.columns, tone: nil, headroom: nil)
    var (above, below) = (source.makeRow(), source.makeRow())
    var line = above.pixels
    let pitch = line.pitch
    if down.isBetween { source.make(first + target.y, grid, into: &below) }
    for y in target.rows {
      if down.isBetween {
        swap(&above, &below)
        source.make(first + y + 1, grid, into: &below)
        line.setMeans(of: above.pixels, below.pixels)
        if let tone {
          var values = line.values.mutableSpan
          tone.apply(to: &values, at: 0, pitch: pitch, cellCount: target.width)
        }
        drawRow(line, y: y, into: &pixels)
      } else {
        source.make(first + y, grid, into: &above)
        drawRow(above.pixels, y: y, into: &pixels)
      }
    }
  }

  private func drawRow(
    _ line: borrowing PlaneLine, y: Int, into pixels: inout MutableSpan<UInt32>
  ) {
    draw(
      line, line, fineCell: 1, isBetween: false, from: 0, steps: 0..<1, y: y, grain.kind,
      into: &pixels)
  }

  /// Draws blocks of pixels between fine cells.
  func drawBlocks(
    of grid: borrowing Plane, _ tone: ToneSteps?, into pixels: inout MutableSpan<UInt32>
  ) {
    let size = across.fineCell
    let rows = down.fineCells(aroundPixels: target.rows)
    var source = FineRows(across, target.columns, tone: tone, headroom: grain.headroom)
    var (above, below) = (source.makeRow(), source.makeRow())
    let firstPixel = across.pixel(ofFineCell: source.columns.lowerBound)
    var bends = tone.map { Bends($0, across, cellCount: source.columns.count) }
    source.make(rows.lowerBound, grid, into: &below)
    for row in rows.dropLast() {
      swap(&above, &below)
      source.make(row + 1, grid, into: &below)
      let isInRange = grain.kind == .noise && above.hasHeadroom && below.hasHeadroom
      let top = down.pixel(ofFineCell: row)
      let drawn = max(top, target.y)..<min(top + size, target.maxY)
      let steps = drawn.lowerBound - top..<drawn.upperBound - top
      draw(
        above.pixels, below.pixels, fineCell: size, isBetween: down.isBetween,
        from: target.x - firstPixel, steps: steps, y: drawn.lowerBound,
        isInRange ? .noiseInRange : grain.kind, into: &pixels)
      bends?.draw(
        between: above, below, steps: steps, columns: target.columns, firstPixel: firstPixel,
        at: top, grain: grain, origin: origin, into: &pixels, layout)
    }
  }

  /// Draws the rows `steps` between two lines; the first of them is row `y`.
  private func draw(
    _ above: borrowing PlaneLine, _ below: borrowing PlaneLine, fineCell: Int, isBetween: Bool,
    from first: Int, steps: Range<Int>, y: Int, _ kind: Grain.Kind,
    into pixels: inout MutableSpan<UInt32>
  ) {
    interpolateDown(
      from: above, to: below, at: first, fineCell: fineCell, isBetween: isBetween, steps: steps,
      count: target.width, grain: grain, kind, grainAt: (target.x - origin.x, y - origin.y),
      into: &pixels,
      at: layout.index(x: target.x, y: y), stride: layout.stride, isStreaming: isStreaming)
  }
}
