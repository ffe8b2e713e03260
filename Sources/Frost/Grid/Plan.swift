import Glibc

/// The cell size and filters for a sigma, and the division of the variance sigma^2 among the
/// filters before the grid, in the grid and after it.
///
/// The weights of each filter are nonnegative and sum to 1, so the variances of successive filters
/// add. The Gaussian in the grid has the variance that the other filters leave. So any real sigma
/// is exact, and an animated sigma makes no steps.
///
///     pixels --reduce--> cells --halve--> grid --Gaussian--> grid --double--> fine cells --interpolate--> pixels
///
/// Fine cells of two pixels are interpolated by a cubic B-spline, larger ones linearly; see `SmoothRows`.
/// The size of a cell for a sigma is limited by aliasing, that of a fine cell by interpolation:
/// `docs/internals/glass.md` has the measurements.
struct Plan: Equatable, Sendable {
  /// How pixels become cells.
  let reduction: Reduction
  /// Whether the Gaussian runs in a grid with twice that cell size, to which the filter 1 3 3 1
  /// reduces.
  let isHalved: Bool
  /// How often the number of blurred cells is doubled in each direction, with the weights 3/4 and 1/4.
  let doublings: Int
  /// The weights of the Gaussian for the neighbours 1, 2, ... on each side, in units of 2^-16. The
  /// centre has the rest of the weight 1.
  let taps: [Int16]

  /// A plan for an output whose shorter edge has `extent` pixels, and for a tone that is affine or bends. Traps
  /// if `sigma` is outside `Material.sigmaRange`.
  ///
  /// A tone that bends takes time for each fine cell, so these have at least 4 pixels, unless cells have one or two. The
  /// error of their interpolation is up to twice as large. Named materials that bend reduce it, because their
  /// tint hides a part of the backdrop.
  init(sigma: Double, extent: Int = .max, bends: Bool = false) {
    precondition(Material.sigmaRange.contains(sigma))
    let coarseness = Self.coarseness(sigma: sigma, extent: extent)
    var grid = Self.grids.first { coarseness < (bends ? $0.bendLimit : $0.limit) } ?? Self.coarsest
    if bends, grid.reduction.cell > 2, grid.fineCell < 8 { grid.doublings -= 1 }
    reduction = grid.reduction
    isHalved = grid.isHalved
    doublings = grid.doublings
    guard reduction.cell > 1 else {
      taps = Self.taps(deviation: sigma)
      return
    }
    taps = Self.taps(variance: grid.gaussianVariance(sigma: sigma))
  }

  // MARK: Choice of the grid

  private struct GridChoice {
    /// This choice applies to a coarseness below the limit; see `coarseness(sigma:extent:)`. Tones that bend amplify errors.
    let limit, bendLimit: Double
    let reduction: Reduction
    let isHalved: Bool
    var doublings: Int

    init(
      below limit: Double, ifBends bendLimit: Double? = nil, _ cell: Int, isHalved: Bool,
      doublings: Int
    ) {
      self.limit = limit
      self.bendLimit = bendLimit ?? limit
      reduction = Reduction(cell: cell)
      self.isHalved = isHalved
      self.doublings = doublings
    }

    var gridCell: Int { isHalved ? 2 * reduction.cell : reduction.cell }
    var fineCell: Int { gridCell >> doublings }

    /// The variance of the Gaussian in the grid, in grid cells^2.
    func gaussianVariance(sigma: Double) -> Double {
      func square(_ cell: Int) -> Double { Double(cell * cell) }
      let halving = isHalved ? 0.75 * square(reduction.cell) : 0
      // A doubling makes cells of the size k that are k/2 before or after the centre: k^2 * 3/4.
      let doubling = (0..<doublings).reduce(0) { $0 + 0.75 * square(gridCell >> ($1 + 1)) }
      let others = reduction.variance + halving + doubling + interpolationVariance
      return (sigma * sigma - others) / square(gridCell)
    }

    /// The variance of the interpolation of fine cells, in pixels^2.
    private var interpolationVariance: Double {
      let square = Double(fineCell * fineCell)
      // A B-spline: weights 1/8, 6/8, 1/8 at the distance 2, and 1/2, 1/2 at the distance 1.
      if fineCell == 2 { return 1 }
      // A triangle, sampled half way between pixels or at them.
      return reduction.isCenteredBetweenPixels ? (2 * square + 1) / 12 : (square - 1) / 6
    }
  }

  /// At each limit the largest errors of both plans on a desktop picture add up to about a level or less, so that
  /// nothing is seen when an animated sigma crosses it.
  private static let grids = [
    GridChoice(below: 4, 1, isHalved: false, doublings: 0),
    GridChoice(below: 4.95, ifBends: 5.5, 2, isHalved: false, doublings: 0),
    GridChoice(below: 7, 2, isHalved: true, doublings: 1),
    GridChoice(below: 9.9, ifBends: 11, 4, isHalved: false, doublings: 1),
    GridChoice(below: 19.8, 4, isHalved: true, doublings: 2),
    GridChoice(below: 29, 8, isHalved: true, doublings: 2),
    GridChoice(below: 77, 8, isHalved: true, doublings: 1),
  ]
  private static let coarsest = GridChoice(below: .infinity, 16, isHalved: true, doublings: 1)

  /// The sigma for which the grid is chosen; less than `sigma` for small outputs. An output smaller
  /// than the kernel has few cells, over which errors do not average out, so it gets smaller cells;
  /// the cost is low.
  private static func coarseness(sigma: Double, extent: Int) -> Double {
    if Double(extent) < 2 * sigma { return sigma / 4 }
    return Double(extent) < 8 * sigma ? sigma / 2 : sigma
  }

  /// An upper bound of the sigmas that use `reduction` on an output whose shorter edge has `extent`
  /// pixels. The inverse of `coarseness(sigma:extent:)`.
  static func largestSigma(of reduction: Reduction, extent: Int) -> Double {
    let largest = Material.sigmaRange.upperBound
    let limit = grids.last { $0.reduction == reduction }?.bendLimit ?? largest
    let factor = Double(extent) < 2 * largest ? 4.0 : Double(extent) < 8 * largest ? 2 : 1
    return min(largest, factor * limit)
  }

  /// The edge length of a cell of the Gaussian's grid, in pixels.
  var gridCell: Int { isHalved ? 2 * reduction.cell : reduction.cell }

  // MARK: The Gaussian

  /// The radius at which the Gaussian in a grid of cells is truncated, in standard deviations. Measured: 3.2
  /// instead of 4 lowers the PSNR by 0.03 dB; 3 lowers it by as much again on a step edge; below 3 every
  /// error bound of the tests is exceeded.
  private static let gridExtent = 3.2

  /// The same for a grid of pixels, which has no other errors: with 3.2 the largest error on a desktop picture is
  /// 0.6 levels.
  static let extent = 4.0

  /// Weights of a sampled Gaussian whose variance is exactly `variance`, in cells^2. The deviation
  /// of the continuous Gaussian is found by bisection.
  private static func taps(variance: Double) -> [Int16] {
    let radius = Int((gridExtent * variance.squareRoot()).rounded(.up))
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
