/// The value of a property `_XSETTINGS_SETTINGS` with some texts and a scale of windows, in the order of bytes of this
/// machine or the other.
package func settingsBytes(
  _ texts: [(name: String, text: String)], scale: Int? = nil, isLittleEndian: Bool = true
) -> [UInt8] {
  func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    return isLittleEndian ? bytes : bytes.reversed()
  }
  func padded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
  // A number and a colour, which programs also set.
  let others: [[UInt8]] = [
    [0, 0] + number(7, 2) + padded("Xft/DPI") + number(1, 4) + number(98304, 4),
    [2, 0] + number(5, 2) + padded("Color") + number(1, 4) + number(7, 8),
  ]
  let factor = scale.map {
    [0, 0] + number(23, 2) + padded("Gdk/WindowScalingFactor") + number(1, 4) + number($0, 4)
  }
  let all =
    others + [factor].compactMap(\.self)
    + texts.map { name, text in
      [1, 0] + number(name.utf8.count, 2) + padded(name) + number(1, 4)
        + number(text.utf8.count, 4) + padded(text)
    }
  return [isLittleEndian ? 0 : 1, 0, 0, 0] + number(9, 4) + number(all.count, 4) + all.joined()
}
