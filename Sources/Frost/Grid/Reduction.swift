/// The reduction of pixels to cells: a prefilter, sampled once a cell. Blurs of many sigmas share
/// one reduction, and so one grid of cells.
package struct Reduction: Hashable, Sendable {
  enum Prefilter: Sendable {
    /// The mean of the `cell` x `cell` pixels of a cell. Its frequency response has a single zero
    /// at each alias frequency, which is enough if the Gaussian that follows is wide (sigma >= 2.4
    /// cells).
    case box
    /// A triangle over the `2 * cell - 1` pixels around the first pixel of the cell (the box
    /// applied twice). It has a double zero at each alias frequency, which is enough from sigma =
    /// 1.2 cells.
    case triangle
  }

  /// The edge length of a cell in pixels: a power of two, 1 to 64.
  package let cell: Int
  let prefilter: Prefilter

  /// The first pixel that is interpolated between the cells `c` and `c + 1`, counted from the first
  /// pixel of cell `c`: the first pixel at or after the centre of cell `c`.
  var expansionOffset: Int { prefilter == .box ? cell / 2 : 0 }

  /// The number of pixels before its first pixel on which a cell depends.
  var support: Int { prefilter == .triangle ? cell - 1 : 0 }
}
