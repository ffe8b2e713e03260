import Testing

@testable import X11Display

/// The round corners that programs paint into their windows.
@Suite struct RoundCornersTests {
  /// The alpha of the highest row of a window with round corners.
  private func row(radius: Int, width: Int = 300, alpha: UInt8 = 255) -> [UInt8] {
    (0..<width).map { x in
      let inset = min(x, width - 1 - x)
      if inset >= radius { return alpha }
      let (dx, dy) = (Double(radius - inset) - 0.5, Double(radius) - 0.5)
      let distance = (dx * dx + dy * dy).squareRoot()
      // One pixel of the edge is half covered.
      let cover = min(1, max(0, Double(radius) - distance + 0.5))
      return UInt8((cover * Double(alpha)).rounded())
    }
  }

  @Test(arguments: [6, 8, 12, 20, 32, 64, 100], [255, 128, 40] as [UInt8])
  func radiusIsFound(radius: Int, alpha: UInt8) throws {
    let found = try #require(cornerRadius(ofTopRow: row(radius: radius, alpha: alpha)))
    #expect(abs(found - radius) <= max(1, radius / 12), "\(found)")
  }

  @Test func otherRowsHaveNoRoundCorners() {
    let full = row(radius: 0)
    #expect(cornerRadius(ofTopRow: full) == nil)
    #expect(cornerRadius(ofTopRow: full.map { _ in 0 }) == nil)
    #expect(cornerRadius(ofTopRow: []) == nil)
    #expect(cornerRadius(ofTopRow: row(radius: 2)) == nil, "hardly seen")
    #expect(cornerRadius(ofTopRow: [UInt8](repeating: 0, count: 40) + full) == nil, "on one side")
    var gap = row(radius: 20)
    gap[150] = 0
    #expect(cornerRadius(ofTopRow: gap) == nil, "a gap in the middle")
  }
}
