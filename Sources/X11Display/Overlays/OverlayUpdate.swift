import Engine
import Raster

/// An update of an overlay in progress: new pixels that are drawn into one of its buffers, band by band, and the
/// images in which they are sent.
struct OverlayUpdate {
  let overlay: OverlayID
  let state: OverlayState
  /// The client that the overlay covers; nil if it does not belong over one, or if the client is gone.
  let client: ShownClient?
  /// The updated parts, disjoint, in the coordinates of the screen.
  let parts: [Rect]
  /// The images follow each other in the buffer, because parts of a large window would be scattered over its
  /// memory. Parts that fill one rectangle are one image.
  let images: [Image]
  /// Whether each image is sent when it is drawn: the server shows a band of rows while the next one is drawn.
  /// Otherwise all are sent together.
  let isLarge: Bool
  /// Whether it is drawn into the second buffer.
  let usesSecondBuffer: Bool
  /// Whether the window has the new state.
  var isShown = false
  /// The next band: the number of its image, and of its part in the image, and its first row in the part.
  private var image = 0
  private var part = 0
  private var row = 0

  /// Pixels that are sent with one request.
  struct Image {
    /// The rectangle on the screen.
    let rect: Rect
    /// The parts that fill it.
    let parts: [Rect]
    /// The index of its first pixel in the buffer.
    let start: Int

    /// One image for each part, in order.
    static func sequence(of parts: [Rect]) -> [Image] {
      var start = 0
      return parts.map { part in
        defer { start += part.area }
        return Image(rect: part, parts: [part], start: start)
      }
    }
  }

  init(
    _ overlay: OverlayID, _ state: OverlayState, over client: ShownClient? = nil, _ parts: [Rect],
    usesSecondBuffer: Bool
  ) {
    self.overlay = overlay
    self.state = state
    self.client = client
    self.parts = parts
    self.usesSecondBuffer = usesSecondBuffer
    let pixelCount = parts.reduce(0) { $0 + $1.area }
    let hull = parts.reduce(Rect.zero) { $0.hull($1) }
    isLarge = pixelCount > largePixelCount
    if isLarge {
      images = Image.sequence(of: parts.flatMap { $0.bands(ofPixels: largePixelCount) })
    } else if pixelCount < hull.area {
      images = Image.sequence(of: parts)
    } else {
      images = parts.isEmpty ? [] : [Image(rect: hull, parts: parts, start: 0)]
    }
  }

  /// Whether all bands were drawn.
  var isDrawn: Bool { image == images.count }

  /// Starts again with the first band.
  mutating func restart() { (image, part, row) = (0, 0, 0) }

  /// The next band of at most `pixelCount` pixels, or one row, with its image, and whether it is the last of the
  /// image. Must not be called when all bands were drawn.
  mutating func takeBand(ofPixels pixelCount: Int) -> (image: Image, band: Rect, isLast: Bool) {
    let (current, rect) = (images[image], images[image].parts[part])
    let first = rect.y + row
    let end = min(first + max(1, pixelCount / rect.width), rect.maxY)
    row = end - rect.y
    if end == rect.maxY { (part, row) = (part + 1, 0) }
    let isLast = part == current.parts.count
    if isLast { (image, part) = (image + 1, 0) }
    return (current, Rect(rect.columns, first..<end), isLast)
  }
}

extension Rect {
  /// Bands of rows of at most `pixelCount` pixels, or of one row.
  fileprivate func bands(ofPixels pixelCount: Int) -> [Rect] {
    let height = max(1, pixelCount / width)
    return stride(from: y, to: maxY, by: height).map { y in
      Rect(columns, y..<min(y + height, maxY))
    }
  }
}
