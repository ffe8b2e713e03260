/// How the bytes of a property that is a text are encoded.
enum TextEncoding: Sendable {
  /// `STRING`: ISO 8859-1 (ICCCM 2.7.1). Many clients write UTF-8 there, so what is UTF-8 is read as such.
  case string
  /// `UTF8_STRING`.
  case utf8
  /// `COMPOUND_TEXT`.
  case compound
}

extension TextEncoding {
  /// The most that is decoded, in bytes.
  private static var lengthLimit: Int { 1024 }

  /// The text of a property. Bytes that cannot be decoded are U+FFFD.
  func decoded(_ bytes: [UInt8]) -> String {
    let start = bytes.prefix(Self.lengthLimit)
    let whole = bytes.count > start.count ? start.dropLast(cutCharacterLength(start)) : start
    switch self {
    case .string: return String(validating: whole, as: UTF8.self) ?? latin1(start)
    case .utf8: return String(decoding: whole, as: UTF8.self)
    case .compound: return compoundText(start)
    }
  }

  /// The first two texts of a property, with a zero after each, and the rest.
  func decodedList(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map {
      decoded(Array($0))
    }
  }
}

private func latin1(_ bytes: ArraySlice<UInt8>) -> String {
  String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

/// The length of a character of UTF-8 at the end that is cut off; 0 if there is none.
private func cutCharacterLength(_ bytes: ArraySlice<UInt8>) -> Int {
  let tail = bytes.reversed().prefix { $0 & 0xC0 == 0x80 }.count
  guard let first = bytes.dropLast(tail).last, first >= 0xC0 else { return 0 }
  let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
  return tail + 1 < length ? tail + 1 : 0
}
