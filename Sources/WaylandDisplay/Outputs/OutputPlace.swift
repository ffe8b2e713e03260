package import Engine
package import Raster
import WaylandClient

/// A rectangle on one output, in pixels from its top left corner.
package struct OutputPlace: Equatable, Sendable {
  /// The name of the output.
  package let output: String
  package let rect: Rect

  /// The place of a rectangle in the logical space of a compositor, in which other clients measure, on the output with most of
  /// it; nil if it is on none.
  init?(ofLogical logical: Rect, on states: [OutputState]) {
    let candidates = states.filter { $0.isOn && $0.logical.intersects(logical) }
    guard
      let state = candidates.max(by: {
        $0.logical.intersection(logical).area < $1.logical.intersection(logical).area
      })
    else { return nil }
    let own = logical.intersection(state.logical)
      .translated(x: -state.logical.x, y: -state.logical.y)
    func pixels(_ range: Range<Int>, of size: Int) -> Range<Int> {
      let low = min(size - 1, Int((Double(range.lowerBound) * state.scale).rounded()))
      let high = min(size, Int((Double(range.upperBound) * state.scale).rounded()))
      return low..<max(low + 1, high)
    }
    let size = state.turn.seenSize
    output = state.name
    rect = Rect(pixels(own.columns, of: size.width), pixels(own.rows, of: size.height))
  }

  /// The place of a rectangle on the outputs of a compositor. Waits for the compositor. Throws `unreachable`, `lost` or
  /// `unsupported`.
  package init?(
    ofLogical logical: Rect, onCompositor display: String
  ) throws(DisplayError) {
    self.init(
      ofLogical: logical, on: try WaylandDisplay.open(display).monitors.map(\.state))
  }
}

extension Rect {
  /// The rectangle of a text `X,Y WIDTHxHEIGHT`, as slurp and grim write it; nil if it is none, or has no pixels.
  package init?(logical text: String) {
    let numbers = text.split(
      omittingEmptySubsequences: false, whereSeparator: { ", x".contains($0) }
    ).map { Int32($0).map(Int.init) }
    guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
      let height = numbers[3], width > 0, height > 0
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}
