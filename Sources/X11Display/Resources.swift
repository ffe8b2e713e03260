import Panes

/// The scale factor of the display, in pixels per 1/96 inch: `Xft.dpi` / 96 from the resources of
/// the display, where desktops store it. `text` is in the format of `xrdb`; the last line with the
/// resource applies. Returns nil if there is none, or if the factor is outside 0.5 to 8.
func pixelScale(inResources text: [UInt8]) -> Double? {
  let value = text.split(separator: UInt8(ascii: "\n")).compactMap(dotsPerInch).last
  guard let value, let dots = Double(value) else { return nil }
  let scale = dots / 96
  return Output.scaleRange.contains(scale) ? scale : nil
}

/// The value of `Xft.dpi` in a line; nil if the line contains another resource.
private func dotsPerInch(_ line: ArraySlice<UInt8>) -> String? {
  let parts = line.split(
    separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false
  )
  .map(trimmed)
  return parts.count == 2 && parts[0] == "Xft.dpi" ? parts[1] : nil
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
  // Some programs end the property with a zero byte.
  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0 }
  let front = bytes.drop(while: isBlank)
  let end = front.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? front.startIndex
  return String(decoding: front[..<end], as: UTF8.self)
}
