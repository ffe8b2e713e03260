@testable import Frost
import Raster
import TestDice
import Testing

/// Glass in place of the background of a window.
@Suite struct KeyTests {
  /// Every width, offset and stride; with and without alpha and the rule for pictures.
  @Test func equalsScalarTwin() {
    var dice = Dice(seed: 4001)
    for _ in 0..<200 {
      let scene = KeyScene(using: &dice)
      let isSame = scene.drawn() == scene.twin()
      #expect(isSame, "\(dice): \(scene.key), \(scene.target) of \(scene.window.bounds)")
    }
  }

  @Test func isWithinOneLevelOfFormula() {
    var dice = Dice(seed: 4002)
    for _ in 0..<60 {
      let scene = KeyScene(using: &dice)
      let drawn = scene.drawn()
      var worst = 0.0
      for y in scene.target.rows {
        for x in scene.target.columns {
          worst = max(worst, scene.error(of: drawn[x - scene.bounds.x, y - scene.bounds.y], x, y))
        }
      }
      #expect(worst <= 1, "\(dice): \(scene.key), error \(worst)")
    }
  }

  /// For each level of the background and of the window, over black and white glass.
  @Test func allLevelsAreWithinOneLevelOfFormula() {
    var worst = 0.0
    for background in stride(from: UInt32(0), through: 255, by: 3) {
      let window = Bitmap(
        width: 256, height: 1, pixels: (0..<256).map { UInt32($0) &* 0x01_0101 })
      for glass in [UInt32(0xff00_0000), 0xffff_ffff] {
        let scene = KeyScene(
          BackgroundKey(background &* 0x01_0101, strength: 0.4), window: window,
          glass: Bitmap(width: 256, height: 1, filledWith: glass))
        let drawn = scene.drawn()
        for x in 0..<256 { worst = max(worst, scene.error(of: drawn[x, 0], x, 0)) }
      }
    }
    #expect(worst <= 1)
  }

  /// Any division of a window into parts, and any number of threads, gives the same pixels.
  @Test func partsEqualWhole() {
    var dice = Dice(seed: 4003)
    for _ in 0..<40 {
      let scene = KeyScene(using: &dice)
      let whole = scene.drawn()
      let isSameInParts = scene.drawn(inParts: scene.target.cut(using: &dice)) == whole
      let isSameInThreads = scene.drawn(threads: dice.roll(2...4)) == whole
      #expect(isSameInParts && isSameInThreads, "\(dice)")
    }
  }

  /// What is farther from a changed pixel than the reach stays the same.
  @Test func changeReachesTwelvePixels() {
    var dice = Dice(seed: 4004)
    for _ in 0..<40 {
      var scene = KeyScene(using: &dice)
      let before = scene.drawn()
      let (x, y) = (dice.roll(0...scene.window.width - 1), dice.roll(0...scene.window.height - 1))
      scene.window[x, y] ^= 0x7f_ffff
      let after = scene.drawn()
      let reach = scene.key.reach
      let near = Rect(x: x - reach, y: y - reach, width: 2 * reach + 1, height: 2 * reach + 1)
      for row in scene.target.rows {
        for column in scene.target.columns where !near.contains(x: column, y: row) {
          let (i, j) = (column - scene.bounds.x, row - scene.bounds.y)
          #expect(before[i, j] == after[i, j], "\(dice): \(x), \(y), \(column), \(row)")
        }
      }
    }
  }

  /// Text on an even background lies on glass; a picture with patches of the background stays as it is.
  @Test func picturesStay() {
    var dice = Dice(seed: 4005)
    var window = Bitmap(width: 200, height: 120, filledWith: 0xff20_2428)
    let picture = Rect(x: 120, y: 20, width: 64, height: 80)
    for y in picture.rows {
      for x in picture.columns where dice.roll(0...9) > 0 {
        window[x, y] = 0xff00_0000 | UInt32(truncatingIfNeeded: dice.next()) & 0xff_ffff
      }
    }
    let glass = Bitmap(width: 200, height: 120, filledWith: 0xffff_ffff)
    let scene = KeyScene(
      BackgroundKey(0x20_2428, strength: 0.5, surfaces: []), window: window, glass: glass)
    let drawn = scene.drawn()
    let inside = Rect(x: 132, y: 32, width: 40, height: 56)
    #expect(
      inside.rows.allSatisfy { y in inside.columns.allSatisfy { drawn[$0, y] == window[$0, y] } })
    #expect(drawn[20, 60] == 0xff8f_9193, "\(drawn[20, 60])")
  }

  /// A shadow that a program draws itself, half transparent black, stays as it is on a black background.
  @Test func shadowsOfTheWindowStay() {
    let window = Bitmap(width: 8, height: 1, pixels: (0..<8).map { UInt32($0) * 17 << 24 })
    let scene = KeyScene(
      BackgroundKey(0, strength: 1, hasAlpha: true), window: window,
      glass: Bitmap(width: 8, height: 1, filledWith: 0xffff_ffff))
    let isSame = scene.drawn() == window
    #expect(isSame)
  }
}

