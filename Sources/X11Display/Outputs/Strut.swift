import Raster

/// The space at the edges of the screen that a panel reserves (EWMH `_NET_WM_STRUT_PARTIAL` and `_NET_WM_STRUT`).
struct Strut: Equatable, Sendable {
  /// One edge: the reserved width from this edge of the screen, and the range of rows or columns along it.
  struct Edge: Equatable, Sendable {
    var width: Int
    var range: Range<Int>
  }

  var left, right, top, bottom: Edge

  /// The values of one of the two properties: 12 or 4. Returns nil for any other number, or if they reserve nothing.
  init?(_ values: [UInt32]) {
    let numbers = values.map { Int(min($0, UInt32(Int16.max))) }
    guard numbers.count == 12 || numbers.count == 4, numbers[0..<4].contains(where: { $0 > 0 })
    else { return nil }
    func edge(_ i: Int) -> Edge {
      let range =
        numbers.count == 4
        ? 0..<Int(Int16.max) : numbers[4 + 2 * i]..<max(numbers[4 + 2 * i], numbers[5 + 2 * i]) + 1
      return Edge(width: numbers[i], range: range)
    }
    (left, right, top, bottom) = (edge(0), edge(1), edge(2), edge(3))
  }
}

extension Rect {
  /// The part of an output that struts on a screen leave free. The widths of struts count from the edges of the screen, so a
  /// strut that would cover the whole output belongs to another output, and is ignored. If the struts together leave nothing
  /// free, returns the whole output.
  func workArea(on screen: Rect, _ struts: [Strut]) -> Rect {
    var (left, top, right, bottom) = (x, y, maxX, maxY)
    for strut in struts {
      if strut.left.range.overlaps(rows), case let end = screen.x + strut.left.width, end < maxX {
        left = max(left, end)
      }
      if strut.right.range.overlaps(rows), case let start = screen.maxX - strut.right.width,
        start > x
      {
        right = min(right, start)
      }
      if strut.top.range.overlaps(columns), case let end = screen.y + strut.top.width, end < maxY {
        top = max(top, end)
      }
      if strut.bottom.range.overlaps(columns), case let start = screen.maxY - strut.bottom.width,
        start > y
      {
        bottom = min(bottom, start)
      }
    }
    if left >= right || top >= bottom { return self }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
