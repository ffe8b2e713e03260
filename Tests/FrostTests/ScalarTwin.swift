@testable import Frost
import Raster

/// The scalar twin of the glass: plain loops over integers, one channel of one cell at a time, with
/// the same arithmetic.
///
/// The screen is extended without limit by mirrored pixels. Each stage computes exactly the values
/// that the next one needs. So there are no margins, bands or vectors in which errors could occur.
struct ScalarTwin {
  let screen: Bitmap
  let isOpaque: Bool
  let material: Material
  private let plan: Plan
  private let tone: ScalarTone
  /// Whether cells are interpolated before the tone where it bends.
  private let bends: Bool
  private let tile: NoiseTile

  init(_ screen: Bitmap, material: Material, isOpaque: Bool = true) {
    self.screen = screen
    self.material = material
    self.isOpaque = isOpaque
    tone = ScalarTone(material.tone)
    plan = Plan(
      sigma: material.sigma, extent: min(screen.width, screen.height), bends: !tone.isAffine)
    tile = NoiseTile(amplitude: material.noise * 65280)
    bends = !tone.isAffine && plan.reduction.cell > 1
  }

  /// The frosted pixels of a pane.
  func frosted(_ pane: Rect) -> Bitmap {
    let fine = unrounded(pane)
    var picture = Bitmap(width: pane.width, height: pane.height)
    for y in 0..<pane.height {
      for x in 0..<pane.width {
        let (screenX, screenY) = (pane.x + x, pane.y + y)
        let column = screenX + (material.noise == 0 ? 0 : shift(x: screenX, y: screenY))
        let threshold = material.isDithered ? threshold(x: column, y: screenY) : 128
        let values = (0..<4).map { fine[screenX, screenY, $0] + threshold }
        precondition(values.allSatisfy { (0...0xffff).contains($0) }, "a channel has wrapped")
        let alpha = values[3] >> 8
        let noise = noise(x: screenX, y: screenY)
        for channel in 0..<4 {
          var value = values[channel] >> 8
          if channel < 3, let noise {
            value = min(max(values[channel] + noise, 0), 0xffff) >> 8
            if !isOpaque { value = min(value, alpha) }
          }
          picture[x, y] |= UInt32(value) << (8 * UInt32(channel))
        }
      }
    }
    return picture
  }

  /// The noise of a pixel of the screen. The random numbers are those of the glass; their position and amplitude
  /// are computed here.
  private func noise(x: Int, y: Int) -> Int? {
    if material.noise == 0 { return nil }
    return tile[(x + shift(x: x, y: y)) % 512, y % 8]
  }

  /// The column of the tile at which the area of 256 x 8 pixels with a pixel of the screen starts.
  private func shift(x: Int, y: Int) -> Int {
    var hash = UInt32(truncatingIfNeeded: 0x9E3B * (x / 256) + 0x85EB_CA6B * (y / 8)) &* 0x85EB_CA6B
    hash = (hash ^ hash >> 13) &* 0xC2B2_AE35
    return 8 * Int(hash >> 24)
  }

  /// The values before the last rounding; full white is 255 * 256.
  func unrounded(_ pane: Rect) -> Numbers {
    if fineCell == 2 { return smooth(pane) }
    let cells = Rect(fineCells(pane.columns), fineCells(pane.rows))
    let untoned = fine(cells)
    let bent = bends ? bentPixels(pane, untoned) : [:]
    let lines = across(bends ? toned(untoned) : untoned, Rect(pane.columns, cells.rows))
    return Numbers(pane) { x, y, channel in
      if let pixel = bent[x, default: [:]][y] { return 4 * pixel[channel] }
      let row = floored(y + offset, fineCell)
      let above = lines[x, row, channel]
      if fineCell == 1 { return 4 * above }
      // Swift's division rounds toward zero.
      let step = 4 * (lines[x, row + 1, channel] - above) / fineCell
      let half = isBetween ? floored(step, 2) : 0
      return 4 * above + half + step * (y + offset - row * fineCell)
    }
  }

  /// The pixels between fine cells of two pixels: the subdivision of a cubic B-spline by means of two, down and then across.
  private func smooth(_ pane: Rect) -> Numbers {
    func cells(_ pixels: Range<Int>) -> Range<Int> {
      floored(pixels.lowerBound + offset, 2) - 1..<floored(pixels.upperBound - 1 + offset, 2) + 2
    }
    let fine = fine(Rect(cells(pane.columns), cells(pane.rows)))
    let rows = Numbers(Rect(fine.bounds.columns, pane.rows)) { x, y, channel in
      spline(y, roundedUp: 0) { 4 * fine[x, $0, channel] }
    }
    return Numbers(pane) { x, y in
      let pixel = (0..<4).map { channel in spline(x, roundedUp: 1) { rows[$0, y, channel] } }
      return bends ? tone.toned(pixel.map { ($0 + 2) >> 2 }).map { 4 * $0 } : pixel
    }
  }

