/// What the alpha of some pixels of a window tells.
struct PaintedAlpha: Equatable {
  /// The alpha of its background, 1 to 255; nil if all pixels are free.
  let background: UInt8?
  /// Whether hardly any of the pixels that are painted is translucent.
  let isOpaque: Bool
  /// Whether parts are free: round corners, or the gaps between the parts of a panel.
  let hasGaps: Bool

  /// What was not read counts as translucent.
  static let unknown = PaintedAlpha(background: nil, isOpaque: false, hasGaps: false)

  private init(background: UInt8?, isOpaque: Bool, hasGaps: Bool) {
    (self.background, self.isOpaque, self.hasGaps) = (background, isOpaque, hasGaps)
  }

  /// `counts` are the numbers of pixels with each alpha, 0 to 255.
  init(_ counts: AlphaCounts) {
    let painted = counts.total - counts[0]
    // The text and the antialiased edges of a window have other alphas than its background, but few pixels each.
    let background = (1...255).first { painted > 0 && counts[$0] * 20 >= painted }.map { UInt8($0) }
    self.background = background
    isOpaque = painted > 0 && (painted - counts[255]) * 100 <= painted
    let free = counts.sum(below: (Int(background ?? 0) + 1) / 2)
    // A terminal with a clear background paints its text alone, and has glass everywhere.
    hasGaps = free > 0 && counts[0] * 4 <= counts.total * 3
  }
}

/// The numbers of pixels with each alpha.
struct AlphaCounts: Equatable {
  private var counts = [Int](repeating: 0, count: 256)
  private(set) var total = 0

  init() {}

  subscript(alpha: Int) -> Int { counts[alpha] }

  /// The number of pixels whose alpha is less than a limit.
  func sum(below limit: Int) -> Int { counts[..<limit].reduce(0, +) }

  mutating func add(_ alpha: UInt8, times count: Int = 1) {
    counts[Int(alpha)] += count
    total += count
  }

  mutating func add(_ other: AlphaCounts) {
    for alpha in counts.indices { counts[alpha] += other.counts[alpha] }
    total += other.total
  }
}
