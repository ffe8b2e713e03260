import Glibc

/// The cell size and filters for a sigma, and the division of the variance sigma^2 among the
/// filters before the grid, in the grid and after it.
///
/// The weights of each filter are nonnegative and sum to 1, so the variances of successive filters
/// add. The Gaussian in the grid has the variance that the other filters leave. So any real sigma
/// is exact, and an animated sigma makes no steps.
///
///     pixels --reduce--> cells --halve--> grid --Gaussian--> grid --double--> cells --expand--> pixels
///
/// The size of a cell for a sigma is limited by aliasing: `docs/architecture.md` has the
/// measurements.
struct Plan: Equatable, Sendable {
  /// How pixels become cells.
  let reduction: Reduction
  /// Whether the Gaussian runs in a grid with twice that cell size, to which the filter 1 3 3 1
  /// reduces.
  let isHalved: Bool
  /// The weights of the Gaussian for the neighbours 1, 2, ... on each side, in units of 2^-16. The
  /// centre has the rest of the weight 1.
  let taps: [Int16]

  /// A plan for an output whose shorter edge has `extent` pixels. Traps if `sigma` is outside
  /// `Material.sigmaRange`.
  init(sigma: Double, extent: Int = .max) {
    precondition(Material.sigmaRange.contains(sigma))
    let coarseness = Self.coarseness(sigma: sigma, extent: extent)
    let grid = Self.grids.first { coarseness < $0.limit } ?? Self.coarsest
    reduction = grid.reduction
    isHalved = grid.isHalved
    let cell = reduction.cell
    guard cell > 1 else {
      taps = Self.taps(deviation: sigma)
      return
    }
    let square = Double(cell * cell)
    let isBox = reduction.prefilter == .box
    let prefilter = isBox ? (square - 1) / 12 : (square - 1) / 6
    // The variance of linear interpolation, a triangle sampled at pixels: cell centres lie on
    // pixels for a triangle prefilter and between two pixels for a box.
    var expansion = isBox ? (2 * square + 1) / 12 : (square - 1) / 6
    if cell == 4 && sigma < 9 {
      // Linear interpolation draws the chord between two cells. With a variance of k^2 / 6 the
      // error is 0 on average and 1/12 f'' at the cells (f'' per cell^2). With k^2 / 8 it is 1/16
      // f'' at the cells and half way between them: the PSNR is 1 dB lower, and the largest error
      // is a quarter smaller.
      expansion *= 1 - 0.25 * min(1, (9 - sigma) / 2)
    }
    let halving = isHalved ? 2 * 0.75 * square : 0
    let gridSquare = isHalved ? 4 * square : square
    taps = Self.taps(variance: (sigma * sigma - prefilter - expansion - halving) / gridSquare)
  }

  // MARK: Choice of the grid

  private struct GridChoice {
    /// This choice applies to a coarseness below the limit; see `coarseness(sigma:extent:)`.
    let limit: Double
    let reduction: Reduction
    let isHalved: Bool

    init(below limit: Double, _ cell: Int, _ prefilter: Reduction.Prefilter, isHalved: Bool) {
      self.limit = limit
      reduction = Reduction(cell: cell, prefilter: prefilter)
      self.isHalved = isHalved
    }
  }

  private static let grids = [
    GridChoice(below: 3.4, 1, .box, isHalved: false),
    GridChoice(below: 5, 2, .triangle, isHalved: false),
    GridChoice(below: 6, 4, .triangle, isHalved: false),
    // From sigma 6 on the largest error must be at most 3 levels. A cell of 4 that is not halved
    // comes too close to that limit here.
    GridChoice(below: 6.6, 2, .triangle, isHalved: true),
    GridChoice(below: 9.6, 4, .triangle, isHalved: false),
    GridChoice(below: 19.2, 4, .triangle, isHalved: true),
    GridChoice(below: 38.4, 8, .box, isHalved: true),
    GridChoice(below: 76.8, 16, .box, isHalved: true),
    GridChoice(below: 153.6, 32, .box, isHalved: true),
  ]
  private static let coarsest = GridChoice(below: .infinity, 64, .box, isHalved: true)

  /// The sigma for which the grid is chosen; less than `sigma` for small outputs. An output smaller
  /// than the kernel has few cells, over which errors do not average out, so it gets smaller cells;
  /// the cost is low. On a still smaller output only a triangle is accurate: at sigma 38 on a 29x1
  /// picture, a box made an error of 2 levels by aliasing.
  private static func coarseness(sigma: Double, extent: Int) -> Double {
    if Double(extent) < 2 * sigma { return min(sigma / 4, coarsestTriangle) }
    return Double(extent) < 8 * sigma ? sigma / 2 : sigma
  }

  /// The largest coarseness whose prefilter is a triangle.
  private static let coarsestTriangle = 19.1

  /// An upper bound of the sigmas that use `reduction` on an output whose shorter edge has `extent`
  /// pixels. The inverse of `coarseness(sigma:extent:)`.
  static func largestSigma(of reduction: Reduction, extent: Int) -> Double {
    let largest = Material.sigmaRange.upperBound
    let limit = grids.last { $0.reduction == reduction }?.limit ?? largest
    let isSmall = Double(extent) < 2 * largest
    if isSmall, limit > coarsestTriangle, reduction.prefilter == .triangle { return largest }
    let factor = isSmall ? 4.0 : Double(extent) < 8 * largest ? 2 : 1
    return min(largest, factor * limit)
  }

  /// The edge length of a cell of the Gaussian's grid, in pixels.
  var gridCell: Int { isHalved ? 2 * reduction.cell : reduction.cell }

  // MARK: The Gaussian

  /// The radius at which the Gaussian is truncated, in standard deviations. Measured: 3.2 instead
  /// of 4 lowers the PSNR by 0.03 dB; 3 lowers it by as much again on a step edge; below 3 every
  /// error bound of the tests is exceeded.
  static let extent = 3.2

  /// Weights of a sampled Gaussian whose variance is exactly `variance`, in cells^2. The deviation
  /// of the continuous Gaussian is found by bisection.
  private static func taps(variance: Double) -> [Int16] {
    let radius = Int((extent * variance.squareRoot()).rounded(.up))
    var low = 0.01
    var high = 2 * variance.squareRoot() + 1
    for _ in 0..<60 {
      let deviation = (low + high) / 2
      let weights = gaussian(deviation: deviation, radius: radius)
      let reached =
        2
        * weights.enumerated().reduce(0) { sum, tap in
          sum + Double((tap.offset + 1) * (tap.offset + 1)) * tap.element
        }
      if reached < variance { low = deviation } else { high = deviation }
    }
    return fixed(gaussian(deviation: (low + high) / 2, radius: radius))
  }

  /// Weights of a Gaussian sampled at whole pixels, for a blur at full resolution. A deviation
  /// below 0.2 gives none.
  private static func taps(deviation: Double) -> [Int16] {
    if deviation < 0.2 { return [] }
    return fixed(gaussian(deviation: deviation, radius: Int((extent * deviation).rounded(.up))))
  }

  /// The weights at 1 ... radius of a Gaussian whose weights, both sides and the centre, sum to 1.
  private static func gaussian(deviation: Double, radius: Int) -> [Double] {
    if radius < 1 { return [] }
    let weights = (1...radius).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
    let sum = 1 + 2 * weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// Rounds to units of 2^-16 and removes trailing zeros.
  private static func fixed(_ weights: [Double]) -> [Int16] {
    var taps = weights.map { Int16(($0 * 65536).rounded()) }
    while taps.last == 0 { taps.removeLast() }
    return taps
  }
}
