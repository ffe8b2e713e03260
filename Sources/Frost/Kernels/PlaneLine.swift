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

  /// A line without cells, to put in the place of one that is moved out of a property.
  static let empty = PlaneLine(count: 0)

  /// Copies `count` values of two half rows, of which the first starts at `first`, to column 0.
  mutating func copy(_ source: Span<UInt16>, at first: Int, pitch sourcePitch: Int, count: Int) {
    let pitch = pitch
    precondition(first >= 0 && first + sourcePitch + count <= source.count && count <= pitch)
    var target = values.mutableSpan
    for half in 0..<2 {
      let (from, to) = (first &+ half &* sourcePitch, half &* pitch)
      for i in 0..<count { target[to &+ i] = source[from &+ i] }
    }
  }
}
