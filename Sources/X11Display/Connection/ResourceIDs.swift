/// The identifiers of new resources of a connection.
///
/// libxcb can make identifiers too, but it waits for the server when those of the connection are used up. This happens after some
/// days. So this type has the server asked for more identifiers before that.
struct ResourceIDs {
  /// The identifiers that have not been used, without the step.
  private var rest: Range<UInt32>
  /// The distance between two of them.
  private let step: UInt32
  /// The first one that was made since the server was asked for more.
  private var askedAt: UInt32?

  /// If fewer identifiers than this are left, the server is asked for more. It is more than the number that is made before the
  /// answer arrives.
  static let reserve = 1 << 14
  /// An upper limit of the number of resources that are made with one flush. When the server is asked, it does not know them yet.
  private static let unsentLimit: UInt32 = 1 << 12

  /// All identifiers of a connection. The bits of `mask` must follow each other.
  init(base: UInt32, mask: UInt32) {
    step = mask & (0 &- mask)
    rest = (base | step)..<(base | mask) &+ 1
  }

  /// Whether the server should be asked for more.
  var needsMore: Bool { askedAt == nil && rest.count / Int(step) < Self.reserve }

  mutating func recordQuestion() { askedAt = rest.lowerBound }

  /// Adds identifiers that no resource had when the server was asked: `count` from `start` on. Identifiers that were made
  /// since then may be among them.
  mutating func add(start: UInt32, count: UInt32) {
    guard let askedAt else { return }
    self.askedAt = nil
    let (end, hasOverflow) = start.addingReportingOverflow(count &* step)
    if hasOverflow || end < start { return }
    let (first, last) = (askedAt &- min(askedAt, Self.unsentLimit), rest.lowerBound)
    let below = start..<max(start, min(end, first))
    let above = max(start, last)..<max(start, last, end)
    let best = below.count > above.count ? below : above
    if best.count > rest.count { rest = best }
  }

  /// An identifier. If all are in use, the server will refuse it.
  mutating func next() -> UInt32 {
    let id = rest.lowerBound
    if rest.count > Int(step) { rest = (id + step)..<rest.upperBound }
    return id
  }
}
