/// Where the settings and elements of a configuration are in its text. libconfig tells lines only.
///
/// The text must be one that libconfig accepts: the scan skips the parts that are not requested and does not check them.
struct ConfigurationScan {
  private let text: [UInt8]
  private var index: Int
  private let end: Int

  /// A setting in a group.
  struct Member: Equatable {
    let name: String
    /// From the name to the semicolon or comma, if there is one.
    let range: Range<Int>
    let value: Range<Int>
  }

  /// An element of a list.
  struct Element: Equatable {
    let range: Range<Int>
    /// From its end to the comma after it; empty if there is none.
    let trail: Range<Int>
    /// The end of this comma.
    let end: Int
  }

  private init(_ text: [UInt8], in range: Range<Int>) {
    self.text = text
    (index, end) = (range.lowerBound, range.upperBound)
  }

  /// The settings of a file.
  static func members(of text: [UInt8]) -> [Member] {
    // A byte order mark belongs to no setting.
    members(in: (text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)..<text.count, of: text)
  }

  /// The settings of a group, whose range includes its braces.
  static func members(ofGroup group: Range<Int>, in text: [UInt8]) -> [Member] {
    members(in: group.lowerBound + 1..<group.upperBound - 1, of: text)
  }

  /// The elements of a list or an array, whose range includes its brackets.
  static func elements(ofList list: Range<Int>, in text: [UInt8]) -> [Element] {
    var scan = ConfigurationScan(text, in: list.lowerBound + 1..<list.upperBound - 1)
    var found: [Element] = []
    while scan.skipTrivia() {
      let range = scan.value()
      var (comma, end) = (range.upperBound, range.upperBound)
      if scan.skipTrivia(), scan.current == UInt8(ascii: ",") {
        comma = scan.index
        scan.index += 1
        end = scan.index
      }
      found.append(Element(range: range, trail: range.upperBound..<comma, end: end))
    }
    return found
  }

  private static func members(in range: Range<Int>, of text: [UInt8]) -> [Member] {
    var scan = ConfigurationScan(text, in: range)
    var found: [Member] = []
    while scan.skipTrivia() {
      let start = scan.index
      let name = scan.name()
      guard !name.isEmpty, scan.skipTrivia() else { break }
      // The sign of the assignment.
      scan.index += 1
      guard scan.skipTrivia() else { break }
      let value = scan.value()
      var last = value.upperBound
      if scan.skipTrivia(), [UInt8(ascii: ";"), UInt8(ascii: ",")].contains(scan.current) {
        scan.index += 1
        last = scan.index
      }
      found.append(Member(name: name, range: start..<last, value: value))
    }
    return found
  }

  private var current: UInt8 { text[index] }

  /// Skips white space, comments and includes. Returns whether something follows.
  private mutating func skipTrivia() -> Bool {
    while index < end {
      switch current {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0c:
        index += 1
      case UInt8(ascii: "#"), UInt8(ascii: "@"): skipLine()
      case UInt8(ascii: "/") where index + 1 < end && text[index + 1] == UInt8(ascii: "/"):
        skipLine()
      case UInt8(ascii: "/"):
        index += 2
        while index + 1 < end,
          text[index] != UInt8(ascii: "*") || text[index + 1] != UInt8(ascii: "/")
        {
          index += 1
        }
        index = min(index + 2, end)
      default: return true
      }
    }
    return false
  }

  private mutating func skipLine() {
    while index < end, current != UInt8(ascii: "\n") { index += 1 }
  }

  private mutating func name() -> String {
    let start = index
    while index < end, !Self.endsName(current) { index += 1 }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    " \t\n\r\u{0c}=:;,{}()[]\"#/".utf8.contains(byte)
  }

  /// Reads a value of any kind.
  private mutating func value() -> Range<Int> {
    let start = index
    switch current {
    case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): skipBrackets()
    case UInt8(ascii: "\""): skipStrings()
    default: _ = name()
    }
    // Nothing is shorter than a character.
    if index == start { index += 1 }
    return start..<index
  }

  private mutating func skipBrackets() {
    var depth = 0
    while skipTrivia() {
      switch current {
      case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        skipString()
        continue
      default: break
      }
      index += 1
      if depth == 0 { return }
    }
  }

  /// Adjacent strings are one.
  private mutating func skipStrings() {
    var last = index
    while index < end, current == UInt8(ascii: "\"") {
      skipString()
      last = index
      _ = skipTrivia()
    }
    index = last
  }

  private mutating func skipString() {
    index += 1
    while index < end, current != UInt8(ascii: "\"") {
      index += current == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index + 1, end)
  }
}