/// A window, glass, and a part of it to draw, in the coordinates of the window.
private struct KeyScene {
  let key: BackgroundKey
  var window: Bitmap
  let glass: Bitmap
  /// The part of the window that is known.
  let visible: Rect
  let bounds: Rect
  let target: Rect

  init(_ key: BackgroundKey, window: Bitmap, glass: Bitmap) {
    (self.key, self.window, self.glass) = (key, window, glass)
    (visible, bounds, target) = (window.bounds, window.bounds, window.bounds)
  }

  init(using dice: inout Dice) {
    let color = [0, 0xff_ffff, UInt32(truncatingIfNeeded: dice.next()) & 0xff_ffff][
      dice.roll(0...2)]
    let others = (0..<dice.roll(0...3)).map { _ in
      UInt32(truncatingIfNeeded: dice.next()) & 0xff_ffff
    }
    key = BackgroundKey(
      color, strength: [0, 1, Double.random(in: 0...1, using: &dice)][dice.roll(0...2)],
      surfaces: dice.roll(0...1) == 0 ? nil : others, hasAlpha: dice.roll(0...3) == 0)
    window = Bitmap.anything(
      width: dice.roll(1...90), height: dice.roll(1...80), isOpaque: !key.hasAlpha, using: &dice)
    for _ in 0..<dice.roll(0...6) {
      let rect = dice.rect(in: window.bounds)
      let fill =
        0xff00_0000
        | (others.randomElement(using: &dice).map { dice.roll(0...1) == 0 ? $0 : color } ?? color)
      for y in rect.rows { for x in rect.columns { window[x, y] = fill } }
    }
    visible = dice.roll(0...1) == 0 ? window.bounds : dice.rect(in: window.bounds)
    target = dice.rect(in: visible)
    bounds = Rect(
      x: target.x - dice.roll(0...5), y: target.y - dice.roll(0...2),
      width: target.width + dice.roll(5...9), height: target.height + dice.roll(2...4))
    glass = .noise(width: bounds.width, height: bounds.height, using: &dice)
  }

  func drawn(inParts parts: [Rect]? = nil, threads: Int = 1) -> Bitmap {
    let grid = PixelGrid(output: window.bounds)
    _ = grid.update(with: window.pixels.span, PixelLayout(window.bounds), window.bounds)
    var picture = glass
    var pixels = picture.pixels.mutableSpan
    for part in parts ?? [target] {
      key.draw(
        part, of: grid, visible: visible, overGlass: &pixels, PixelLayout(bounds),
        threads: threads)
    }
    return picture
  }

  // MARK: Twin

  /// The same in whole numbers, pixel by pixel.
  func twin() -> Bitmap {
    var result = glass
    for y in target.rows {
      for x in target.columns {
        let (i, j) = (x - bounds.x, y - bounds.y)
        result[i, j] = twin(window[x, y], glass[i, j], key.surfaces.map { _ in weight(x, y) })
      }
    }
    return result
  }

