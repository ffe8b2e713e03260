import Glibc

/// Decodes COMPOUND_TEXT ("Compound Text Encoding", X11). Text in an unknown character set is U+FFFD.
func compoundText(_ bytes: ArraySlice<UInt8>) -> String {
  var decoder = CompoundTextDecoder()
  decoder.decode(bytes)
  return decoder.text
}

private struct CompoundTextDecoder {
  var text = ""
  /// The sets of the bytes below and above 0x80.
  private var left = CharacterSet.ascii
  private var right = CharacterSet.latin1

  /// A set of the standard. Each is a part of an encoding that iconv(3) knows.
  private struct CharacterSet: Equatable {
    /// For iconv.
    var encoding: String
    /// Bytes per character.
    var width = 1
    /// The bytes before a character in the encoding.
    var prefix: [UInt8] = []
    /// Whether its bytes have their highest bit set in the encoding.
    var isHigh = true

    static let ascii = CharacterSet(encoding: "ASCII", isHigh: false)
    static let latin1 = CharacterSet(encoding: "ISO-8859-1")
  }

  mutating func decode(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let byte = rest.first {
      switch byte {
      case 0x1B: takeEscape(&rest)
      // The writing direction: 1], 2] or ].
      case 0x9B: rest = rest.dropFirst().drop { $0 == 0x31 || $0 == 0x32 }.dropFirst()
      case 0...0x20:
        text.unicodeScalars.append(Unicode.Scalar(byte))
        rest = rest.dropFirst()
      default:
        let isRight = byte >= 0x80
        let run = rest.prefix { $0 != 0x1B && $0 != 0x9B && $0 > 0x20 && ($0 >= 0x80) == isRight }
        append(run, isRight ? right : left)
        rest = rest.dropFirst(run.count)
      }
    }
  }

  private mutating func append(_ run: ArraySlice<UInt8>, _ set: CharacterSet) {
    var encoded: [UInt8] = []
    var rest = run
    while rest.count >= set.width {
      encoded += set.prefix + rest.prefix(set.width).map { set.isHigh ? $0 | 0x80 : $0 & 0x7F }
      rest = rest.dropFirst(set.width)
    }
    text += unicodeText(encoded, from: set.encoding) + (rest.isEmpty ? "" : "\u{FFFD}")
  }

  // MARK: Escape sequences

  private mutating func takeEscape(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.dropFirst()
    let intermediates = rest.prefix { 0x20...0x2F ~= $0 }
    rest = rest.dropFirst(intermediates.count)
    guard let final = rest.popFirst() else { return }
    switch String(decoding: intermediates, as: UTF8.self) {
    case "(": left = Self.set94(final)
    case ")": right = Self.set94(final)
    case "-": right = Self.set96(final)
    case "$", "$(": left = Self.set94x94(final)
    case "$)": right = Self.set94x94(final)
    case "%" where final == UInt8(ascii: "G"): takeUTF8(&rest)
    case "%/": takeExtendedSegment(&rest, width: final)
    default: break
    }
  }

  /// Up to ESC % @.
  private mutating func takeUTF8(_ rest: inout ArraySlice<UInt8>) {
    var end = rest.startIndex
    while end < rest.endIndex, !rest[end...].starts(with: [0x1B, 0x25, 0x40]) { end += 1 }
    text += String(decoding: rest[..<end], as: UTF8.self)
    rest = rest[end...].dropFirst(3)
  }

  /// Two bytes with the length, the name of an encoding, STX, and the text.
  private mutating func takeExtendedSegment(_ rest: inout ArraySlice<UInt8>, width: UInt8) {
    let digits = rest.prefix(2).map { Int($0 & 0x7F) }
    guard digits.count == 2 else { return rest = rest[rest.endIndex...] }
    let segment = rest.dropFirst(2).prefix(digits[0] * 128 + digits[1])
    rest = rest[segment.endIndex...]
    let name = String(decoding: segment.prefix { $0 != 2 }, as: UTF8.self).lowercased()
    let bytes = Array(segment.drop { $0 != 2 }.dropFirst())
    // Other names are not for iconv, because this text is not trusted.
    let encoding = Self.extendedEncodings.first { name == $0.name }?.encoding
    text += encoding.map { unicodeText(bytes, from: $0) } ?? "\u{FFFD}"
  }