  /// The value at a pixel between cells.
  private func spline(_ pixel: Int, roundedUp: Int, _ cell: (Int) -> Int) -> Int {
    func mean(_ a: Int, _ b: Int) -> Int { (a + b + roundedUp) >> 1 }
    let own = floored(pixel + offset, 2)
    let value = cell(own)
    if pixel + offset != 2 * own { return mean(value, cell(own + 1)) }
    return mean(value, mean(value, mean(cell(own - 1), cell(own + 1))))
  }

  private var fineCell: Int {
    (plan.reduction.cell * (plan.isHalved ? 2 : 1)) >> plan.doublings
  }

  /// The position of cell 0 relative to the first pixel at or after the centre of fine cell 0.
  private var offset: Int {
    let centre = isBetween ? plan.reduction.cell / 2 : 0
    return (plan.doublings > (plan.isHalved ? 1 : 0) ? fineCell / 2 : 0) - centre
  }

  /// Whether the centres of cells lie half a pixel before pixels.
  private var isBetween: Bool { plan.reduction.cell >= 8 }

  private func fineCells(_ pixels: Range<Int>) -> Range<Int> {
    let last = floored(pixels.upperBound - 1 + offset, fineCell)
    return floored(pixels.lowerBound + offset, fineCell)..<last + 2
  }

  // MARK: Bends

  /// The toned pixels of all blocks in which the tone bends, by column and row.
  private func bentPixels(_ pane: Rect, _ cells: Numbers) -> [Int: [Int: [Int]]] {
    let toned = toned(cells)
    var pixels: [Int: [Int: [Int]]] = [:]
    for row in cells.bounds.y..<cells.bounds.maxY - 1 {
      for column in cells.bounds.x..<cells.bounds.maxX - 1 where isBent(column, row, cells, toned) {
        for y in 0..<fineCell {
          for x in 0..<fineCell {
            let place = (x: fineCell * column - offset + x, y: fineCell * row - offset + y)
            guard pane.contains(x: place.x, y: place.y) else { continue }
            pixels[place.x, default: [:]][place.y] = tone.toned(
              (0..<4).map { channel in
                func cell(_ dx: Int, _ dy: Int) -> Int { cells[column + dx, row + dy, channel] }
                return between(
                  between(cell(0, 0), cell(1, 0), x), between(cell(0, 1), cell(1, 1), x), y)
              })
          }
        }
      }
    }
    return pixels
  }

  private func isBent(_ column: Int, _ row: Int, _ cells: Numbers, _ toned: Numbers) -> Bool {
    // Beside the centre, and more exactly, if the tone has a luminosity layer.
    let (across, down, tolerance) =
      tone.hasLuminosity ? (12288, 20480, 7) : (16384, 16384, 16)
    func inside(_ numbers: Numbers) -> [Int] {
      (0..<4).map { channel in
        func at(_ dx: Int, _ dy: Int) -> Int { numbers[column + dx, row + dy, channel] }
        func between(_ a: Int, _ b: Int, _ weight: Int) -> Int {
          a + floored((b - a) * weight, 32768)
        }
        return between(
          between(at(0, 0), at(1, 0), across), between(at(0, 1), at(1, 1), across), down)
      }
    }
    return mayBend(column, row, toned)
      && zip(tone.toned(inside(cells)), inside(toned)).contains { abs($0 - $1) > tolerance }
  }

  /// Whether a corner of a block is at a limit of the tone to which not all corners are limited.
  private func mayBend(_ column: Int, _ row: Int, _ toned: Numbers) -> Bool {
    guard let limits = tone.limits else { return true }
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    func values(_ channel: Int) -> [Int] {
      corners.map { toned[column + $0.0, row + $0.1, channel] }
    }
    if values(3).contains(where: { $0 < 16320 }) { return true }
    return (0..<3).contains { channel in
      let own = values(channel)
      return Set(own).count > 1
        && own.contains { $0 <= limits[channel].lowerBound || $0 >= limits[channel].upperBound }
    }
  }

