/// A rectangle of whole pixels (or of grid cells): `x ..< x + width` by `y ..< y + height`.
///
/// A rectangle without area is empty wherever it lies; `==` still tells two empty ones apart.
package struct Rect: Hashable, Sendable {
  package var x, y, width, height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The product of two half-open ranges.
  package init(_ columns: Range<Int>, _ rows: Range<Int>) {
    self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  package static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  package var isEmpty: Bool { width <= 0 || height <= 0 }
  package var area: Int { isEmpty ? 0 : width * height }
  package var maxX: Int { x + width }
  package var maxY: Int { y + height }
  package var columns: Range<Int> { x..<max(x, maxX) }
  package var rows: Range<Int> { y..<max(y, maxY) }

  package func contains(_ other: Rect) -> Bool {
    other.isEmpty
      || x <= other.x && y <= other.y && other.maxX <= maxX && other.maxY <= maxY
  }

  package func contains(x px: Int, y py: Int) -> Bool {
    px >= x && px < maxX && py >= y && py < maxY
  }

  package func intersects(_ other: Rect) -> Bool { !intersection(other).isEmpty }

  /// What both cover; `.zero` when they share no pixel.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right, top < bottom else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle that covers both; an empty one adds nothing.
  package func hull(_ other: Rect) -> Rect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Rect(
      min(x, other.x)..<max(maxX, other.maxX), min(y, other.y)..<max(maxY, other.maxY))
  }

  package func translated(x dx: Int, y dy: Int) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width, height: height)
  }

  /// Grown on every side by `margin` pixels; shrunk when it is negative.
  package func grown(by margin: Int) -> Rect {
    Rect(
      x: x - margin, y: y - margin,
      width: max(0, width + 2 * margin), height: max(0, height + 2 * margin))
  }

  /// Up to four rectangles, disjoint, that together are `self` without `hole`.
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
    "\(width)x\(height)\(x < 0 ? "" : "+")\(x)\(y < 0 ? "" : "+")\(y)"
  }
}
