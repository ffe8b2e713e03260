import Raster

/// A tone, compiled to as few steps as possible: a layer that does not bend for any colour that reaches it is
/// merged into the step below.
struct ToneSteps: Equatable, Sendable {
  private enum Step: Equatable {
    case matrix(ToneMatrix)
    case knee(Knee)
    case luminosity(Luminosity)
  }

  private var steps: [Step] = []

  init(_ tone: Tone) {
    steps = [.matrix(ToneMatrix(tone))]
    for layer in tone.layers + [Layer(.normal, tone.tint)] where layer.color.alpha > 0 {
      append(layer)
    }
    if case .matrix(let matrix) = steps[0], matrix.isIdentity { steps.removeFirst() }
  }

  private mutating func append(_ layer: Layer) {
    let last = steps.count - 1
    switch (layer.mode, steps[last]) {
    case (.luminosity, _):
      steps.append(.luminosity(Luminosity(layer.color)))
    case (.normal, .luminosity(let luminosity)):
      steps[last] = .luminosity(luminosity.covered(by: layer.color))
    case (.normal, .knee(let knee)):
      steps[last] = .knee(knee.covered(by: layer.color))
    case (_, .matrix(let matrix)):
      let knee = Knee(layer)
      if let maps = knee.maps(in: matrix.range) {
        steps[last] = .matrix(matrix.mapped(by: maps))
      } else {
        steps.append(.knee(knee))
      }
    default:
      steps.append(.knee(Knee(layer)))
    }
  }

  /// Whether the tone of a mean of colours is the mean of their tones, except for rounding. Then cells can be
  /// toned before they are interpolated.
  var isAffine: Bool {
    switch steps.count {
    case 0: true
    case 1: if case .matrix(let matrix) = steps[0] { matrix.isAffine } else { false }
    default: false
    }
  }

  /// Whether the tone may bend twice in opposite directions between two cells: a luminosity layer that is nearly
  /// white or black limits all colours except those next to gray.
  var canTurn: Bool {
    steps.contains { if case .luminosity = $0 { true } else { false } }
  }

  /// The limits of a tone that is affine between them; nil for any other tone.
  var limits: ToneLimits? {
    if steps.count == 1, case .matrix(let matrix) = steps[0] { return matrix.fixedLimits }
    return nil
  }

  /// Tones the cells `target` of a plane in place, with up to `threads` threads.
  func apply(to plane: inout Plane, _ target: Rect, threads: Int) {
    _ = plane.update(target, threads: threads) { band, shape, values in
      for y in band.rows {
        apply(
          to: &values, at: shape.index(x: band.x, y: y), pitch: shape.pitch, cellCount: band.width)
      }
    }
  }

  /// Tones `cellCount` cells of a row in place. Its first half row starts at `first`, the second one `pitch`
  /// values further.
  func apply(
    to values: inout MutableSpan<UInt16>, at first: Int, pitch: Int, cellCount: Int
  ) {
    for step in steps {
      switch step {
      case .matrix(let matrix): toneRow(&values, at: first, pitch: pitch, cellCount, matrix)
      case .knee(let knee): toneRow(&values, at: first, pitch: pitch, cellCount, knee)
      case .luminosity(let light): toneRow(&values, at: first, pitch: pitch, cellCount, light)
      }
    }
  }
}

/// A map of premultiplied colours. The results are from 0 to alpha; alpha is unchanged.
protocol ToneStep: Equatable, Sendable {
  func applied(to cells: FourCells) -> FourCells
}

/// Four cells or pixels, in the layout of the two half rows of a plane.
struct FourCells: Equatable {
  var br, ga: Signed

  /// Whether the alpha of all four is full.
  @inline(__always)
  var areOpaque: Bool {
    let pairs = unsafe unsafeBitCast(ga, to: SIMD2<UInt64>.self)
    let mask: UInt64 = 0xffff_0000_ffff_0000
    let full = UInt64(Plane.full) << 48 | UInt64(Plane.full) << 16
    return (pairs[0] & pairs[1] & mask) == full && ((pairs[0] | pairs[1]) & mask) == full
  }
}

private func toneRow(
  _ values: inout MutableSpan<UInt16>, at first: Int, pitch: Int, _ cellCount: Int,
  _ step: some ToneStep
) {
  let count = 2 * cellCount
  precondition(first >= 0 && first + pitch + count <= values.count)
  var i = first
  // Whole vectors only, because a cell must not be toned twice.
  while i &+ 8 <= first &+ count {
    let four = step.applied(to: FourCells(br: values.load(at: i), ga: values.load(at: i &+ pitch)))
    values.store(four.br, at: i)
    values.store(four.ga, at: i &+ pitch)
    i &+= 8
  }
  let rest = first + count - i
  if rest == 0 { return }
  // The unused cells are opaque, because a step is faster if all are.
  var four = FourCells(br: Signed(), ga: Signed(repeating: 0, and: Int16(Plane.full)))
  for j in 0..<rest {
    four.br[j] = Int16(values[i + j])
    four.ga[j] = Int16(values[i + j + pitch])
  }
  four = step.applied(to: four)
  for j in 0..<rest {
    values[i + j] = UInt16(four.br[j])
    values[i + j + pitch] = UInt16(four.ga[j])
  }
}
