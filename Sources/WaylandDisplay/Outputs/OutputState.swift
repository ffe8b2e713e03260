import Panes
import Raster
import WaylandClient

/// An output of a compositor, from its events. They count together with the event `done`.
struct OutputState: Equatable {
  var name: String
  /// The size of its mode in pixels, before the rotation.
  var mode = (width: 0, height: 0)
  var transform = 0
  /// The integer scale that clients without fractional scales use.
  var integerScale = 1
  /// The rectangle in the space of the compositor; empty if it says none.
  var logical = Rect.zero

  init(name: String) { self.name = name }

  static func == (one: OutputState, other: OutputState) -> Bool {
    one.name == other.name && one.mode == other.mode && one.transform == other.transform
      && one.integerScale == other.integerScale && one.logical == other.logical
  }

  /// Applies an event of `wl_output`. Returns whether it is the last one of a change.
  mutating func handleOutputEvent(_ event: WaylandEvent) -> Bool {
    switch OutputEvent(rawValue: event.opcode) {
    case .geometry: transform = event.number(7)
    case .mode:
      // The others of a list are not current.
      if event.number(0) & 1 == 1 { mode = (event.number(1), event.number(2)) }
    case .scale: integerScale = event.number(0)
    case .name: name = event.text(0)
    case .done: return true
    case .description, nil: break
    }
    return false
  }

  /// Applies an event of `zxdg_output_v1`.
  mutating func handleXDGEvent(_ event: WaylandEvent) {
    switch XDGOutputEvent(rawValue: event.opcode) {
    case .logicalPosition:
      logical = Rect(
        x: event.number(0), y: event.number(1), width: logical.width, height: logical.height)
    case .logicalSize:
      logical = Rect(
        x: logical.x, y: logical.y, width: event.number(0), height: event.number(1))
    case .name: name = event.text(0)
    case .done, .description, nil: break
    }
  }

  var turn: OutputTransform {
    OutputTransform(transform, width: mode.width, height: mode.height)
  }

  /// The same output with its picture turned in another way, as a capture may have it; nil is its own.
  func turned(as transform: Int?) -> OutputState {
    guard let transform, transform != self.transform else { return self }
    var turned = self
    turned.transform = transform
    let size = turn.seenSize
    turned.mode = transform & 1 == 1 ? (size.height, size.width) : size
    return turned
  }

  /// The number of pixels of a logical one. A compositor says only the logical size, in whole pixels, so it is the simplest
  /// scale that leads to this size; scales are multiples of 1/120 (`wp_fractional_scale_v1`).
  var scale: Double {
    if logical.isEmpty { return Double(integerScale) }
    let (width, height) = turn.seenSize
    func matches(_ scale: Double, _ pixels: Int, _ logical: Int) -> Bool {
      let exact = Double(pixels) / scale
      return Int(exact) == logical || Int(exact.rounded()) == logical
    }
    for divisor in [1, 2, 4, 10, 20, 120] {
      let steps = Double(divisor)
      let scale = (Double(width) / Double(logical.width) * steps).rounded() / steps
      if scale > 0, matches(scale, width, logical.width), matches(scale, height, logical.height) {
        return scale
      }
    }
    return Double(width) / Double(logical.width)
  }

  /// Whether it shows something. One with numbers that cannot be right does not, so that no sum of them overflows.
  var isOn: Bool {
    (1...Self.sizeLimit).contains(mode.width) && (1...Self.sizeLimit).contains(mode.height)
      && !logical.isEmpty && abs(logical.x) <= Self.placeLimit && abs(logical.y) <= Self.placeLimit
      && (1 / Self.scaleLimit...Self.scaleLimit).contains(scale)
  }

  private static let sizeLimit = 1 << 16
  private static let placeLimit = 1 << 24
  private static let scaleLimit = 64.0
}

/// The outputs in one space of pixels. A compositor has only a logical one, in which outputs of different scales have no
/// common pixels. They keep their order and do not overlap: each is at its logical position, multiplied by the largest
/// scale. One that shows the same as another, or whose logical size was rounded down, is moved to the right or down. As on
/// X11 the space begins at 0,0, wherever the outputs are for the compositor, so that places count from its corner.
func pixelOutputs(_ states: [OutputState]) -> [Output] {
  let shown = states.filter(\.isOn)
  let largest = shown.map(\.scale).max() ?? 1
  let places = separated(
    shown.map { state in
      Rect(
        x: Int((Double(state.logical.x) * largest).rounded()),
        y: Int((Double(state.logical.y) * largest).rounded()), width: state.turn.seenSize.width,
        height: state.turn.seenSize.height)
    })
  let (left, top) = (places.map(\.x).min() ?? 0, places.map(\.y).min() ?? 0)
  return zip(shown, places).map { state, place in
    let bounds = place.translated(x: -left, y: -top)
    let scale = min(max(state.scale, Output.scaleRange.lowerBound), Output.scaleRange.upperBound)
    return Output(
      name: state.name, bounds: bounds, scale: scale, orientation: state.turn.orientation)
  }
}

/// The outputs in a picture of the desktop, one for each of `states`; all of these must be on. Panes are on each monitor, but the
/// picture contains mirrored contents once. An output is a mirror if its logical rectangle is inside that of another output; it
/// has no place among the others. A captured output is never the mirror of one that could not be captured.
func picturedOutputs(_ states: [(state: OutputState, isCaptured: Bool)]) -> [Output] {
  func isMirror(_ index: Int) -> Bool {
    let own = states[index]
    return states.enumerated().contains { other, larger in
      if other == index || !larger.state.logical.contains(own.state.logical) { return false }
      if larger.isCaptured != own.isCaptured { return larger.isCaptured }
      return larger.state.logical != own.state.logical || other < index
    }
  }
  let mirrors = states.indices.map { isMirror($0) }
  var others = pixelOutputs(zip(states, mirrors).filter { !$1 }.map { $0.0.state })[...]
  return zip(states, mirrors).map { entry, isMirror in
    guard isMirror else { return others.removeFirst() }
    var output = pixelOutputs([entry.state])[0]
    output.isMirror = true
    return output
  }
}

/// Moves rectangles to the right or down, as little as possible, until they do not intersect. They are placed from left to right,
/// and a placed rectangle stays.
private func separated(_ rects: [Rect]) -> [Rect] {
  var placed = rects
  var done: [Rect] = []
  let order = rects.indices.sorted {
    (rects[$0].x, rects[$0].y, $0) < (rects[$1].x, rects[$1].y, $1)
  }
  for index in order {
    var rect = rects[index]
    while let other = done.first(where: { $0.intersects(rect) }) {
      let (right, down) = (other.maxX - rect.x, other.maxY - rect.y)
      rect = right <= down ? rect.translated(x: right, y: 0) : rect.translated(x: 0, y: down)
    }
    placed[index] = rect
    done.append(rect)
  }
  return placed
}

/// Identifies an output by the name of its global.
struct OutputID: Hashable {
  let global: Int
}
