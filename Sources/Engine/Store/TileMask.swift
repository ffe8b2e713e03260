import Frost

/// A set of cells of one tile of at most 32 x 32 cells, as one bit for each cell.
///
/// An inline array, because `~`, `==` and the setting of one element of a vector of this width
/// compile to loops through memory. Operations visit only the rows of a part, because most parts
/// have few rows.
struct TileMask {
  /// Bit x of element y is the cell in column x and row y.
  private var rows = InlineArray<32, UInt32>(repeating: 0)

  var isEmpty: Bool {
    var bits: UInt32 = 0
    for y in 0..<32 { bits |= rows[y] }
    return bits == 0
  }

  /// The cells of a row, as bits.
  subscript(row: Int) -> UInt32 { rows[row] }

  // MARK: Parts

  /// Inserts all cells of a part.
  mutating func insert(_ part: TilePart) {
    let bits = part.bits
    for y in part.rows { rows[y] |= bits }
  }

  /// Inserts the cells of a part that are in another set.
  mutating func insert(_ part: TilePart, in other: TileMask) {
    let bits = part.bits
    for y in part.rows { rows[y] |= bits & other.rows[y] }
  }

  /// Removes all cells of a part.
  mutating func subtract(_ part: TilePart) {
    let bits = part.bits
    for y in part.rows { rows[y] &= ~bits }
  }

  /// Removes the cells of a part that are not in another set.
  mutating func subtract(_ part: TilePart, notIn other: TileMask) {
    let bits = part.bits
    for y in part.rows { rows[y] &= ~bits | other.rows[y] }
  }

  /// Whether all cells of a part are in the set.
  func contains(_ part: TilePart) -> Bool {
    let bits = part.bits
    var missing: UInt32 = 0
    for y in part.rows { missing |= bits & ~rows[y] }
    return missing == 0
  }

  /// Whether a cell of a part is in the set, but not in another one.
  func intersects(_ part: TilePart, notIn other: TileMask) -> Bool {
    let bits = part.bits
    var found: UInt32 = 0
    for y in part.rows { found |= bits & rows[y] & ~other.rows[y] }
    return found != 0
  }
}

extension TilePart {
  /// The columns of the part, as the bits of a row.
  var bits: UInt32 {
    let row = columns.count >= 32 ? UInt32.max : (1 &<< UInt32(columns.count)) &- 1
    return row &<< UInt32(columns.lowerBound)
  }
}
