import CXCB

/// The value of a property, or its start.
struct PropertyValue: Equatable, Sendable {
  /// The atom of its type.
  var type: UInt32 = 0
  /// The values of 32 bits, if the property has such.
  var words: [UInt32] = []
  /// The values of 8 bits, if the property has such.
  var bytes: [UInt8] = []
  /// Whether nothing follows.
  var isWhole = true

  /// The bytes without the last line if that may be cut.
  var wholeLines: [UInt8] {
    isWhole ? bytes : Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0)])
  }
}

extension PropertyValue {
  /// Nil if there is no such property.
  init?(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) {
    guard let reply = unsafe reply, unsafe reply.pointee.type != 0 else { return nil }
    unsafe self.init(
      type: reply.pointee.type, words: propertyWords(reply), bytes: propertyBytes(reply),
      isWhole: reply.pointee.bytes_after == 0)
  }
}

/// All 32-bit values of a property.
func propertyWords(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> [UInt32] {
  guard let reply = unsafe reply, unsafe reply.pointee.format == 32,
    let value = unsafe xcb_get_property_value(reply)
  else { return [] }
  let count = unsafe Int(xcb_get_property_value_length(reply)) / 4
  return (0..<count).map {
    unsafe value.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
  }
}

/// The 8-bit values of a property.
func propertyBytes(_ reply: UnsafeMutablePointer<xcb_get_property_reply_t>?) -> [UInt8] {
  guard let reply = unsafe reply, unsafe reply.pointee.format == 8,
    let value = unsafe xcb_get_property_value(reply)
  else { return [] }
  let count = unsafe Int(xcb_get_property_value_length(reply))
  return unsafe Array(UnsafeRawBufferPointer(start: value, count: count))
}
