import Control
import Glibc
import Panes
import Pictures

/// Why a command cannot do what it was asked: one line that also says what would be right.
struct Failure: Error {
  let kind: FailureKind
  let text: String

  init(_ kind: FailureKind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  init(_ error: PaneError) { self.init(.usage, "\(error)") }
  init(_ error: ControlError) { self.init(error.kind, "\(error)") }

  init(_ error: PictureError) {
    self.init(error == .noFonts ? .configuration : .usage, "\(error)")
  }

  /// Writes it to the standard error.
  func report() { writeLine(text) }
}

/// Tells of something that is done, though not as was meant.
func warn(_ text: String) { writeLine("warning: \(text)") }

/// Writes to the standard error. What a line quotes must not break it, nor move a terminal's cursor.
private func writeLine(_ text: String) {
  let line = text.unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control ? "?" : Character(scalar)
  }
  var bytes = Array("backdropctl: \(String(line))\n".utf8)[...]
  while !bytes.isEmpty {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    if count <= 0 { return }
    bytes = bytes.dropFirst(count)
  }
}
