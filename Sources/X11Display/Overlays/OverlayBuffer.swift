import Engine
import Raster

/// A buffer with the size of an overlay, whose pixels the server reads.
struct OverlayBuffer {
  private var store: PixelStore?
  private var reader = BufferReader()
  /// Whether the last memory was too small.
  private var isGrowing = false

  var pixelCount: Int { store?.pixelCount ?? 0 }
  var segment: UInt32? { store?.segment }
  var isShared: Bool { store?.isShared ?? true }
  var isBusy: Bool { reader.isReading }

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

  /// Makes memory for a window of `pixelCount` pixels if there is none that fits. Returns whether it is new. A window
  /// that grows gets more, because windows that move in from the edge of the screen grow with each frame. The
  /// kernel allocates no memory that is never written.
  mutating func makeStore(
    _ x: inout XConnection, _ memory: inout PixelMemory, pixelCount: Int
  ) -> Bool {
    discard(&x, unlessItFits: pixelCount)
    if store != nil { return false }
    let spare = isGrowing ? pixelCount / 4 : 0
    store = memory.makeStore(&x, pixelCount: pixelCount + spare)
    return true
  }

  mutating func discard(_ x: inout XConnection) {
    store?.release(&x)
    store = nil
    reader = BufferReader()
    isGrowing = false
  }

  /// Records that the server has processed requests.
  mutating func recordProgress(_ x: borrowing XConnection) {
    reader.recordProgress(to: x.processed)
  }

  /// Records that the server has read the buffer of a request, and so those of all earlier ones.
  mutating func recordCompletion(of request: RequestSequence) {
    reader.recordCompletion(of: request)
  }

  /// Calls `body` with the pixels of an image.
  func withMutablePixels(
    of image: OverlayUpdate.Image, _ body: (inout MutableSpan<UInt32>) -> Void
  ) {
    store?.withMutablePixels(from: image.start, count: image.rect.area, body)
  }

  /// Sends an image that was drawn to a window at `rect`. Through the socket the pixels are copied at once, but the
  /// buffer is busy until the server has received them. This limits the rate on a slow connection.
  mutating func send(
    _ image: OverlayUpdate.Image, _ x: inout XConnection, on canvas: XConnection.Canvas,
    at rect: Rect, announcesCompletion: Bool
  ) {
    let part = image.rect.translated(x: -rect.x, y: -rect.y)
    if let segment {
      reader.begin(
        x.putShared(
          segment, atByte: 4 * image.start, part: part, on: canvas,
          announcesCompletion: announcesCompletion))
    } else if let store {
      reader.begin(
        store.withPixels(from: image.start, count: part.area) { pixels in
          x.putPacked(pixels, part: part, on: canvas)
        })
    }
  }
}
