/// The size of a pane, as users write it.
package struct PaneSize: Equatable, Sendable {
  /// A width or a height.
  package enum Length: Equatable, Sendable {
    case pixels(Int)
    /// A part of the area of the pane, above 0 and up to 100 %.
    case percent(Double)
    /// The length that the content needs, at most that of the area of the pane.
    case auto

    /// The length in pixels in an area of `available` pixels, which may be less than 0, for content that needs `content`
    /// pixels; at least 1.
    package func pixels(of available: Int, content: Int) -> Int {
      switch self {
      case .pixels(let count): count
      case .percent(let percent):
        max(1, Int((Double(available) * percent / 100).rounded()))
      case .auto: max(1, min(content, available))
      }
    }
  }

  package var width, height: Length

  package init(width: Length, height: Length) {
    self.width = width
    self.height = height
  }

  /// A size that follows the content.
  package static let auto = PaneSize(width: .auto, height: .auto)

  /// Whether a part of it follows the content.
  package var isAuto: Bool { width == .auto || height == .auto }

  /// The size in pixels; nil if it depends on the area.
  package var fixed: (width: Int, height: Int)? {
    guard case .pixels(let width) = width, case .pixels(let height) = height else { return nil }
    return (width, height)
  }

  /// Parses a width and a height, each in pixels, percent or `auto`: `400x300`, `25%x100%`, `360xauto`; with `@2x` at the
  /// end in units of 2 pixels; or `auto` for both. Throws `unreadable` or `outOfRange`.
  package init(parsing text: String) throws(PaneError) {
    if text == Length.auto.text {
      self = .auto
      return
    }
    let density = Density(of: text)
    let parts = density?.text.split(separator: "x", omittingEmptySubsequences: false) ?? []
    guard let density, parts.count == 2, let width = Length(parts[0]), let height = Length(parts[1])
    else {
      throw .unreadable(
        setting: "size", text: text,
        expected:
          "WIDTHxHEIGHT, each in pixels, percent or auto, such as 400x300 or 25%x100%, with a density only at the end, "
          + "as in 400x300@2x; or auto"
      )
    }
    let scaled = PaneSize(width: width, height: height).scaled(by: density.factor)
    for length in [width, height, scaled.width, scaled.height] where !length.isInRange {
      throw .outOfRange(
        setting: "size", text: text,
        expected: "a size from 1x1 to 32767x32767, and percentages above 0 up to 100")
    }
    self = scaled
  }

  /// The text that `init(parsing:)` reads.
  package var text: String {
    self == .auto ? Length.auto.text : "\(width.text)x\(height.text)"
  }
}

extension PaneSize.Length {
  /// A number that does not fit in an `Int` becomes `Int.max`, so that it is reported as out of range.
  fileprivate init?(_ text: Substring) {
    func isNumber(_ text: Substring, with other: Character?) -> Bool {
      !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber || $0 == other }
    }
    if text == Self.auto.text {
      self = .auto
    } else if text.hasSuffix("%") {
      guard isNumber(text.dropLast(), with: "."), let percent = Double(text.dropLast()) else {
        return nil
      }
      // Thousandths, so that the text of the value is short and without an exponent.
      self = .percent((min(percent, 1e6) * 1000).rounded() / 1000)
    } else {
      guard isNumber(text, with: nil) else { return nil }
      self = .pixels(Int(text) ?? .max)
    }
  }

  fileprivate var isInRange: Bool {
    switch self {
    case .pixels(let count): Geometry.sizeRange.contains(count)
    case .percent(let percent): percent > 0 && percent <= 100
    case .auto: true
    }
  }

  fileprivate var text: String {
    switch self {
    case .pixels(let count): "\(count)"
    case .percent(let percent):
      percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
    case .auto: "auto"
    }
  }
}
