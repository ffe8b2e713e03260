import Glibc

/// A POSIX extended regular expression that is searched for in a text.
@safe package final class TextPattern: Sendable {
  /// The expression as it was written.
  package let text: String
  /// Of the C library, which allows several threads to use it at once.
  nonisolated(unsafe) private let compiled: UnsafeMutablePointer<regex_t>

  /// The longest expression, in bytes. Larger ones can take long to compile.
  package static let lengthLimit = 256

  /// Throws `unreadable` with the reason of the C library if the text is no expression.
  package init(parsing text: String, setting: String) throws(PaneError) {
    guard (1...Self.lengthLimit).contains(text.utf8.count), !text.utf8.contains(0) else {
      throw .unreadable(
        setting: setting, text: text,
        expected: "a regular expression of 1 to \(Self.lengthLimit) bytes")
    }
    self.text = text
    unsafe compiled = .allocate(capacity: 1)
    let code = unsafe regcomp(compiled, text, REG_EXTENDED | REG_NOSUB)
    if code == 0 { return }
    var reason = [CChar](repeating: 0, count: 128)
    unsafe regerror(code, compiled, &reason, reason.count)
    let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    unsafe compiled.deallocate()
    throw .unreadable(
      setting: setting, text: text,
      expected: "a regular expression (\(String(decoding: bytes, as: UTF8.self)))")
  }

  deinit {
    unsafe regfree(compiled)
    unsafe compiled.deallocate()
  }

  /// Whether the expression is found in a text.
  package func isFound(in text: String) -> Bool {
    unsafe regexec(compiled, text, 0, nil, 0) == 0
  }
}

extension TextPattern: Equatable {
  package static func == (one: TextPattern, other: TextPattern) -> Bool { one.text == other.text }
}
