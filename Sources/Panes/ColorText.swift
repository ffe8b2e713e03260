package import Frost

extension Color {
  /// Parses `#RRGGBB`, which is opaque, or `#RRGGBBAA`. Throws `unreadable` with the name
  /// `setting`.
  package init(parsing text: String, as setting: String) throws(PaneError) {
    let rgb = colorNumber(text, digits: 6)
    guard let bits = rgb.map({ $0 << 8 | 0xff }) ?? colorNumber(text, digits: 8) else {
      throw .unreadable(setting: setting, text: text, expected: "#RRGGBB or #RRGGBBAA")
    }
    func component(_ shift: UInt32) -> Double { Double(bits >> shift & 255) / 255 }
    self.init(
      red: component(24), green: component(16), blue: component(8), alpha: component(0))
  }

  /// The colour as `#RRGGBBAA`.
  package var text: String {
    let bytes = [red, green, blue, alpha].map { component in
      let hex = String(Int((component * 255).rounded()), radix: 16, uppercase: true)
      return hex.count == 1 ? "0" + hex : hex
    }
    return "#" + bytes.joined()
  }
}

extension Layer {
  /// Parses `MODE:#RRGGBB[AA]`. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    let modes = BlendMode.allCases.map(\.rawValue)
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let mode = BlendMode(rawValue: parts[0]) else {
      throw .unreadable(
        setting: "blend", text: text,
        expected: "MODE:#RRGGBB[AA], where MODE is \(modes.joined(separator: ", "))")
    }
    self.init(mode, try Color(parsing: parts[1], as: "blend"))
  }

  /// The text that `init(parsing:)` reads.
  package var text: String { "\(mode.rawValue):\(color.text)" }
}

/// The number in a text of `#` and so many hexadecimal digits, at most 8; nil if it is none.
func colorNumber(_ text: String, digits count: Int) -> UInt32? {
  let digits = text.utf8.dropFirst()
  guard text.utf8.first == UInt8(ascii: "#"), digits.count == count,
    digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
  else { return nil }
  return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
}

/// A colour 0xRRGGBB as `#RRGGBB`.
package func colorText(_ color: UInt32) -> String {
  let digits = String(color & 0xff_ffff, radix: 16, uppercase: true)
  return "#" + String(repeating: "0", count: 6 - digits.count) + digits
}
