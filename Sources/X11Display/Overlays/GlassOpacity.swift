/// The opacity of the glass behind a window, 0 to 0xffffffff.
///
/// While the opacity of the window changes, the glass fades in the same proportion. When it no longer changes, the glass is
/// opaque. Otherwise the compositor would blend both window and glass with the pixels behind them. If both have the opacity a, a
/// share of (1 - a)² of these pixels would be visible without blur.
struct GlassOpacity {
  private(set) var value = UInt32.max
  /// The time at which the opacity counts as constant; nil if it has not changed, or if the window is fully transparent.
  private(set) var deadline: Duration?
  /// The opacity of the window; nil before it is known.
  private var window: UInt32?
  /// The opacity at which the window rested last; nil if it never rested.
  private var resting: UInt32?

  /// The time without a change after which the opacity of a new window counts as constant. It is short because programs that fade
  /// in a window change its opacity more often.
  private static let firstRest = Duration.milliseconds(200)
  private static let rest = Duration.seconds(1)

  /// Records `_NET_WM_WINDOW_OPACITY` of the window, also at the deadline.
  mutating func record(_ opacity: UInt32, now: Duration) {
    if opacity != window {
      deadline = now + (window == nil ? Self.firstRest : Self.rest)
      window = opacity
    }
    let isResting = opacity == .max || deadline.map { $0 <= now } == true
    if isResting, opacity > 0 { resting = opacity }
    if isResting || opacity == 0 || opacity == resting { deadline = nil }
    value = Self.proportion(of: opacity, to: resting ?? .max)
  }

  private static func proportion(of opacity: UInt32, to resting: UInt32) -> UInt32 {
    if opacity >= resting { return .max }
    return UInt32(UInt64(opacity) * UInt64(UInt32.max) / UInt64(resting))
  }
}
