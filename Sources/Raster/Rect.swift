/// A rectangle of whole pixels (or of grid cells): `x ..< x + width` by `y ..< y + height`.
///
/// A rectangle with a width or height of zero or less is empty. `==` compares the fields, so two
/// empty rectangles may differ.
package struct Rect: Hashable, Sendable {
  package var x, y, width, height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The rectangle of all pixels with a column in `columns` and a row in `rows`.
  package init(_ columns: Range<Int>, _ rows: Range<Int>) {
    self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// The empty rectangle at (0, 0).
  package static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  package var isEmpty: Bool { width <= 0 || height <= 0 }
  /// The number of pixels; 0 if the rectangle is empty.
  package var area: Int { isEmpty ? 0 : width * height }
  /// The first column after the rectangle.
  package var maxX: Int { x + width }
  /// The first row after the rectangle.
  package var maxY: Int { y + height }
  /// The columns; an empty range if the width is negative.
  package var columns: Range<Int> { x..<max(x, maxX) }
  /// The rows; an empty range if the height is negative.
  package var rows: Range<Int> { y..<max(y, maxY) }

  /// Whether every pixel of `other` is in this rectangle; true if `other` is empty.
  package func contains(_ other: Rect) -> Bool {
    other.isEmpty
      || x <= other.x && y <= other.y && other.maxX <= maxX && other.maxY <= maxY
  }

  /// Whether the pixel (x, y) is in this rectangle.
  package func contains(x px: Int, y py: Int) -> Bool {
    px >= x && px < maxX && py >= y && py < maxY
  }

  /// Whether the two rectangles share a pixel.
  package func intersects(_ other: Rect) -> Bool {
    max(x, other.x) < min(maxX, other.maxX) && max(y, other.y) < min(maxY, other.maxY)
  }

  /// The pixels that both rectangles cover; `.zero` if they share none.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right, top < bottom else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle that covers both. An empty rectangle is ignored.
  package func hull(_ other: Rect) -> Rect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Rect(
      min(x, other.x)..<max(maxX, other.maxX), min(y, other.y)..<max(maxY, other.maxY))
  }

  /// The rectangle moved right by `dx` and down by `dy` pixels.
  package func translated(x dx: Int, y dy: Int) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width, height: height)
  }

  /// The rectangle with `margin` pixels added on every side, or removed if `margin` is negative.
  /// Width and height do not fall below 0.
  package func grown(by margin: Int) -> Rect {
    Rect(
      x: x - margin, y: y - margin,
      width: max(0, width + 2 * margin), height: max(0, height + 2 * margin))
  }

  /// The pixels that are not in `hole`, as at most four disjoint rectangles, none of them empty.
  package func subtracting(_ hole: Rect) -> [Rect] {
    let cut = intersection(hole)
    if cut.isEmpty { return isEmpty ? [] : [self] }
    let pieces = [
      Rect(columns, y..<cut.y),
      Rect(x..<cut.x, cut.rows),
      Rect(cut.maxX..<maxX, cut.rows),
      Rect(columns, cut.maxY..<maxY),
    ]
    return pieces.filter { !$0.isEmpty }
  }
}

extension Rect: CustomStringConvertible {
  /// X geometry syntax, `400x300+760+390`.
  package var description: String {
    "\(width)x\(height)+\(x)+\(y)"
  }
}
