@testable import Frost
import Raster

// One piece of content, as if there were nothing else on its pane.
extension Content {
  func polarity(on glass: borrowing Glass, last: Polarity?) -> Polarity {
    Contents([self]).polarity(of: 0, of: glass.pane, on: glass, last: last)
  }

  func draw(
    _ target: Rect, of pane: Rect, _ polarity: Polarity, presence: Double = 1,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    Contents([self]).draw(target, of: pane, [polarity], presence: presence, over: &pixels, layout)
  }
}

extension Contents {
  /// All of it of one polarity.
  func draw(
    _ target: Rect, of pane: Rect, all polarity: Polarity,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    draw(
      target, of: pane, Array(repeating: polarity, count: groupCount), over: &pixels, layout)
  }
}
