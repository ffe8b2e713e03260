/// The time for which a pane exists.
package struct Lifetime: Equatable, Sendable {
  /// In `range`.
  package let milliseconds: Double

  /// The valid times, in milliseconds: up to a day.
  package static let range = 1.0...86_400_000.0

  /// Throws `outOfRange` if the time is not in `range`.
  package init(milliseconds: Double) throws(PaneError) {
    try self.init("\(milliseconds) milliseconds", milliseconds, of: "for")
  }

  /// Parses a number with a unit: `500ms`, `5s`, `1.5min`, `2h`. Throws `unreadable` or `outOfRange` of a setting.
  package init(parsing text: String, setting: String = "for") throws(PaneError) {
    guard let milliseconds = Self.milliseconds(of: text) else {
      throw .unreadable(
        setting: setting, text: text,
        expected: "a number with the unit ms, s, min or h, such as 500ms or 5s")
    }
    try self.init(text, milliseconds, of: setting)
  }

  private init(_ text: String, _ milliseconds: Double, of setting: String) throws(PaneError) {
    // NaN is in no range.
    guard Self.range.contains(milliseconds) else {
      throw .outOfRange(setting: setting, text: text, expected: "1ms to 24h")
    }
    self.milliseconds = milliseconds
  }

  private static func milliseconds(of text: String) -> Double? {
    let units = [("ms", 1.0), ("min", 60_000), ("s", 1000), ("h", 3_600_000)]
    guard let (name, length) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let number = text.dropLast(name.count)
    // Other forms of numbers, such as 0x10 and 1e3, are no times that a user writes.
    guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else {
      return nil
    }
    return Double(number).map { $0 * length }
  }

  /// The same as a `Duration`.
  package var duration: Duration { .milliseconds(1) * milliseconds }
}

/// When a pane is removed by itself.
package enum PaneEnd: Equatable, Sendable {
  /// At a time of the daemon's clock, after a fade that begins then.
  case at(Duration, Fade)
  /// The time is over: it is removed when it has faded.
  case fading

  /// The time until then, at a time of the same clock.
  package func remaining(at now: Duration) -> Duration {
    if case .at(let time, _) = self { max(.zero, time - now) } else { .zero }
  }
}
