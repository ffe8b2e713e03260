import TestSupport

/// A top-level window in the output of `xwininfo`.
struct ListedWindow {
  let id: UInt32
  let text: Substring
}

extension XServer {
  /// All top-level windows, the highest first.
  func topLevelWindows() throws -> [ListedWindow] {
    try run("xwininfo", ["-root", "-children"]).out.split(separator: "\n").compactMap { line in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("0x"), let word = text.split(separator: " ").first,
        let id = UInt32(word.dropFirst(2), radix: 16)
      else { return nil }
      return ListedWindow(id: id, text: text)
    }
  }

  /// The window of a pane; nil if it has none.
  func overlay(of pane: String) throws -> UInt32? {
    try topLevelWindows().first { $0.text.contains("\"backdropd \(pane)\"") }?.id
  }
}
