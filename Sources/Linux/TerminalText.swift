import CLinux
import Glibc

// Text from outside, such as the title of a window, must neither control a terminal nor break a line or a column.

extension Unicode.Scalar {
  /// Whether a terminal shows it and does nothing else: it is no control character, separates no lines and does not change the
  /// direction of what follows.
  package var isPrintable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}

extension Unicode.Scalar {
  /// Whether `printable` leaves it as it is.
  package var isPrintedUnchanged: Bool { isPrintable && systemByte == nil }
}

extension String {
  /// The text for a terminal or a log, in one line. Characters that are not printable become `?`, and bytes that are not UTF-8
  /// are written as `\xE9`.
  package var printable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let byte = scalar.systemByte {
        result.append(contentsOf: "\\x\(String(byte, radix: 16, uppercase: true))".unicodeScalars)
      } else {
        result.append(scalar.isPrintable ? scalar : "?")
      }
    }
    return String(result)
  }

  /// The longest start that takes at most so many cells of a terminal.
  package func prefix(cells limit: Int) -> String {
    var count = 0
    return String(
      prefix { character in
        count += cellWidth(of: character)
        return count <= limit
      })
  }

  /// The text with spaces at its end, so that it takes at least so many cells of a terminal.
  package func padded(toCells count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - cellCount))
  }
}

extension StringProtocol {
  /// The number of cells that a terminal needs for a printable text: 2 for a wide character, such as one of Chinese.
  package var cellCount: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + cellWidth(of: $1) }
  }
}

private func cellWidth(of character: Character) -> Int {
  let scalars = character.unicodeScalars
  // An emoji of several characters, such as a flag, takes the cells of one.
  if scalars.contains(where: { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }) { return 2 }
  return scalars.reduce(0) { $0 + cellWidth(of: $1) }
}

/// The width is from the table of libc, whatever the locale of the process is. A character that it does not know takes 1.
private func cellWidth(of scalar: Unicode.Scalar) -> Int {
  if scalar.value < 0x7F { return 1 }
  let former = unsafe unicodeLocale.flatMap { unsafe uselocale($0) }
  defer { unsafe _ = former.map { unsafe uselocale($0) } }
  let width = wcwidth(wchar_t(bitPattern: scalar.value))
  return width < 0 ? 1 : Int(width)
}

/// Made once and never changed.
nonisolated(unsafe) private let unicodeLocale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
