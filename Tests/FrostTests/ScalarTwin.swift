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

  init(_ screen: Bitmap, material: Material, isOpaque: Bool = true) {
    self.screen = screen
    self.material = material
    self.isOpaque = isOpaque
    plan = Plan(sigma: material.sigma, extent: min(screen.width, screen.height))
  }

  /// The frosted pixels of a pane.
  func frosted(_ pane: Rect) -> Bitmap {
    let fine = unrounded(pane)
    var picture = Bitmap(width: pane.width, height: pane.height)
    for y in 0..<pane.height {
      for x in 0..<pane.width {
        let (screenX, screenY) = (pane.x + x, pane.y + y)
        let threshold = material.isDithered ? threshold(x: screenX, y: screenY) : 128
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
    let column = (x + y / 32 * 24) % 64
    return Int(NoiseTile(amplitude: material.noise * 65280)[column, y % 32])
  }

  /// The values before the last rounding; full white is 255 * 256.
  func unrounded(_ pane: Rect) -> Numbers {
    let k = plan.reduction.cell
    let cells = Rect(
      floored(pane.x - offset, k)..<floored(pane.maxX - 1 - offset, k) + 2,
      floored(pane.y - offset, k)..<floored(pane.maxY - 1 - offset, k) + 2)
    let lines = across(doubled(cells), Rect(pane.columns, cells.rows))
    return Numbers(pane) { x, y, channel in
      let row = floored(y - offset, k)
      let above = lines[x, row, channel]
      if k == 1 { return 4 * above }
      // Swift's division rounds toward zero.
      let step = 4 * (lines[x, row + 1, channel] - above) / k
      let half = plan.reduction.prefilter == .box ? floored(step, 2) : 0
      return 4 * above + half + step * (y - offset - row * k)
    }
  }

  /// The distance from the corner of a cell to the first pixel at or after its centre.
  private var offset: Int { plan.reduction.prefilter == .box ? plan.reduction.cell / 2 : 0 }

  // MARK: Up

  private func across(_ cells: Numbers, _ bounds: Rect) -> Numbers {
    let k = plan.reduction.cell
    return Numbers(bounds) { x, y, channel in
      let column = floored(x - offset, k)
      let i = x - offset - column * k
      let a = cells[column, y, channel]
      if k == 1 { return a }
      let b = cells[column + 1, y, channel]
      if k == 2 { return (a * (k - i) + b * i + 1) / k }
      // The weight of the next cell, in units of 2^-15.
      let weight = (2 * i + (plan.reduction.prefilter == .box ? 1 : 0)) * 32768 / (2 * k)
      return a + floored((b - a) * weight, 32768)
    }
  }

  /// The blurred cells.
  private func doubled(_ bounds: Rect) -> Numbers {
    if !plan.isHalved { return toned(bounds) }
    func nearAndFar(_ cell: Int) -> (Int, Int) {
      let own = floored(cell, 2)
      return (own, cell == 2 * own ? own - 1 : own + 1)
    }
    let columns = floored(bounds.x, 2) - 1..<floored(bounds.maxX, 2) + 2
    let rows = floored(bounds.y, 2) - 1..<floored(bounds.maxY, 2) + 2
    let grid = toned(Rect(columns, rows))
    let down = Numbers(Rect(columns, bounds.rows)) { x, y, channel in
      let (near, far) = nearAndFar(y)
      return (3 * grid[x, near, channel] + grid[x, far, channel] + 2) >> 2
    }
    return Numbers(bounds) { x, y, channel in
      let (near, far) = nearAndFar(x)
      return (3 * down[near, y, channel] + down[far, y, channel] + 2) >> 2
    }
  }

  // MARK: In the grid

  private func toned(_ bounds: Rect) -> Numbers {
    let blurred = blurred(bounds)
    let tone = ScalarTone(material.tone)
    return Numbers(bounds) { x, y in tone.toned((0..<4).map { blurred[x, y, $0] }) }
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
    let isTriangle = plan.reduction.prefilter == .triangle
    let offsets = Array(isTriangle ? -(k - 1)...k - 1 : 0...k - 1)
    let weights = offsets.map { isTriangle ? k - abs($0) : 1 }
    let down = Numbers(Rect(0..<screen.width, bounds.rows)) { x, y, channel in
      var sum = 0
      for (offset, weight) in zip(offsets, weights) {
        let pixel = screen[x, mirrored(k * y + offset, screen.height)]
        sum += weight * Int(pixel >> (8 * UInt32(channel)) & 255)
      }
      return sum
    }
    return Numbers(bounds) { x, y, channel in
      if channel == 3 && isOpaque { return 255 * 64 }
      func column(_ offset: Int) -> Int {
        down[mirrored(k * x + offset, screen.width), y, channel]
      }
      if isTriangle {
        let sum = zip(offsets, weights).reduce(0) { $0 + $1.1 * column($1.0) }
        return inUnits(sum, scale: k * k * k * k)
      }
      var sums = offsets.map { column($0) }
      var scale = k
      while sums.count > 1 {
        let isFull = scale == 256
        sums = (0..<sums.count / 2).map {
          let pair = sums[2 * $0] + sums[2 * $0 + 1]
          return isFull ? (pair + 1) / 2 : pair
        }
        if !isFull { scale *= 2 }
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

/// The threshold of the dither: Bayer's 4x4 matrix by its recursive definition (each quarter is the
/// smaller matrix times four plus 0 2 / 3 1), refined by two parity bits.
private func threshold(x: Int, y: Int) -> Int {
  let quarter = [[0, 2], [3, 1]]
  var level = 0
  for bit in 0..<2 { level = 4 * level + quarter[y >> bit & 1][x >> bit & 1] }
  let columns = 1 << (x & 7)
  // A bit for each column, for each row: 1 where the number of set bits is odd.
  let coarser = [0xcc, 0x33, 0x33, 0xcc, 0x33, 0xcc, 0xcc, 0x33][y & 7] & columns != 0
  let finer = [0x96, 0x69, 0x69, 0x96, 0x69, 0x96, 0x96, 0x69][y & 7] & columns != 0
  return 4 * (4 * level + (coarser ? 2 : 0) + (finer ? 1 : 0)) + 2
}
