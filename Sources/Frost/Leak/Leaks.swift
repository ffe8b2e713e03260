/// The leaks of eight pixels of a row, or of one.
struct Leaks {
  /// Bits that are set where a leak is not that of the backdrop.
  private let differences: Lanes
  /// Has the highest bit of a lane where a leak is negative or larger than its share.
  private let outside: Lanes
  /// The share of each pixel, in both of its lanes.
  private let shares: Lanes
  private let count: Int

  /// If `count` is 1, all eight pixels are that one.
  @inline(__always)
  init(
    screen: SIMD8<UInt32>, overlay: SIMD8<UInt32>, backdrop: SIMD8<UInt32>, count: Int = 8
  ) {
    self.count = count
    let shares = 255 &- alphas(of: unsafe unsafeBitCast(overlay, to: Lanes.self))
    let even = Self.even(screen) &- Self.even(overlay)
    let odd = Self.odd(screen) &- Self.odd(overlay)
    differences =
      (leak(shares, of: Self.even(backdrop)) ^ even)
      | (leak(shares, of: Self.odd(backdrop)) ^ odd)
    outside = even | (shares &- even) | odd | (shares &- odd)
    self.shares = shares
  }

  /// Blue and red.
  @inline(__always)
  private static func even(_ pixels: SIMD8<UInt32>) -> Lanes {
    unsafe unsafeBitCast(pixels & 0x00ff_00ff, to: Lanes.self)
  }

  /// Green and 0.
  @inline(__always)
  private static func odd(_ pixels: SIMD8<UInt32>) -> Lanes {
    unsafe unsafeBitCast(pixels &>> 8 & 0xff, to: Lanes.self)
  }

  /// Whether all leaks are those of the backdrop.
  @inline(__always)
  var isSame: Bool { union(differences) == 0 }

  /// Whether a leak is not that of the backdrop, where the overlay is not opaque and nothing else is above it.
  @inline(__always)
  var isChanged: Bool {
    let isUsable = union(outside | (shares &- 1)) & 0x8000_8000_8000_8000 == 0
    return isUsable ? union(differences) != 0 : isAnyUsableChanged
  }

  @inline(never)
  private var isAnyUsableChanged: Bool {
    stride(from: 0, to: 2 * count, by: 2).contains { i in
      let isOutside = (outside[i] | outside[i + 1]) & 0x8000 != 0
      let isChanged = differences[i] | differences[i + 1] != 0
      return shares[i] != 0 && !isOutside && isChanged
    }
  }
}

/// The bits that are set in any four lanes. Unlike `any` and `all` of masks it needs no loop.
@inline(__always)
private func union(_ lanes: Lanes) -> UInt64 {
  let words = unsafe unsafeBitCast(lanes, to: SIMD4<UInt64>.self)
  let half = words.lowHalf | words.highHalf
  return half[0] | half[1]
}
