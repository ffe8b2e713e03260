@testable import Frost
import Raster

// Operations on one content item that is alone on its pane.
extension Content {
  func polarity(on glass: borrowing PictureGlass, last: Polarity?) -> Polarity {
    Contents([self]).polarity(of: 0, of: glass.glass.pane, on: glass.glass, last: last)
  }

  func draw(
    _ target: Rect, of pane: Rect, _ polarity: Polarity,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    Contents([self]).draw(target, of: pane, [polarity], over: &pixels, layout)
  }
}

extension Contents {
  /// Draws all groups with one polarity.
  func draw(
    _ target: Rect, of pane: Rect, all polarity: Polarity,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    draw(
      target, of: pane, Array(repeating: polarity, count: groupCount), over: &pixels, layout)
  }
}
