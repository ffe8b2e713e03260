import Engine
import Raster

/// A buffer with the size of an overlay, whose pixels the server reads.
struct OverlayBuffer {
  private var store: PixelStore?
  /// The last request that reads the buffer; nil if none is in progress.
  private(set) var reader: XConnection.Sequence?
  /// Whether the last memory was too small.
  private var isGrowing = false

  var pixelCount: Int { store?.pixelCount ?? 0 }
  var segment: UInt32? { store?.segment }
  var isShared: Bool { store?.isShared ?? true }
  var isBusy: Bool { reader != nil }

  /// The pixels of one update of a window.
  struct Frame {
    /// The rectangle of the window on the screen.
    let rect: Rect
    let canvas: XConnection.Canvas
    /// The updated parts, disjoint, in the coordinates of the screen.
    let parts: [Rect]

    private var pixelCount: Int { parts.reduce(0) { $0 + $1.area } }

    /// Whether it is sent in bands of rows: the server shows a band while the next one is drawn.
    var isLarge: Bool { pixelCount > largePixelCount }

    /// The images in which it is sent. They follow each other in the buffer, because parts of a large window
    /// would be scattered over its memory. Parts that fill one rectangle are one image.
    var images: [Image] {
      if isLarge { return Image.sequence(of: parts.flatMap(bands(of:))) }
      let hull = parts.reduce(Rect.zero) { $0.hull($1) }
      if pixelCount < hull.area { return Image.sequence(of: parts) }
      return [Image(rect: hull, parts: parts, start: 0)]
    }

    private func bands(of part: Rect) -> [Rect] {
      let height = max(1, largePixelCount / part.width)
      return stride(from: part.y, to: part.maxY, by: height).map { y in
        Rect(part.columns, y..<min(y + height, part.maxY))
      }
    }
  }

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

  /// Whether it can hold the pixels of a window, without being much larger.
  private func fits(_ pixelCount: Int) -> Bool {
    self.pixelCount >= pixelCount && self.pixelCount / 2 <= pixelCount
  }

  /// Discards the memory if it does not fit a window of `pixelCount` pixels.
  mutating func discard(_ x: inout XConnection, unlessItFits pixelCount: Int) {
    if store == nil || fits(pixelCount) { return }
    let isTooSmall = self.pixelCount < pixelCount
    discard(&x)
    isGrowing = isTooSmall
  }

  /// Makes memory for a window of `pixelCount` pixels if there is none that fits. A window that grows gets
  /// more, because windows that move in from the edge of the screen grow with each frame. The kernel allocates
  /// no memory that is never written.
  private mutating func makeStore(
    _ x: inout XConnection, _ memory: inout PixelMemory, pixelCount: Int
  ) {
    discard(&x, unlessItFits: pixelCount)
    if store != nil { return }
    let spare = isGrowing ? pixelCount / 4 : 0
    store = memory.makeStore(&x, pixelCount: pixelCount + spare)
  }

  mutating func discard(_ x: inout XConnection) {
    store?.release(&x)
    store = nil
    reader = nil
    isGrowing = false
  }

  /// Records that the server has processed requests.
  mutating func noteProgress(_ x: borrowing XConnection) {
    if let reader, x.hasFinished(reader) { self.reader = nil }
  }

  /// Records that the server has read the buffer.
  mutating func noteCompletion() { reader = nil }

  /// Draws the parts and sends them to the window.
  mutating func put(
    _ x: inout XConnection, _ frame: Frame, announcesCompletion: Bool,
    _ memory: inout PixelMemory, _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    let images = frame.images
    if images.isEmpty { return }
    makeStore(&x, &memory, pixelCount: frame.rect.area)
    for (number, image) in images.enumerated() {
      store?.withMutablePixels(from: image.start, count: image.rect.area) { pixels in
        for part in image.parts { draw(part, &pixels, PixelLayout(image.rect)) }
        frame.canvas.format.compress(&pixels, of: image.rect)
      }
      send(
        image, &x, frame, announcesCompletion: announcesCompletion && number == images.count - 1)
    }
  }

  /// Sends an image that was drawn. Through the socket the pixels are copied at once, but the buffer is busy
  /// until the server has received them. This limits the rate on a slow connection.
  private mutating func send(
    _ image: Image, _ x: inout XConnection, _ frame: Frame, announcesCompletion: Bool
  ) {
    let part = image.rect.translated(x: -frame.rect.x, y: -frame.rect.y)
    if let segment {
      reader = x.putShared(
        segment, atByte: 4 * image.start, part: part, on: frame.canvas,
        announcesCompletion: announcesCompletion)
      if frame.isLarge { x.send() }
    } else {
      reader = store?.withPixels(from: image.start, count: part.area) { pixels in
        x.putPacked(pixels, part: part, on: frame.canvas)
      }
    }
  }
}
