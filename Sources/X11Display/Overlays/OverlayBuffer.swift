import Engine
import Raster

/// A buffer with the size of an overlay, whose pixels the server reads.
struct OverlayBuffer {
  private var store: PixelStore?
  /// The last request that reads the buffer; nil if none is in progress.
  private(set) var reader: XConnection.Sequence?

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

    /// The parts of a large frame, divided into bands of rows: the server shows a band while the next one is
    /// drawn. Nil for other frames.
    var bands: [Rect]? {
      if parts.reduce(0, { $0 + $1.area }) <= largePixelCount { return nil }
      return parts.flatMap { part in
        let height = max(1, (1 << 21) / part.width)
        return stride(from: 0, to: part.height, by: height).map { row in
          Rect(
            x: part.x, y: part.y + row, width: part.width, height: min(height, part.height - row))
        }
      }
    }

    /// The parts; as one rectangle if they fill one.
    var puts: [Rect] {
      let hull = parts.reduce(Rect.zero) { $0.hull($1) }
      return parts.reduce(0) { $0 + $1.area } == hull.area ? [hull] : parts
    }
  }

  mutating func discard(_ x: inout XConnection) {
    store?.release(&x)
    store = nil
    reader = nil
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
    if frame.parts.isEmpty { return }
    let rect = frame.rect
    if store == nil { store = memory.makeStore(&x, pixelCount: rect.area) }
    guard let segment else {
      for part in frame.parts { putPacked(&x, frame, part, draw) }
      return
    }
    let layout = PixelLayout(rect)
    if let bands = frame.bands {
      for band in bands {
        store?.withMutablePixels { draw(band, &$0, layout) }
        reader = x.putShared(
          segment, size: (rect.width, rect.height), part: band.translated(x: -rect.x, y: -rect.y),
          on: frame.canvas, announcesCompletion: announcesCompletion && band == bands.last)
        x.send()
      }
      return
    }
    store?.withMutablePixels { pixels in
      for part in frame.parts { draw(part, &pixels, layout) }
    }
    let puts = frame.puts
    for (i, part) in puts.enumerated() {
      reader = x.putShared(
        segment, size: (rect.width, rect.height), part: part.translated(x: -rect.x, y: -rect.y),
        on: frame.canvas, announcesCompletion: announcesCompletion && i == puts.count - 1)
    }
  }

  /// Sends a part through the socket. The pixels are copied at once, but the buffer is busy until
  /// the server has received them. This limits the rate on a slow connection.
  private mutating func putPacked(
    _ x: inout XConnection, _ frame: Frame, _ part: Rect,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    store?.withMutablePixels { pixels in draw(part, &pixels, PixelLayout(part)) }
    reader = store?.withPixels { pixels in
      x.putPacked(
        pixels.extracting(0..<part.area),
        part: part.translated(x: -frame.rect.x, y: -frame.rect.y), on: frame.canvas)
    }
  }
}