  /// The value of pixel `i` between two cells, rounded down.
  private func between(_ a: Int, _ b: Int, _ i: Int) -> Int {
    a + floored((b - a) * weight(ofPixel: i), 32768)
  }

  /// The weight of the next cell for pixel `i` between two cells, in units of 2^-15.
  private func weight(ofPixel i: Int) -> Int {
    (2 * i + (isBetween ? 1 : 0)) * 32768 / (2 * fineCell)
  }

  private func toned(_ cells: Numbers) -> Numbers {
    Numbers(cells.bounds) { x, y in tone.toned((0..<4).map { cells[x, y, $0] }) }
  }

  // MARK: Up

  private func across(_ cells: Numbers, _ bounds: Rect) -> Numbers {
    Numbers(bounds) { x, y, channel in
      let column = floored(x + offset, fineCell)
      let i = x + offset - column * fineCell
      let a = cells[column, y, channel]
      if fineCell == 1 { return a }
      let b = cells[column + 1, y, channel]
      return a + floored((b - a) * weight(ofPixel: i) + 16384, 32768)
    }
  }

  /// The blurred cells after all doublings: first down, then across.
  private func fine(_ bounds: Rect) -> Numbers {
    func nearAndFar(_ cell: Int) -> (Int, Int) {
      let own = floored(cell, 2)
      return (own, cell == 2 * own ? own - 1 : own + 1)
    }
    // Before the centre of the nearer cell half up, after it half down.
    func rounding(_ cell: Int) -> Int { cell == 2 * floored(cell, 2) ? 2 : 1 }
    func coarser(_ range: Range<Int>) -> Range<Int> {
      floored(range.lowerBound, 2) - 1..<floored(range.upperBound - 1, 2) + 2
    }
    var (columns, rows) = ([bounds.columns], [bounds.rows])
    for _ in 0..<plan.doublings {
      columns.append(coarser(columns[columns.count - 1]))
      rows.append(coarser(rows[rows.count - 1]))
    }
    var cells = settled(Rect(columns[columns.count - 1], rows[rows.count - 1]))
    for rows in rows.dropLast().reversed() {
      let coarse = cells
      cells = Numbers(Rect(coarse.bounds.columns, rows)) { x, y, channel in
        let (near, far) = nearAndFar(y)
        return (3 * coarse[x, near, channel] + coarse[x, far, channel] + rounding(y)) >> 2
      }
    }
    for columns in columns.dropLast().reversed() {
      let coarse = cells
      cells = Numbers(Rect(columns, coarse.bounds.rows)) { x, y, channel in
        let (near, far) = nearAndFar(x)
        return (3 * coarse[near, y, channel] + coarse[far, y, channel] + rounding(x)) >> 2
      }
    }
    return cells
  }

  // MARK: In the grid

  /// The blurred grid cells, toned if the tone is affine.
  private func settled(_ bounds: Rect) -> Numbers {
    let blurred = blurred(bounds)
    return bends ? blurred : toned(blurred)
  }

  private func blurred(_ bounds: Rect) -> Numbers {
    let taps = plan.taps.map { Int($0) }
    func blurred(_ v: Int, _ neighbours: (Int) -> (Int, Int)) -> Int {
      var sum = 0
      for j in taps.indices {
        let (left, right) = neighbours(j + 1)
        sum += (left + right - 2 * v) * taps[j]
      }
      return v + floored(sum + 32768, 65536)
    }
    let wide = bounds.grown(by: taps.count)
    let sharp = plan.isHalved ? halved(wide) : reduced(wide)
    let across = Numbers(Rect(bounds.columns, wide.rows)) { x, y, channel in
      blurred(sharp[x, y, channel]) { (sharp[x - $0, y, channel], sharp[x + $0, y, channel]) }
    }
    return Numbers(bounds) { x, y, channel in
      blurred(across[x, y, channel]) { (across[x, y - $0, channel], across[x, y + $0, channel]) }
    }
  }

  // MARK: Down

