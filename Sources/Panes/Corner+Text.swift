package import Frost

extension Corner {
  /// In pixels; no screen is larger.
  package static let radiusRange = 0.0...16384.0

  /// Reads `RADIUS`, a quarter of a circle, or `continuous:RADIUS`.
  package init(parsing text: String) throws(PaneError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isContinuous = parts.count == 2 && parts[0] == "continuous"
    guard let radius = parts.last.flatMap({ Double($0) }), parts.count == 1 || isContinuous else {
      throw .unreadable(
        setting: "corner", text: text, expected: "a radius in pixels, as in 24 or continuous:24")
    }
    guard Self.radiusRange.contains(radius) else {
      throw .outOfRange(setting: "corner", text: "\(radius)", expected: "0 to 16384 pixels")
    }
    self.init(radius: radius, curve: isContinuous ? .continuous : .circular)
  }

  /// As it can be read again.
  package var text: String {
    (curve == .continuous ? "continuous:" : "") + shortest(radius)
  }

  /// A radius of more than half a pane's shorter edge is a mistake.
  package func check(width: Int, height: Int) throws(PaneError) {
    let most = Double(min(width, height)) / 2
    guard radius <= most else {
      throw .outOfRange(
        setting: "corner", text: "\(radius)",
        expected: "at most \(most), half the shorter edge of a pane of \(width)x\(height)")
    }
  }
}
