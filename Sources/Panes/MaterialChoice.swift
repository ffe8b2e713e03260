package import Frost

/// A named material, in a colour where it takes one, as a user asks for it: `regular-dark`, `tint
/// #C02060`, `acrylic #2030A0C0`.
package struct MaterialChoice: Equatable, Sendable {
  package let named: NamedMaterial
  package let material: Material
  /// As it can be read again.
  package let text: String

  /// The name and the colour stand apart, by a space or a colon.
  package init(parsing text: String) throws(PaneError) {
    let parts = text.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == ":" })
    let name = parts.first.map(String.init) ?? ""
    guard let named = NamedMaterial.all.first(where: { $0.name == name }) else {
      throw .unknownMaterial(name, nearest: name.nearest(among: NamedMaterial.all.map(\.name)))
    }
    self.named = named
    if parts.count == 2 {
      guard named.takesColor else {
        throw .unreadable(
          setting: "material", text: text, expected: "'\(name)' alone: it has no other colour")
      }
      let color = try Color(parsing: String(parts[1]), as: "material")
      material = named.material(in: color, hasOpacity: parts[1].utf8.count == 9)
      self.text = "\(name) \(parts[1])"
    } else {
      guard let standard = named.standard else {
        throw .unreadable(
          setting: "material", text: text, expected: "a colour, as in '\(name) #C02060'")
      }
      material = standard
      self.text = name
    }
  }
}
