import Glibc

/// What a sigma alone decides: the size of a cell, and how the variance sigma^2 is shared between
/// the filters on the way down, in the grid, and on the way up.
///
/// Every filter on the way is a probability distribution, so their variances add. The grid's own
/// Gaussian supplies what the others leave, and any real sigma comes out right: a sigma that is
/// animated makes no steps.
///
///     pixels --reduce--> cells --halve--> coarse cells --Gaussian--> coarse --double--> cells --expand--> pixels
///
/// How large a cell may be, for a given sigma, is a matter of aliases: `docs/architecture.md` has
/// the measurements behind `init`.
struct Plan: Equatable, Sendable {
  /// How pixels become cells.
  enum Prefilter: Sendable {
    /// The mean of the `cell` x `cell` pixels of a cell. One zero at each alias: good when the
    /// Gaussian behind it is wide (sigma >= 2.4 cells).
    case box
    /// A triangle over the `2 * cell - 1` pixels about the first of the cell (the box, twice). Two
    /// zeros at each alias: good from sigma = 1.2 cells on.
    case tent
  }

  /// The edge of a cell in pixels: a power of two, 1 to 64.
  let cell: Int
  let prefilter: Prefilter
  /// Whether the Gaussian runs in a grid of twice that size, reached by the filter 1 3 3 1.
  let isHalved: Bool
  /// Of the Gaussian: weights of the neighbours 1, 2, ... on each side, in units of 2^-16. The centre
  /// has what is missing to 1.
  let taps: [Int16]

  /// A plan for a screen whose shorter edge has `extent` pixels.
  init(sigma: Double, extent: Int = .max) {
    precondition(Material.sigmaRange.contains(sigma))
    let coarseness = Self.coarseness(sigma: sigma, extent: extent)
    switch coarseness {
    case ..<3.4: (cell, prefilter, isHalved) = (1, .box, false)
    case ..<5: (cell, prefilter, isHalved) = (2, .tent, false)
    case ..<6: (cell, prefilter, isHalved) = (4, .tent, false)
    // Where 3 levels is the bound, chords over 4 pixels come too near it at first.
    case ..<6.6: (cell, prefilter, isHalved) = (2, .tent, true)
    case ..<9.6: (cell, prefilter, isHalved) = (4, .tent, false)
    case ..<19.2: (cell, prefilter, isHalved) = (4, .tent, true)
    default:
      cell = coarseness < 38.4 ? 8 : coarseness < 76.8 ? 16 : coarseness < 153.6 ? 32 : 64
      (prefilter, isHalved) = (.box, true)
    }
    guard cell > 1 else {
      taps = Self.taps(deviation: sigma)
      return
    }
    let square = Double(cell * cell)
    let reduction = prefilter == .box ? (square - 1) / 12 : (square - 1) / 6
    // A triangle sampled at the pixels: on them for a tent's cells, between them for a box's.
    var expansion = prefilter == .box ? (2 * square + 1) / 12 : (square - 1) / 6
    if cell == 4 && sigma < 9 {
      // A curve between two cells is drawn as its chord. Counted as k^2 / 6, chords are right on
      // average and 1/12 f'' off at the cells; counted as k^2 / 8 they are 1/16 f'' off there and half
      // way: 1 dB less, and a quarter off the largest error where that is largest.
      expansion *= 1 - 0.25 * min(1, (9 - sigma) / 2)
    }
    let halving = isHalved ? 2 * 0.75 * square : 0
    let gridSquare = isHalved ? 4 * square : square
    taps = Self.taps(variance: (sigma * sigma - reduction - expansion - halving) / gridSquare)
  }

  /// The sigma whose cells are used. A screen that is smaller than the kernel has few cells, over which
  /// errors do not average out, and which cost nothing: it gets finer ones, and on one that is smaller
  /// still only a triangle is good enough. On a 29x1 frame a box folded 2 levels of noise into sigma 38.
  private static func coarseness(sigma: Double, extent: Int) -> Double {
    if Double(extent) < 2 * sigma { return min(sigma / 4, coarsestTriangle) }
    return Double(extent) < 8 * sigma ? sigma / 2 : sigma
  }

  /// Below the first sigma that has cells of 8.
  private static let coarsestTriangle = 19.1

  /// The edge of a cell of the grid that the Gaussian runs in, in pixels.
  var gridCell: Int { isHalved ? 2 * cell : cell }

  /// The first pixel whose value comes from the cells `c` and `c + 1`, counted from `c * cell`: it is
  /// the first at or after the centre of cell `c`.
  var expansionOffset: Int { prefilter == .box ? cell / 2 : 0 }

  /// Where a Gaussian is cut off, in deviations. From 4 down to here 0.03 dB are lost, at 3 as much as
  /// 4 on a step, below 3 all bounds.
  private static let extent = 3.2

  /// Weights of a sampled Gaussian whose variance is exactly `variance` (in cells^2).
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

  /// Weights of a Gaussian sampled at whole pixels, as a full-size blur has them.
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

  private static func fixed(_ weights: [Double]) -> [Int16] {
    var taps = weights.map { Int16(($0 * 65536).rounded()) }
    while taps.last == 0 { taps.removeLast() }
    return taps
  }
}
