import Raster
import TestSupport
import WaylandClient

@testable import WaylandDisplay

extension SharedBuffer {
  /// The picture of a whole output as it is seen, if the buffer has it turned by `transform`. All pixels are opaque.
  func seenPicture(_ transform: OutputTransform, isInverted: Bool) -> Bitmap {
    let part = CapturedPart(
      transform: transform, native: layout.bounds, stride: layout.stride, isInverted: isInverted)
    let size = transform.seenSize
    let bounds = Rect(x: 0, y: 0, width: size.width, height: size.height)
    var picture = Bitmap(width: size.width, height: size.height)
    var pixels = picture.pixels.mutableSpan
    withSpan { part.copy(bounds, from: $0, to: &pixels, PixelLayout(bounds)) }
    return Bitmap(
      width: size.width, height: size.height, pixels: picture.pixels.map { $0 | 0xff00_0000 })
  }
}
