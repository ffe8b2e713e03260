package import Frost

/// A named material that a user selected, with a colour if it takes one: `regular-dark`, `tint
/// #C02060`, `acrylic #2030A0C0`.
package struct MaterialChoice: Equatable, Sendable {
  /// The named material.
  package let named: NamedMaterial
  /// The material with the colour applied.
  package let material: Material
  /// The text that `init(parsing:)` reads.
  package let text: String

  /// Parses a name, or a name and a colour separated by a space or a colon. Throws
  /// `unknownMaterial`, or `unreadable` if a colour is missing, invalid or not allowed.
  package init(parsing text: String) throws(PaneError) {
    let parts = text.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == ":" })
    let name = parts.first.map(String.init) ?? ""
    guard let named = NamedMaterial.all.first(where: { $0.name == name }) else {
      throw .unknownMaterial(name, nearest: name.nearest(in: NamedMaterial.all.map(\.name)))
    }
    self.named = named
    if parts.count == 2 {
      guard named.takesColor else {
        throw .unreadable(
          setting: "material", text: text, expected: "'\(name)' without a colour")
      }
      let color = try Color(parsing: String(parts[1]), as: "material")
      material = named.material(in: color, hasOpacity: parts[1].utf8.count == 9)
      self.text = "\(name) \(parts[1])"
    } else {
      guard let standard = named.standard else {
        throw .unreadable(
          setting: "material", text: text, expected: "a colour, such as '\(name) #C02060'")
      }
      material = standard
      self.text = name
    }
  }
}