  private func twin(_ own: UInt32, _ glass: UInt32, _ weight: Int?) -> UInt32 {
    func level(_ pixel: UInt32, _ shift: UInt32) -> Int { Int(pixel >> shift & 0xff) }
    let shifts: [UInt32] = [0, 8, 16]
    let opacity =
      shifts.map { shift in
        let (p, b) = (level(own, shift), level(key.color, shift))
        let factor = min(32767, (1 << 22) / max(128, p > b ? 255 - b : b))
        return (abs(p - b) * 128 * factor) >> 16
      }.max() ?? 0
    var share = ((8192 - opacity) * 2 * min(32767, Int((key.strength * 32768).rounded()))) >> 16
    if let weight { share = (share * 2 * weight) >> 16 }
    if key.hasAlpha {
      let alpha = max(0, 2 * level(own, 24) - 255)
      share = (share * 2 * (alpha << 7 + alpha >> 1)) >> 16
    }
    return shifts.reduce(key.hasAlpha ? own & 0xff00_0000 : 0xff00_0000) { pixel, shift in
      let difference = (level(glass, shift) - level(key.color, shift)) * 128
      let sum = level(own, shift) + ((difference * share * 4) >> 16 + 32) >> 6
      return pixel | UInt32(min(255, max(0, sum))) << shift
    }
  }

  /// The weight of surfaces at a pixel, in units of 2^-15, from the definition.
  private func weight(_ x: Int, _ y: Int) -> Int {
    let columns = visible.x / 4..<(visible.maxX + 3) / 4
    let rows = visible.y / 4..<(visible.maxY + 3) / 4
    func clamped(_ cell: Int, _ range: Range<Int>) -> Int {
      min(max(cell, range.lowerBound), range.upperBound - 1)
    }
    func count(_ column: Int, _ row: Int) -> Int {
      let cell = Rect(x: column * 4, y: row * 4, width: 4, height: 4).intersection(visible)
      let passed = cell.rows.reduce(0) { sum, row in
        sum + cell.columns.count { isSurface(window[$0, row]) }
      }
      return (16 * passed + cell.area / 2) / cell.area
    }
    func isSurface(_ pixel: UInt32) -> Bool {
      let color = pixel & 0xff_ffff
      if key.surfaces?.contains(color) == true { return true }
      return [UInt32(0), 8, 16].allSatisfy {
        abs(Int(color >> $0 & 0xff) - Int(key.color >> $0 & 0xff)) <= 12
      }
    }
    func cellWeight(_ column: Int, _ row: Int) -> Int {
      var sum = 0
      for (dy, a) in [(-1, 1), (0, 2), (1, 1)] {
        for (dx, b) in [(-1, 1), (0, 2), (1, 1)] {
          sum += a * b * count(clamped(column + dx, columns), clamped(row + dy, rows))
        }
      }
      let t = min(1, max(0, (Double(sum) / 256 - 0.3) / 0.2))
      return Int(min(4095, (t * t * (3 - 2 * t) * 4096).rounded()))
    }
    func parts(_ pixel: Int) -> (first: Int, second: Int, part: Int) {
      let cell = pixel / 4
      return [(cell - 1, cell, 5), (cell - 1, cell, 7), (cell, cell + 1, 1), (cell, cell + 1, 3)][
        pixel % 4]
    }
    let (across, down) = (parts(x), parts(y))
    func column(_ cell: Int) -> Int {
      let column = clamped(cell, columns)
      return
        (cellWeight(column, clamped(down.first, rows)) * (8 - down.part)
        + cellWeight(column, clamped(down.second, rows)) * down.part) >> 3
    }
    return column(across.first) * (8 - across.part) + column(across.second) * across.part
  }

  // MARK: Formula

  /// The difference of a drawn pixel from the formula, in levels.
  func error(of drawn: UInt32, _ x: Int, _ y: Int) -> Double {
    let own = window[x, y]
    let below = glass[x - bounds.x, y - bounds.y]
    func level(_ pixel: UInt32, _ shift: UInt32) -> Double { Double(pixel >> shift & 0xff) }
    let shifts: [UInt32] = [0, 8, 16]
    let a =
      shifts.map { shift in
        let (p, b) = (level(own, shift), level(key.color, shift))
        return abs(p - b) / max(128, p > b ? 255 - b : b)
      }.max() ?? 0
    var share = (1 - a) * key.strength
    if key.surfaces != nil { share *= Double(weight(x, y)) / 32768 }
    if key.hasAlpha { share *= max(0, 2 * level(own, 24) - 255) / 255 }
    return shifts.map { shift in
      let exact = level(own, shift) + share * (level(below, shift) - level(key.color, shift))
      return abs(min(255, max(0, exact)) - level(drawn, shift))
    }.max() ?? 0
  }
}
