package import Frost

extension Corner {
  /// The valid radii, in pixels. The time and the memory for a shadow grow with the square of the radius: 0.15 s and
  /// 80 MB for the largest.
  package static let radiusRange = 0.0...1024.0

  /// Parses `RADIUS`, for circular corners, or `continuous:RADIUS`. Throws `unreadable` or
  /// `outOfRange`.
  package init(parsing text: String) throws(PaneError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isContinuous = parts.count == 2 && parts[0] == "continuous"
    guard let radius = parts.last.flatMap({ Double($0) }), parts.count == 1 || isContinuous else {
      throw .unreadable(
        setting: "corner", text: text, expected: "a radius in pixels, such as 24 or continuous:24")
    }
    guard Self.radiusRange.contains(radius) else {
      throw .outOfRange(setting: "corner", text: "\(radius)", expected: "0 to 1024 pixels")
    }
    self.init(radius: radius, curve: isContinuous ? .continuous : .circular)
  }

  /// The text that `init(parsing:)` reads.
  package var text: String {
    (curve == .continuous ? "continuous:" : "") + shortest(radius)
  }

  /// Throws `outOfRange` if the radius is more than half the shorter edge of a pane of this size.
  package func check(width: Int, height: Int) throws(PaneError) {
    let most = Double(min(width, height)) / 2
    guard radius <= most else {
      throw .outOfRange(
        setting: "corner", text: "\(radius)",
        expected: "at most \(most), half the shorter edge of a pane of \(width)x\(height)")
    }
  }
}

extension Border {
  /// The valid widths, in pixels.
  package static let widthRange = 0.0...100.0

  /// Parses `none` or `WIDTH #RRGGBB[AA]`. Throws `unreadable` or `outOfRange`.
  package init(parsing text: String) throws(PaneError) {
    if text == "none" {
      self = .none
      return
    }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, let width = Double(words[0]) else {
      throw .unreadable(
        setting: "border", text: text,
        expected: "'WIDTH #RRGGBB[AA]', such as '1 #FFFFFF40', or none")
    }
    guard Self.widthRange.contains(width) else {
      throw .outOfRange(setting: "border", text: "\(width)", expected: "a width of 0 to 100 pixels")
    }
    self.init(width: width, color: try Color(parsing: words[1], as: "border"))
  }

  /// The text that `init(parsing:)` reads.
  package var text: String { self == .none ? "none" : "\(shortest(width)) \(color.text)" }
}

extension Shadow {
  /// The shadows with a name.
  package static let presets = [
    (name: "maps", shadow: maps), (name: "outer-view", shadow: outerView),
    (name: "rounded-view", shadow: roundedView),
  ]

  /// Parses `none`, the name of a preset, or `X,Y RADIUS #RRGGBB[AA]`: the offset to the right and
  /// down in pixels, the blur radius as in CSS, and the colour. Throws `unreadable`, `outOfRange`, or
  /// `unknownShadow` for a misspelt name.
  package init(parsing text: String) throws(PaneError) {
    if let preset = Self.presets.first(where: { $0.name == text }) {
      self = preset.shadow
      return
    }
    if text == "none" {
      self = .none
      return
    }
    let names = Self.presets.map(\.name) + ["none"]
    let nearest = text.lowercased().nearest(in: names)
    if !nearest.isEmpty { throw .unknownShadow(text, nearest: nearest) }
    let words = text.split(separator: " ").map(String.init)
    let offset = (words.first ?? "").split(separator: ",").map { Int($0) }
    guard words.count == 3, offset.count == 2, let x = offset[0], let y = offset[1],
      let radius = Double(words[1])
    else {
      throw .unreadable(
        setting: "shadow", text: text,
        expected: "'X,Y RADIUS #RRGGBB[AA]', such as '0,8 24 #00000080', or "
          + names.joined(separator: ", "))
    }
    self.init(
      offsetX: x, offsetY: y, radius: radius, color: try Color(parsing: words[2], as: "shadow"))
    try check()
  }

  /// A text that `init(parsing:)` reads as the same shadow. The opacity is included in the colour.
  package var text: String {
    if self == .none { return "none" }
    if let preset = Self.presets.first(where: { $0.shadow == self }) { return preset.name }
    var color = color
    color.alpha *= opacity
    return "\(offsetX),\(offsetY) \(shortest(radius)) \(color.text)"
  }

  private func check() throws(PaneError) {
    guard Self.radiusRange.contains(radius) else {
      throw .outOfRange(
        setting: "shadow", text: "a radius of \(radius)", expected: "a radius of 0 to 200")
    }
    guard Self.offsetRange.contains(offsetX), Self.offsetRange.contains(offsetY) else {
      throw .outOfRange(
        setting: "shadow", text: "\(offsetX),\(offsetY)", expected: "offsets of -200 to 200")
    }
  }
}

/// A number without a decimal point if it is whole.
private func shortest(_ number: Double) -> String {
  Int(exactly: number).map { "\($0)" } ?? "\(number)"
}
