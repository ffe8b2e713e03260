import Control
import Glibc
import Linux
import Panes
import Pictures

/// The reason why a command failed: one line that names the error and the correction.
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

  /// Writes the line to the standard error.
  func report() { writeLine("backdropctl: \(text)") }
}

/// Writes a line about a place in a file, in the form of compilers.
func reportProblem(_ text: String) { writeLine(text) }

/// Writes a warning: the command succeeds, but its result may not be the expected one.
func warn(_ text: String) { writeLine("backdropctl: warning: \(text)") }

/// Writes what the user should know besides the result.
func inform(_ text: String) { writeLine("backdropctl: \(text)") }

/// Writes a line to the standard error. Quoted text cannot break it or control the terminal.
private func writeLine(_ text: String) {
  var bytes = Array("\(text.printable)\n".utf8)[...]
  while !bytes.isEmpty {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    if count <= 0 { return }
    bytes = bytes.dropFirst(count)
  }
}
