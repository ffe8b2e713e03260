@testable import Frost
import Raster

extension Content {
  /// The polarity of an item that is alone on its pane.
  func polarity(on glass: borrowing PictureGlass, last: Polarity?) -> Polarity {
    Contents([self]).polarity(of: glass.glass.pane, on: glass.glass, last: last)
  }
}

extension ContentState {
  /// Content with a given polarity on a pane whose glass shows a picture as it is. The picture has the size of the pane.
  init(
    _ items: [Content], _ polarity: Polarity, over picture: Bitmap, isOpaque: Bool = false,
    _ pane: Rect
  ) {
    self.init(Contents(items))
    var glass = PictureGlass(
      pane: pane, picture: pane, material: Material(sigma: 0, isDithered: false))
    glass.update(with: picture.pixels.span, PixelLayout(pane), isOpaque: isOpaque, damage: pane)
    _ = glass.settle()
    _ = adapt(to: polarity, glass.glass, changedIn: Region(pane), of: pane)
  }
}

extension Bitmap {
  /// The picture with content of a given polarity, as glass of a pane.
  func with(_ items: [Content], _ polarity: Polarity, _ pane: Rect) -> Bitmap {
    with(ContentState(items, polarity, over: self, pane), pane)
  }

  /// The picture with content, as glass of a pane.
  func with(_ content: ContentState, _ pane: Rect) -> Bitmap {
    var result = self
    var pixels = result.pixels.mutableSpan
    content.draw(pane, of: pane, over: &pixels, PixelLayout(pane))
    return result
  }
}
