import Raster

/// The change of the glass below the texts of a pane: black is laid over it below light text, white below dark text,
/// as much as the contrast of the text needs. It is wide and soft, so that no outline is seen around letters.
///
/// It has one opacity for each block of pixels, and is interpolated between the centres of blocks. The opacity that
/// the pixels of a block need is dilated by a paraboloid, which is separable and yet round, and then smoothed; so it
/// changes by at most about 5 levels a pixel on glass of one colour.
struct Veil: Equatable, Sendable {
  /// The width and height of a block in pixels. The first one starts at the top left corner of the pane.
  static let blockSize = 8
  /// The largest distance in blocks at which a block that needs the full opacity has an effect.
  static let reach = 12

  /// The blocks that may have an opacity.
  private let blocks: Rect
  /// The opacity that the pixels of each block need, row by row, from 0 to 1.
  private var needs: [Float]
  private var opacities: [Float]
  /// The pixels whose opacity may be greater than 0, from the top left corner of the pane.
  private(set) var extent = Rect.zero

  /// A transparent veil for texts in the given rectangles, from the top left corner of the pane.
  init(below texts: [Rect]) {
    let hull = texts.reduce(Rect.zero) { $0.hull(Self.blocks(around: $1)) }
    blocks = hull.isEmpty ? .zero : hull.grown(by: Self.reach)
    needs = Array(repeating: 0, count: blocks.area)
    opacities = needs
  }

  /// The blocks with pixels of a rectangle.
  static func blocks(around rect: Rect) -> Rect {
    if rect.isEmpty { return .zero }
    func range(_ pixels: Range<Int>) -> Range<Int> {
      pixels.lowerBound.floorDivided(by: blockSize)..<(pixels.upperBound - 1)
        .floorDivided(by: blockSize) + 1
    }
    return Rect(range(rect.columns), range(rect.rows))
  }

  /// The pixels of some blocks.
  static func pixels(of blocks: Rect) -> Rect {
    Rect(
      x: blocks.x * blockSize, y: blocks.y * blockSize, width: blocks.width * blockSize,
      height: blocks.height * blockSize)
  }

  /// All pixels that it may ever change, from the top left corner of the pane.
  var reachable: Rect { Self.pixels(of: blocks) }

  // MARK: Needs

  /// Sets what some blocks need to zero.
  mutating func clearNeeds(of part: Rect) {
    for y in part.intersection(blocks).rows {
      for x in part.intersection(blocks).columns { needs[index(x, y)] = 0 }
    }
  }

  /// Raises what blocks need to what pixels need for the text of an ink: `pixels` are those of `part`, which must be
  /// in one of the texts, row by row. `part` is counted from the top left corner of the pane.
  mutating func raiseNeeds(
    of part: Rect, _ pixels: Span<UInt32>, for ink: Ink, _ polarity: Polarity
  ) {
    let tables = LightTables.sRGB
    for block in Self.blocks(around: part).pixels {
      let own = Self.pixels(of: Rect(x: block.x, y: block.y, width: 1, height: 1))
        .intersection(part)
      var need = needs[index(block.x, block.y)]
      for y in own.rows {
        let row = (y - part.y) * part.width - part.x
        for x in own.columns {
          need = ink.veil(over: pixels[row &+ x], atLeast: need, polarity, tables)
        }
      }
      needs[index(block.x, block.y)] = need
    }
  }

  private func index(_ x: Int, _ y: Int) -> Int {
    (y - blocks.y) * blocks.width + x - blocks.x
  }

  // MARK: Opacities

  /// Computes the opacities from the needs. Returns the pixels whose opacity has changed.
  mutating func update() -> Rect {
    let old = opacities
    let isClear = needs.allSatisfy { $0 == 0 }
    if isClear {
      if extent.isEmpty { return .zero }
      opacities = needs
    } else {
      var field = VeilField(needs.map(Self.withMargin), width: blocks.width)
      field.dilate()
      field.smooth()
      opacities = field.values
    }
    extent = pixels { opacities[$0] > 0 }
    return pixels { opacities[$0] != old[$0] }
  }

  /// The opacity with which a block gets at least what it needs, in spite of the smoothing and the interpolation,
  /// which take at most 0.036. It increases from 0 without a step.
  private static func withMargin(_ need: Float) -> Float { need + min(0.04, 4 * need) }

  /// The pixels whose opacity depends on a block for which a condition is true.
  private func pixels(where isWanted: (Int) -> Bool) -> Rect {
    var hull = Rect.zero
    for y in blocks.rows {
      let row = index(blocks.x, y)..<index(blocks.x, y) + blocks.width
      guard let first = row.first(where: isWanted), let last = row.last(where: isWanted) else {
        continue
      }
      let x = blocks.x + first - row.lowerBound
      hull = hull.hull(Rect(x: x, y: y, width: last - first + 1, height: 1))
    }
    return hull.isEmpty ? .zero : Self.pixels(of: hull).grown(by: Self.blockSize / 2)
  }

