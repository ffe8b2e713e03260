package import Frost

extension Shadow {
  /// By name.
  package static let presets = [
    (name: "maps", shadow: maps), (name: "outer-view", shadow: outerView),
    (name: "rounded-view", shadow: roundedView),
  ]

  /// Reads `none`, the name of a preset, or `X,Y RADIUS #RRGGBB[AA]`: how far it is moved to the right and
  /// down, how far it blurs, as CSS counts it, and its colour.
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
    let words = text.split(separator: " ").map(String.init)
    let offset = (words.first ?? "").split(separator: ",").map { Int($0) }
    guard words.count == 3, offset.count == 2, let x = offset[0], let y = offset[1],
      let radius = Double(words[1])
    else {
      throw .unreadable(
        setting: "shadow", text: text,
        expected: "'X,Y RADIUS #RRGGBB[AA]', as in '0,8 24 #00000080', or "
          + names.joined(separator: ", "))
    }
    self.init(
      offsetX: x, offsetY: y, radius: radius, color: try Color(parsing: words[2], as: "shadow"))
    try check()
  }

  /// As it can be read again.
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
