/// When the pixels of a window with an alpha channel are read, and what they tell: a program may ask for alpha and paint opaque
/// pixels, as terminals do until the user chooses a translucent background, or leave its corners free. Only the pixels show this.
/// A value: the caller reads when it is due, and tells what it found.
struct AlphaWatch: Equatable {
  private(set) var found = PaintedAlpha.unknown
  private(set) var isReading = false
  /// Whether something was drawn since the last reading began.
  private var isOutdated = true
  /// The number of readings.
  private var count = 0
  /// The time before which no reading begins.
  private var nextReading = Duration.zero

  /// Whether nothing was read yet.
  var isNew: Bool { count == 0 }
  /// The time of the next reading; nil while nothing changes.
  var deadline: Duration? { isOutdated && !isReading ? nextReading : nil }

  /// A program paints its first pixels soon after its window appears.
  private static let pauses: [Duration] = [
    .milliseconds(100), .milliseconds(200), .milliseconds(400),
  ]
  private static let longestPause = Duration.seconds(1)

  /// Records that something was drawn.
  mutating func recordDamage() { isOutdated = true }

  /// Begins a reading, if one is due.
  mutating func beginReading(now: Duration) -> Bool {
    guard let deadline, deadline <= now else { return false }
    nextReading = now + (count < Self.pauses.count ? Self.pauses[count] : Self.longestPause)
    (isReading, isOutdated) = (true, false)
    count += 1
    return true
  }

  /// Ends a reading with what was found; nil if the pixels could not be read, as those of a window that was resized meanwhile.
  /// Returns whether it has changed.
  mutating func endReading(_ new: PaintedAlpha?) -> Bool {
    isReading = false
    guard let new else { return false }
    defer { found = new }
    return new != found
  }
}
