/// The opacity of the glass behind a window, 0 to 0xffffffff.
///
/// While the opacity of the window changes, the glass fades in the same proportion. When it rests, the glass is opaque: a compositor
/// blends both with what is behind, so with the opacity a of each, (1 - a)² of that would be seen sharp.
struct GlassOpacity {
  private(set) var value = UInt32.max
  /// When the window counts as resting; nil if nothing has changed, or if it is clear.
  private(set) var deadline: Duration?
  /// The opacity of the window; nil before it is known.
  private var window: UInt32?
  /// The opacity at which the window rested last; nil if it never rested.
  private var resting: UInt32?

  /// Programs that fade a new window change its opacity more often.
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
