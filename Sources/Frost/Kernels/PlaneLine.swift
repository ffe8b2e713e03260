/// One row of a plane as two half rows (blue and red interleaved, then green and alpha), of cells
/// or of sums of pixels.
struct PlaneLine: Sendable {
  /// The distance from the first half row to the second, in values. `Plane.slack` values follow the
  /// second one, so that kernels can write whole vectors.
  let pitch: Int
  var values: [UInt16]

  /// A line of zeros for `count` cells or pixels.
  init(count: Int) {
    pitch = 2 * count + Plane.slack
    values = Array(repeating: 0, count: 2 * pitch + Plane.slack)
  }
}