  private func halved(_ bounds: Rect) -> Numbers {
    func blend(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Int {
      let mean = (a + b + c + d + 1) >> 1
      return (b + c + mean + 2) >> 2
    }
    let columns = 2 * bounds.x - 1..<2 * bounds.maxX + 1
    let cells = reduced(Rect(columns, 2 * bounds.y - 1..<2 * bounds.maxY + 1))
    let down = Numbers(Rect(columns, bounds.rows)) { x, y, channel in
      blend(
        cells[x, 2 * y - 1, channel], cells[x, 2 * y, channel], cells[x, 2 * y + 1, channel],
        cells[x, 2 * y + 2, channel])
    }
    return Numbers(bounds) { x, y, channel in
      blend(
        down[2 * x - 1, y, channel], down[2 * x, y, channel], down[2 * x + 1, y, channel],
        down[2 * x + 2, y, channel])
    }
  }

  private func reduced(_ bounds: Rect) -> Numbers {
    let k = plan.reduction.cell
    // The weights 1 2 1 of half cells from 8 pixels on, which begin half a step before the cell; else a triangle.
    let step = k < 8 ? 1 : k / 2
    let shift = step / 2
    let offsets = Array(step - k...k - 1)
    let weights = offsets.map { k / step - abs(floored($0, step)) }
    let down = Numbers(Rect(0..<screen.width, bounds.rows)) { x, y, channel in
      zip(offsets, weights).reduce(0) { sum, place in
        let pixel = screen[x, mirrored(k * y + shift + place.0, screen.height)]
        return sum + place.1 * Int(pixel >> (8 * UInt32(channel)) & 255)
      }
    }
    return Numbers(bounds) { x, y, channel in
      if channel == 3 && isOpaque { return 255 * 64 }
      var sums = offsets.map { down[mirrored(k * x + shift + $0, screen.width), y, channel] }
      var scale = weights.reduce(0, +)
      for _ in 0..<step.trailingZeroBitCount {
        sums = stride(from: 0, to: sums.count, by: 2).map { sums[$0] + sums[$0 + 1] }
        scale *= 2
      }
      while sums.count > 1 {
        sums = stride(from: 0, to: sums.count - 1, by: 2).map { i in
          if scale < 256 { return sums[i] + 2 * sums[i + 1] + sums[i + 2] }
          return ((sums[i] + sums[i + 2] + 1) / 2 + sums[i + 1]) / 2
        }
        scale = min(256, 4 * scale)
      }
      return inUnits(sums[0], scale: scale)
    }
  }

  private func inUnits(_ sum: Int, scale: Int) -> Int { (64 * sum + scale / 2) / scale }
}

/// Four numbers for each position of a rectangle: blue, green, red, alpha.
struct Numbers {
  let bounds: Rect
  private var values: [Int]

  init(_ bounds: Rect, _ value: (_ x: Int, _ y: Int, _ channel: Int) -> Int) {
    self.init(bounds) { x, y in (0..<4).map { value(x, y, $0) } }
  }

  init(_ bounds: Rect, _ place: (_ x: Int, _ y: Int) -> [Int]) {
    self.bounds = bounds
    values = []
    values.reserveCapacity(4 * bounds.area)
    for y in bounds.rows {
      for x in bounds.columns { values += place(x, y) }
    }
  }

  subscript(x: Int, y: Int, channel: Int) -> Int {
    precondition(bounds.contains(x: x, y: y))
    return values[4 * ((y - bounds.y) * bounds.width + x - bounds.x) + channel]
  }
}

private func floored(_ dividend: Int, _ divisor: Int) -> Int {
  let rest = dividend % divisor
  return (dividend - (rest < 0 ? rest + divisor : rest)) / divisor
}

/// The real position of which `position` is an image in d c b a | a b c d | d c b a.
private func mirrored(_ position: Int, _ extent: Int) -> Int {
  let within = position - floored(position, 2 * extent) * 2 * extent
  return min(within, 2 * extent - 1 - within)
}

/// The threshold of the dither: the order of each is a byte, row by row.
private func threshold(x: Int, y: Int) -> Int {
  let rows: [[UInt64]] = [
    [0x0457_6f28_1043_6338, 0x1e52_693d_124e_6e31],
    [0x773f_1748_702f_1c54, 0x7d3a_0545_6d25_0659],
    [0x531f_2473_4b0c_336c, 0x4901_3579_5a16_2a66],
    [0x3067_5b03_2364_4400, 0x3275_5e0d_3e72_4a02],
    [0x144c_7c37_074f_782c, 0x0a42_7a2d_1a55_6222],
    [0x6034_0b5c_7b20_0f47, 0x7126_0e56_7e2e_1d41],
    [0x4008_3b6b_5818_2b68, 0x5d11_2161_4d09_3976],
    [0x2774_5013_3c7f_5f1b, 0x3665_4619_296a_5115],
  ]
  return 2 * Int(rows[y & 7][x >> 3 & 1] >> UInt64(56 - 8 * (x & 7)) & 255) + 1
}