  /// The opacities of some pixels of row `y` as `Weight`s. The row and the columns are counted from the top left
  /// corner of the pane.
  func weights(of columns: Range<Int>, row y: Int) -> [UInt16] {
    if !extent.rows.contains(y) { return Array(repeating: 0, count: columns.count) }
    let (above, down) = Self.position(y)
    func value(_ x: Int) -> Float {
      let x = min(max(x, blocks.x), blocks.maxX - 1)
      func value(_ y: Int) -> Float {
        opacities[index(x, min(max(y, blocks.y), blocks.maxY - 1))]
      }
      return value(above) + (value(above + 1) - value(above)) * down
    }
    var (last, left, right) = (Int.min, Float(0), Float(0))
    return columns.map { x in
      let (column, across) = Self.position(x)
      if column != last { (last, left, right) = (column, value(column), value(column + 1)) }
      let opacity = left + (right - left) * across
      return UInt16(min(opacity, 1) * Float(Weight.one) + 0.5)
    }
  }

  /// Draws the part `target` over glass: premultiplied BGRA. `pane` and `target` are in the coordinates of the output;
  /// `layout` must cover the part of `target` in the pane.
  func draw(
    _ target: Rect, of pane: Rect, _ polarity: Polarity, over pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    let target = extent.translated(x: pane.x, y: pane.y).intersection(pane).intersection(target)
    if target.isEmpty { return }
    precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
    let columns = target.x - pane.x..<target.maxX - pane.x
    for y in target.rows {
      let weights = weights(of: columns, row: y - pane.y)
      let first = layout.index(x: target.x, y: y)
      for (i, weight) in weights.enumerated() where weight > 0 {
        pixels[first &+ i] = polarity.veiled(pixels[first &+ i], weight)
      }
    }
  }

  /// The block whose centre is at or before that of a pixel, and the distance in blocks.
  private static func position(_ pixel: Int) -> (block: Int, distance: Float) {
    let doubled = 2 * pixel + 1 - blockSize
    let block = doubled.floorDivided(by: 2 * blockSize)
    return (block, Float(doubled - 2 * blockSize * block) / Float(2 * blockSize))
  }
}

extension Polarity {
  /// A premultiplied pixel mixed with the veil of its alpha: black below light text, white below dark text.
  @inline(__always)
  func veiled(_ pixel: UInt32, _ weight: UInt16) -> UInt32 {
    let alpha = pixel &>> 24
    return mixed(pixel, alpha &<< 24 | (self == .light ? 0 : alpha &* 0x1_0101), weight)
  }
}

extension Rect {
  /// The positions of its pixels, row by row.
  fileprivate var pixels: [(x: Int, y: Int)] { rows.flatMap { y in columns.map { ($0, y) } } }
}

/// Values of blocks, row by row.
private struct VeilField {
  private(set) var values: [Float]
  private let width: Int

  /// The height of the paraboloid at a distance of one block: 0.00016 for a pixel. From the opacity 0.6, which white
  /// glass needs below a light label, its slope is at most 0.02, or 5 levels, a pixel.
  private static let cost: Float = 0.01024

  init(_ values: [Float], width: Int) {
    self.values = values
    self.width = width
  }

  /// A grayscale dilation: each value becomes the largest of all values minus their distances squared, times the
  /// cost.
  mutating func dilate() {
    forEachAxis { line, result in
      for (i, value) in line.enumerated() where value > 0 {
        let reach = min(Veil.reach, Int((value / Self.cost).squareRoot()))
        for j in max(0, i - reach)...min(line.count - 1, i + reach) {
          result[j] = max(result[j], value - Self.cost * Float((i - j) * (i - j)))
        }
      }
    }
  }

  /// The weights 1 4 6 4 1 of a binomial filter: the edge of a paraboloid would be visible.
  mutating func smooth() {
    forEachAxis { line, result in
      func value(_ i: Int) -> Float { line[min(max(i, 0), line.count - 1)] }
      for i in line.indices {
        result[i] =
          (6 * line[i] + 4 * (value(i - 1) + value(i + 1)) + value(i - 2) + value(i + 2)) / 16
      }
    }
  }

  /// Replaces each row, then each column, by what `body` adds to zeros.
  private mutating func forEachAxis(_ body: (_ line: [Float], _ result: inout [Float]) -> Void) {
    let height = values.count / width
    for (count, length, start, step) in [(height, width, width, 1), (width, height, 1, width)] {
      for i in 0..<count {
        let line = (0..<length).map { values[i * start + $0 * step] }
        var result = [Float](repeating: 0, count: length)
        body(line, &result)
        for (j, value) in result.enumerated() { values[i * start + j * step] = value }
      }
    }
  }
}
