import Raster

/// The part of an output that a capture contains.
///
/// A compositor copies the whole part, even if little of it has changed, so a small part that contains the last changes is
/// best. Each capture reports the changes of the whole output, so the next capture contains a change outside the part.
struct CaptureArea {
  /// The part of the last capture, in the coordinates of the display.
  private(set) var part = Rect.zero
  /// The part in logical pixels from the corner of the output; nil for the whole output.
  private(set) var logical: Rect?
  /// Whether the compositor captures exactly the part that is asked for.
  var capturesParts: Bool
  /// The places of the last changes.
  private var recent: [Rect] = []

  private static let recentLimit = 8
  private static let step = 64
  /// Moving contents change pixels near their last changes. A commit outside of the part needs a capture of all that is
  /// watched.
  private static let margin = 32

  init(capturesParts: Bool) { self.capturesParts = capturesParts }

  /// Records the place of a change.
  mutating func record(_ rect: Rect) {
    if rect.isEmpty { return }
    recent.append(rect)
    if recent.count > Self.recentLimit { recent.removeFirst() }
  }

  /// Chooses the part of the next capture. It contains `needed`; if the capture waits for a change, it also contains the places
  /// of the last changes. `bounds` are the bounds of the output.
  mutating func choose(
    needed: Rect, watched: Rect, waits: Bool, on state: OutputState, _ bounds: Rect
  ) {
    var wanted = needed
    if waits {
      let hull = recent.reduce(needed) { $0.hull($1) }.grown(by: Self.margin)
        .intersection(watched)
      wanted = hull.isEmpty ? watched : hull
    }
    wanted = wanted.translated(x: -bounds.x, y: -bounds.y)
    // A part is captured at whole scales only; an output may have one below 1.
    let scale = max(1, Int(state.scale))
    let size = state.turn.seenSize
    let whole = Rect(x: 0, y: 0, width: size.width, height: size.height)
    let rounded = wanted.rounded(outTo: Self.step * scale).intersection(whole)
    let isKept =
      waits && part.translated(x: -bounds.x, y: -bounds.y).contains(rounded)
      && part.area <= 2 * rounded.area
    if isKept { return }
    // Compositors round fractions of a pixel differently.
    guard capturesParts, state.turn.hasKnownParts, Double(scale) == state.scale,
      4 * rounded.area < 3 * whole.area,
      rounded.maxX % scale == 0, rounded.maxY % scale == 0
    else {
      (part, logical) = (whole.translated(x: bounds.x, y: bounds.y), nil)
      return
    }
    part = rounded.translated(x: bounds.x, y: bounds.y)
    logical = Rect(
      x: rounded.x / scale, y: rounded.y / scale, width: rounded.width / scale,
      height: rounded.height / scale)
  }

  /// The part in the native picture of the output.
  func native(of state: OutputState) -> Rect {
    guard let logical else {
      return Rect(x: 0, y: 0, width: state.turn.width, height: state.turn.height)
    }
    let scale = Int(state.scale)
    return state.turn.native(
      Rect(
        x: logical.x * scale, y: logical.y * scale, width: logical.width * scale,
        height: logical.height * scale))
  }

  /// The place of a rectangle of the native picture in the coordinates of the display.
  func place(ofNative rect: Rect, of state: OutputState, _ bounds: Rect) -> Rect {
    let native = Rect(x: 0, y: 0, width: state.turn.width, height: state.turn.height)
    return state.turn.seen(rect.intersection(native)).translated(x: bounds.x, y: bounds.y)
  }
}
