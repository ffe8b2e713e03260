import Raster
import TestSupport

/// A top-level window in the output of `xwininfo`.
struct ListedWindow {
  let id: UInt32
  let text: Substring

  /// Its place on the screen, without the border; empty if the line has none.
  var rect: Rect {
    // Such as `0x400001 "title": ("instance" "class")  300x200+5+6  +12+34`.
    let words = text.split(separator: " ").suffix(2)
    guard let geometry = words.first, let place = words.last else { return .zero }
    let numbers = geometry.split { "x+-".contains($0) }
    let size = numbers.prefix(2).compactMap { Int($0) }
    // A negative place is written as `+-5`.
    let corner = place.dropFirst().split(separator: "+").compactMap { Int($0) }
    guard size.count == 2, corner.count == 2 else { return .zero }
    return Rect(x: corner[0], y: corner[1], width: size[0], height: size[1])
  }
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
  func overlay(of pane: String) throws -> UInt32? { try listedOverlay(of: pane)?.id }

  /// The same with its place.
  func listedOverlay(of pane: String) throws -> ListedWindow? {
    try topLevelWindows().first { $0.text.contains("\"backdropd \(pane)\"") }
  }
}
