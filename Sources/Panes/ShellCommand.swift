/// A command for `/bin/sh -c`.
package struct ShellCommand: Hashable, Sendable {
  package let text: String

  /// The largest length in bytes.
  package static let lengthLimit = 4096

  /// Throws `unreadable` if it is empty or contains the null character, or `outOfRange` if it is too long.
  package init(parsing text: String, setting: String) throws(PaneError) {
    let length = text.utf8.count
    guard text.contains(where: { !$0.isWhitespace }), !text.utf8.contains(0) else {
      throw .unreadable(
        setting: setting, text: text, expected: "a command of the shell, such as 'xterm &'")
    }
    guard length <= Self.lengthLimit else {
      throw .outOfRange(
        setting: setting, text: "a command of \(length) bytes",
        expected: "at most \(Self.lengthLimit) bytes")
    }
    self.text = text
  }
}
