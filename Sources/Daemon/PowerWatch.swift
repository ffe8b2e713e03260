import Linux

/// Whether the machine runs on its battery. The kernel reports changes only to programs that read its events, so the daemon looks
/// while it works, and not more often than needed. While it sleeps it costs nothing anyway.
struct PowerWatch {
  /// The finding of the last look; nil if none is needed.
  private(set) var wasOnBattery: Bool?
  private var nextLook: Duration?

  private static let interval = Duration.seconds(5)

  /// Looks at once, and again from time to time if it is needed.
  mutating func look(now: Duration, isNeeded: Bool) {
    wasOnBattery = isNeeded ? isOnBattery() : nil
    nextLook = isNeeded ? now + Self.interval : nil
  }

  /// Whether it is time to look again.
  func isDue(now: Duration) -> Bool { nextLook.map { $0 <= now } ?? false }
}
