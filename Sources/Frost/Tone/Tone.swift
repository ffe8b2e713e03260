import Raster

/// A tone, compiled to as few steps as possible. A normal layer is merged into the step below it.
struct ToneSteps: Equatable, Sendable {
  private enum Step: Equatable {
    case matrix(ToneMatrix)
    case knee(Knee)
    case luminosity(Luminosity)
  }

  private var steps: [Step] = []

  init(_ tone: Tone) {
    let matrix = ToneMatrix(tone)
    if !matrix.isIdentity { steps.append(.matrix(matrix)) }
    for layer in tone.layers + [Layer(.normal, tone.tint)] where layer.color.alpha > 0 {
      append(layer)
    }
  }

  private mutating func append(_ layer: Layer) {
    switch (layer.mode, steps.last) {
    case (.luminosity, _):
      steps.append(.luminosity(Luminosity(layer.color)))
    case (.normal, .matrix(let matrix)):
      steps[steps.count - 1] = .matrix(matrix.covered(by: layer.color))
    case (.normal, .luminosity(let luminosity)):
      steps[steps.count - 1] = .luminosity(luminosity.covered(by: layer.color))
    case (.normal, .knee(let knee)):
      steps[steps.count - 1] = .knee(knee.covered(by: layer.color))
    default:
      steps.append(.knee(Knee(layer)))
    }
  }

  /// Tones the cells `target` of a plane in place, with up to `threads` threads.
  func apply(to plane: inout Plane, _ target: Rect, threads: Int) {
    for step in steps {
      switch step {
      case .matrix(let matrix): tone(&plane, target, matrix, threads: threads)
      case .knee(let knee): tone(&plane, target, knee, threads: threads)
      case .luminosity(let luminosity): tone(&plane, target, luminosity, threads: threads)
      }
    }
  }
}

/// A map of premultiplied colours. The results are from 0 to alpha; alpha is unchanged.
protocol ToneStep: Equatable, Sendable {
  func applied(to cells: FourCells) -> FourCells
}

/// Four cells, in the layout of the two half rows of a plane.
struct FourCells {
  var br, ga: Signed
}

private func tone(
  _ plane: inout Plane, _ target: Rect, _ step: some ToneStep, threads: Int
) {
  _ = plane.update(target, threads: threads) { band, shape, values in
    for y in band.rows {
      toneRow(
        &values, at: shape.index(x: band.x, y: y), pitch: shape.pitch, count: 2 * band.width, step)
    }
  }
}

private func toneRow(
  _ values: inout MutableSpan<UInt16>, at first: Int, pitch: Int, count: Int, _ step: some ToneStep
) {
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
  var four = FourCells(br: Signed(), ga: Signed())
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
