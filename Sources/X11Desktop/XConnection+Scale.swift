import CXCB
import Glibc

extension XConnection {
  /// How many pixels the user wants for 1/96 inch: what `Xft.dpi` says among the resources of the
  /// display, where desktops leave it for programs of every kind.
  var scale: Double { pixelScale(inResources: resources) }

  /// Lines of text; the first 64 KiB of them, and no line in part.
  private var resources: [UInt8] {
    let words: UInt32 = 16384
    let reply = unsafe xcb_get_property_reply(
      raw,
      xcb_get_property(
        raw, 0, root, XCB_ATOM_RESOURCE_MANAGER.rawValue, XCB_GET_PROPERTY_TYPE_ANY.rawValue, 0,
        words), nil)
    defer { unsafe free(reply) }
    guard let reply = unsafe reply, unsafe reply.pointee.format == 8,
      let value = unsafe xcb_get_property_value(reply)
    else { return [] }
    let count = unsafe Int(xcb_get_property_value_length(reply))
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: value, count: count))
    let isWhole = unsafe reply.pointee.bytes_after == 0
    return isWhole ? bytes : Array(bytes[..<(bytes.lastIndex(of: newline) ?? 0)])
  }
}

private let newline = UInt8(ascii: "\n")

/// The scale in resources as `xrdb` writes them: of several lines the last one counts. 1 when there is
/// none, and when it says nothing that a screen could have.
func pixelScale(inResources text: [UInt8]) -> Double {
  let value = text.split(separator: newline).compactMap(dotsPerInch).last
  guard let value, let dots = Double(value) else { return 1 }
  let scale = dots / 96
  return (0.5...8).contains(scale) ? scale : 1
}

/// What a line says of `Xft.dpi`; nil when it is about something else.
private func dotsPerInch(_ line: ArraySlice<UInt8>) -> String? {
  let parts = line.split(
    separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false
  )
  .map(trimmed)
  return parts.count == 2 && parts[0] == "Xft.dpi" ? parts[1] : nil
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
  // Some end the property with a zero, as a string of C.
  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0 }
  let front = bytes.drop(while: isBlank)
  let end = front.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? front.startIndex
  return String(decoding: front[..<end], as: UTF8.self)
}
