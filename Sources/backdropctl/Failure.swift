import Control
import Glibc
import Panes

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

  /// Writes it to the standard error. What it quotes must not break the line, nor move a terminal's
  /// cursor.
  func report() {
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
}
