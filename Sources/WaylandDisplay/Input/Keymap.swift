/// The keys of a keyboard that mean Escape, from the text of its keymap (XKB, version 1).
///
/// Compositors write this text with libxkbcommon: all key codes, and then the symbols of the keys with all options applied.
/// Only one symbol is needed, so the declarations of this form are read here, and the library is not needed:
///
///     <ESC> = 9;
///     alias <MENU> = <COMP>;
///     key <CAPS> { [ Escape ] };
///     key <ESC> { type= "TWO_LEVEL", symbols[Group1]= [ Escape, NoSymbol ] };
struct Keymap: Equatable {
  /// Numbers of keys as in events: those of evdev.
  let escapeKeys: Set<Int>

  /// The key Escape of a keyboard without a keymap.
  static let standard = Keymap(escapeKeys: [1])

  init(escapeKeys: Set<Int>) { self.escapeKeys = escapeKeys }

  /// The first symbol of the first group of a key counts, as on an X server. If no key means Escape, the key of `standard` is
  /// used.
  init(parsing text: [UInt8]) {
    var codes: [ArraySlice<UInt8>: Int] = [:]
    var keys: Set<Int> = []
    var tokens = Tokens(text)
    var last = tokens.next()
    while let token = tokens.next() {
      defer { last = token }
      guard token.first == UInt8(ascii: "<") else { continue }
      if last?.elementsEqual("key".utf8) == true {
        guard let code = codes[token], tokens.firstSymbol().map(Self.isEscape) == true else {
          continue
        }
        keys.insert(code - Self.evdevOffset)
      } else if codes[token] == nil, last?.elementsEqual("alias".utf8) != true {
        // A declaration has a number, such as "= 9". Other uses of the name have none.
        var rest = tokens
        if rest.next()?.elementsEqual("=".utf8) == true, let number = rest.next(),
          let code = Int(String(decoding: number, as: UTF8.self))
        {
          codes[token] = code
        }
      }
    }
    escapeKeys = keys.isEmpty ? Self.standard.escapeKeys : keys
  }

  /// Key codes of X count from here.
  private static var evdevOffset: Int { 8 }

  private static func isEscape(_ symbol: ArraySlice<UInt8>) -> Bool {
    symbol.elementsEqual("Escape".utf8) || symbol.elementsEqual("0xff1b".utf8)
  }

  /// Words, names in angle brackets and single signs.
  private struct Tokens {
    private var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) { rest = text[...] }

    mutating func next() -> ArraySlice<UInt8>? {
      rest = rest.drop { $0 <= UInt8(ascii: " ") }
      guard let first = rest.first else { return nil }
      let end: Int
      switch first {
      case UInt8(ascii: "<"):
        end = rest.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? rest.endIndex
      case UInt8(ascii: "\""):
        end = rest.dropFirst().firstIndex(of: first).map { $0 + 1 } ?? rest.endIndex
      default:
        end = rest.firstIndex { !Self.isWord($0) } ?? rest.endIndex
      }
      let token = rest[rest.startIndex..<max(end, rest.startIndex + 1)]
      rest = rest[token.endIndex...]
      return token
    }

    /// The first symbol of the key whose name was read last; nil if it has none.
    mutating func firstSymbol() -> ArraySlice<UInt8>? {
      while let token = next(), token.first != UInt8(ascii: ";") {
        guard token.first == UInt8(ascii: "[") else { continue }
        // The first bracket of "symbols[Group1]= [ ... ]" is no list.
        let symbol = next()
        if symbol?.starts(with: "Group".utf8) != true { return symbol }
      }
      return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
