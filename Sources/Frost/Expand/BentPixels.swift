import Raster

/// The pixels of some blocks, four in a row together, in the layout of a line of a plane. The vectors of a block
/// follow each other: all rows of its first four columns, then those of the next four.
struct BentPixels {
  /// The largest number of blocks.
  static let blockCount = 16

  private let cell: Int
  private var line: PlaneLine
  /// The number of vectors in use.
  private var count = 0

  /// For blocks of `cell` x `cell` pixels.
  init(cell: Int) {
    self.cell = cell
    line = PlaneLine(count: 4 * Self.blockCount * max(1, cell / 4) * cell)
  }

  /// Interpolates the rows `steps` of `blocks`, given as the indices of their upper left cells. `weights` are
  /// those of `interpolateAcross`.
  mutating func interpolate(
    _ blocks: ArraySlice<Int>, _ above: borrowing PlaneLine, _ below: borrowing PlaneLine,
    _ weights: [Signed], steps: Range<Int>
  ) {
    count = blocks.count * weights.count * steps.count
    let (above, below, source) = (above.values.span, below.values.span, above.pitch)
    let (pitch, count) = (line.pitch, count)
    var values = line.values.mutableSpan
    precondition(blocks.count <= Self.blockCount && pitch >= 8 * count)
    let down = weights.flatMap { four in stride(from: 0, to: 8, by: 2).map { four[$0] } }
    var at = 0
    for block in blocks {
      let corner = Corners(above, below, at: 2 * block)
      let green = Corners(above, below, at: source + 2 * block)
      for across in weights {
        let (br, ga) = (corner.edges(across), green.edges(across))
        for step in steps {
          let weight = Signed(repeating: down[step])
          values.store(br.value(weight), at: at)
          values.store(ga.value(weight), at: pitch &+ at)
          at &+= 8
        }
      }
    }
  }

  /// Applies a tone to the pixels.
  mutating func apply(_ tone: ToneSteps) {
    let (pitch, count) = (line.pitch, count)
    var values = line.values.mutableSpan
    tone.apply(to: &values, at: 0, pitch: pitch, cellCount: 4 * count)
  }

  /// Rounds the pixels and draws them.
  func draw(_ pen: BentPen, _ grain: Grain, into pixels: inout MutableSpan<UInt32>) {
    switch grain.kind {
    case .half: draw(pen, grain, HalfUp.self, into: &pixels)
    case .thresholds: draw(pen, grain, Thresholds.self, into: &pixels)
    case .noise, .noiseInRange: draw(pen, grain, Noise.self, into: &pixels)
    case .noiseWithinAlpha: draw(pen, grain, NoiseWithinAlpha.self, into: &pixels)
    }
  }

  private func draw<R: Rounding>(
    _ pen: BentPen, _ grain: Grain, _ rounding: R.Type, into pixels: inout MutableSpan<UInt32>
  ) {
    let (values, table) = (line.values.span, grain.values.span)
    let (pitch, stride) = (line.pitch, pen.layout.stride)
    var at = 0
    for left in pen.lefts {
      for x in Swift.stride(from: left, to: left + cell, by: 4) {
        let shown = (x..<x + min(cell, 4)).clamped(to: pen.columns)
        if shown.isEmpty {
          at &+= 8 &* pen.rows.count
          continue
        }
        var to = pen.layout.index(x: shown.lowerBound, y: pen.rows.lowerBound)
        let isContiguous = grain.contiguousCount(from: x - pen.origin.x, atMost: 4) == 4
        for y in pen.rows {
          var ramp = Ramp<SIMD8<UInt16>>(
            br: values.load(SIMD8<UInt16>.self, at: at) &<< 2,
            ga: values.load(SIMD8<UInt16>.self, at: pitch &+ at) &<< 2)
          R.prepare(&ramp, grain)
          let index = R.usesTable ? grain.index(x: x &- pen.origin.x, y: y &- pen.origin.y) : 0
          var four = unsafe unsafeBitCast(
            R.pixels(ramp, table, at: index, grain), to: SIMD4<UInt32>.self)
          if !isContiguous {
            for i in 1..<4 {
              let index = grain.index(x: x + i - pen.origin.x, y: y - pen.origin.y)
              four[i] = R.pixel(i, of: ramp, table, at: index, grain)
            }
          }
          if shown.count == 4 {
            pixels.store(four, at: to)
          } else {
            for i in shown { pixels[to + i - shown.lowerBound] = four[i - x] }
          }
          at &+= 8
          to &+= stride
        }
      }
    }
  }
}

/// Where bent blocks are drawn.
struct BentPen {
  /// The columns and rows that are drawn.
  let columns, rows: Range<Int>
  /// The pixel at which the pattern of the grain starts.
  let origin: (x: Int, y: Int)
  let layout: PixelLayout
  /// The first column of each block.
  let lefts: [Int]
}

/// Two channels of the four cells around a block, each repeated for four pixels.
private struct Corners {
  private let top, bottom: (left: Signed, right: Signed)

  @inline(__always)
  init(_ above: Span<UInt16>, _ below: Span<UInt16>, at index: Int) {
    top = (repeated(above, at: index), repeated(above, at: index &+ 2))
    bottom = (repeated(below, at: index), repeated(below, at: index &+ 2))
  }

  @inline(__always)
  func edges(_ weight: Signed) -> Edges {
    Edges(
      top: between(top.left, top.right, weight),
      bottom: between(bottom.left, bottom.right, weight))
  }
}

/// Two channels of four pixels, at the height of the upper and of the lower cells.
private struct Edges {
  let top, bottom: Signed

  @inline(__always)
  func value(_ weight: Signed) -> Signed { between(top, bottom, weight) }
}

/// Interpolates with the weight of `b` in units of 2^-15.
@inline(__always)
func between(_ a: Signed, _ b: Signed, _ weight: Signed) -> Signed {
  a &+ multiplyHigh((b &- a) &+ (b &- a), weight)
}
