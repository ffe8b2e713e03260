/// A list of different small numbers in the order in which they were appended: a doubly linked list
/// in two arrays. All operations take amortised constant time. The memory is that of the largest
/// number.
struct LRUList {
  private static let none: Int32 = -1
  /// The neighbours of each number: `none` at an end of the list, `absent` if it is not in the
  /// list.
  private var next: [Int32] = []
  private var previous: [Int32] = []
  private var head = none
  private var tail = none
  private(set) var count = 0

  private static let absent: Int32 = -2

  /// The first number; nil if the list is empty.
  var oldest: Int? { head == Self.none ? nil : Int(head) }

  func contains(_ number: Int) -> Bool { number < next.count && next[number] != Self.absent }

  /// Appends a number from 0 on. Traps if it is in the list.
  mutating func append(_ number: Int) {
    precondition(!contains(number))
    while next.count <= number {
      next.append(Self.absent)
      previous.append(Self.absent)
    }
    let own = Int32(number)
    next[number] = Self.none
    previous[number] = tail
    if tail == Self.none { head = own } else { next[Int(tail)] = own }
    tail = own
    count += 1
  }

  /// Removes a number. Traps if it is not in the list.
  mutating func remove(_ number: Int) {
    precondition(contains(number))
    let (before, after) = (previous[number], next[number])
    if before == Self.none { head = after } else { next[Int(before)] = after }
    if after == Self.none { tail = before } else { previous[Int(after)] = before }
    next[number] = Self.absent
    previous[number] = Self.absent
    count -= 1
  }
}
