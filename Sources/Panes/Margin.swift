package import Raster

/// The distances of a pane from the edges of its area, in pixels; negative if it may extend beyond them.
package struct Margin: Equatable, Sendable {
  package var top, right, bottom, left: Int

  package init(top: Int, right: Int, bottom: Int, left: Int) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }

  /// No distance.
  package static let none = Margin(top: 0, right: 0, bottom: 0, left: 0)

  /// The area inside the margin. Its width or height may be less than 0.
  package func reduced(_ area: Rect) -> Rect {
    Rect(
      x: area.x + left, y: area.y + top, width: area.width - left - right,
      height: area.height - top - bottom)
  }

  /// The area from which `reduced` makes this part.
  package func extended(_ part: Rect) -> Rect {
    Margin(top: -top, right: -right, bottom: -bottom, left: -left).reduced(part)
  }

  /// Parses one to four numbers of pixels, as CSS does: all edges; vertical and horizontal; top, horizontal and bottom;
  /// or top, right, bottom and left. Throws `unreadable` or `outOfRange`.
  package init(parsing text: String, setting: String = "margin") throws(PaneError) {
    let words = text.split(separator: " ")
    let numbers = words.compactMap { Int($0) }
    guard (1...4).contains(words.count), numbers.count == words.count else {
      throw .unreadable(
        setting: setting, text: text,
        expected: "one to four numbers of pixels: '10', '10 20', '10 20 0' or '10 20 0 20'")
    }
    guard numbers.allSatisfy(Geometry.offsetRange.contains) else {
      throw .outOfRange(setting: setting, text: text, expected: "distances from -32768 to 32767")
    }
    let (top, right) = (numbers[0], numbers.count > 1 ? numbers[1] : numbers[0])
    self.init(
      top: top, right: right, bottom: numbers.count > 2 ? numbers[2] : top,
      left: numbers.count > 3 ? numbers[3] : right)
  }

  /// The shortest text that `init(parsing:)` reads.
  package var text: String {
    if left != right { return "\(top) \(right) \(bottom) \(left)" }
    if top != bottom { return "\(top) \(right) \(bottom)" }
    return top == right ? "\(top)" : "\(top) \(right)"
  }
}