  private static let extendedEncodings = [
    ("big5-0", "BIG5"), ("big5hkscs-0", "BIG5-HKSCS"), ("gbk-0", "GBK"), ("gb18030-0", "GB18030"),
    ("koi8-r", "KOI8-R"), ("koi8-u", "KOI8-U"), ("iso8859-15", "ISO-8859-15"),
    ("tis620-0", "TIS-620"), ("microsoft-cp1251", "CP1251"), ("microsoft-cp1255", "CP1255"),
    ("microsoft-cp1256", "CP1256"), ("georgian-academy", "GEORGIAN-ACADEMY"),
    ("georgian-ps", "GEORGIAN-PS"), ("tcvn-5712", "TCVN5712-1"),
  ].map { (name: $0.0, encoding: $0.1) }

  // MARK: Sets, by the final byte of their escape sequence

  private static func set94(_ final: UInt8) -> CharacterSet {
    switch final {
    case UInt8(ascii: "I"): CharacterSet(encoding: "SHIFT_JIS")
    case UInt8(ascii: "B"), UInt8(ascii: "J"): .ascii
    default: CharacterSet(encoding: "")
    }
  }

  private static func set96(_ final: UInt8) -> CharacterSet {
    let parts: [Character: Int] = [
      "A": 1, "B": 2, "C": 3, "D": 4, "F": 7, "G": 6, "H": 8, "L": 5, "M": 9, "T": 11, "V": 10,
      "Y": 13, "_": 14, "b": 15, "f": 16,
    ]
    let part = parts[Character(Unicode.Scalar(final))]
    return CharacterSet(encoding: part.map { "ISO-8859-\($0)" } ?? "")
  }

  private static func set94x94(_ final: UInt8) -> CharacterSet {
    switch final {
    case UInt8(ascii: "A"): CharacterSet(encoding: "GB2312", width: 2)
    case UInt8(ascii: "B"), UInt8(ascii: "@"): CharacterSet(encoding: "EUC-JP", width: 2)
    case UInt8(ascii: "C"): CharacterSet(encoding: "EUC-KR", width: 2)
    case UInt8(ascii: "D"): CharacterSet(encoding: "EUC-JP", width: 2, prefix: [0x8F])
    // The planes of CNS 11643.
    case UInt8(ascii: "G")...UInt8(ascii: "M"):
      CharacterSet(encoding: "EUC-TW", width: 2, prefix: [0x8E, 0xA1 + final - UInt8(ascii: "G")])
    default: CharacterSet(encoding: "", width: 2)
    }
  }
}

/// The text of bytes in an encoding of iconv(3); U+FFFD for what is none in it.
private func unicodeText(_ bytes: [UInt8], from encoding: String) -> String {
  if encoding == "ISO-8859-1" || encoding == "ASCII" {
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
  if encoding.isEmpty { return "\u{FFFD}" }
  let converter = unsafe iconv_open("UTF-8", encoding)
  // It returns -1 as a pointer.
  guard Int(bitPattern: converter) != -1 else { return "\u{FFFD}" }
  defer { unsafe iconv_close(converter) }
  var input = bytes.map { CChar(bitPattern: $0) }
  // No character of these encodings needs more than 4 bytes of UTF-8, but some give two.
  var output = [CChar](repeating: 0, count: 8 * bytes.count + 8)
  var result: [UInt8] = []
  unsafe input.withUnsafeMutableBufferPointer { input in
    unsafe output.withUnsafeMutableBufferPointer { output in
      var (from, fromCount) = (input.baseAddress, input.count)
      while fromCount > 0 {
        var (to, toCount) = (output.baseAddress, output.count)
        let isDone = unsafe iconv(converter, &from, &fromCount, &to, &toCount) != -1
        result += unsafe output.prefix(output.count - toCount).map { UInt8(bitPattern: $0) }
        if isDone || fromCount == 0 { break }
        result += "\u{FFFD}".utf8
        unsafe from = from.map { unsafe $0 + 1 }
        fromCount -= 1
      }
    }
  }
  return String(decoding: result, as: UTF8.self)
}
