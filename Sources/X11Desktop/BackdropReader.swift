import CXCB
import Desktop
import Raster

/// Reads backdrops: asks for every part of every rectangle before it waits for the first one, and puts
/// parts together only where more than one window shows.
struct BackdropReader {
  private var store: PixelStore?
  private var composed: [UInt32] = []
  private(set) var bytesRead = 0

  var isShared: Bool { store?.isShared ?? true }
  var bufferBytes: Int { 4 * ((store?.pixelCount ?? 0) + composed.count) }

  /// A part of a backdrop on its way.
  private struct Piece {
    var layer: WindowStack.Layer
    /// In screen coordinates.
    var layout: PixelLayout
    /// Where in the store its pixels go.
    var index: Int
    var image: XConnection.PendingImage?

    var range: Range<Int> { index..<index + layout.pixelCount }
  }

  /// What could not be read.
  struct Gaps {
    /// The rectangles that were left out, by their index.
    var rects: [Int] = []
    /// The windows that gave no picture.
    var windows: [UInt32] = []
  }

  mutating func discard(_ x: borrowing XConnection) {
    store?.release(x)
    store = nil
    composed = []
  }

  /// Calls `body` for each rectangle whose parts all came. `wallpaper` is the window below all; without
  /// a stack it is all that is read.
  mutating func read(
    _ x: borrowing XConnection, _ stack: WindowStack?, wallpaper: UInt32, _ rects: [Rect],
    _ memory: inout PixelMemory,
    _ body: (Int, Span<UInt32>, PixelLayout) -> Void
  ) throws(DesktopError) -> Gaps {
    var count = 0
    var plans = rects.map { rect in
      (stack?.layers(in: rect) ?? [.wallpaper(in: Region(rect))]).map { layer in
        let layout = PixelLayout(layer.region.bounds)
        defer { count += layout.pixelCount }
        return Piece(layer: layer, layout: layout, index: count)
      }
    }
    reserve(x, count, &memory)
    for i in plans.indices {
      for j in plans[i].indices { ask(x, stack, wallpaper, &plans[i][j]) }
    }
    var gaps = Gaps()
    for (i, plan) in plans.enumerated() {
      var isWhole = true
      for piece in plan where !finish(x, piece) {
        isWhole = false
        if case .window(let id) = piece.layer.source { gaps.windows.append(id) }
      }
      if isWhole {
        deliver(plan, rects[i]) { body(i, $0, $1) }
      } else {
        gaps.rects.append(i)
      }
    }
    try x.check()
    return gaps
  }

  /// Makes room. It only grows, to the next power of two: damage comes in all sizes.
  private mutating func reserve(
    _ x: borrowing XConnection, _ count: Int, _ memory: inout PixelMemory
  ) {
    if let store, store.pixelCount >= count { return }
    discard(x)
    let size = max(1 << 14, 1 << (Int.bitWidth - max(1, count - 1).leadingZeroBitCount))
    store = memory.makeStore(x, pixelCount: size)
  }

  private mutating func ask(
    _ x: borrowing XConnection, _ stack: WindowStack?, _ wallpaper: UInt32, _ piece: inout Piece
  ) {
    let rect = piece.layout.bounds
    switch piece.layer.source {
    case .window(let id):
      guard let origin = stack?[id]?.geometry.origin else { return }
      piece.image = ask(x, id, rect.translated(x: -origin.x, y: -origin.y), piece.index)
    case .wallpaper:
      x.clear(wallpaper, rect)
      piece.image = ask(x, wallpaper, rect, piece.index)
    }
    bytesRead += 4 * piece.layout.pixelCount
  }

  /// Nil when the protocol has no words for the place, far out in a huge window.
  private func ask(
    _ x: borrowing XConnection, _ drawable: UInt32, _ rect: Rect, _ index: Int
  ) -> XConnection.PendingImage? {
    guard Int16(exactly: rect.x) != nil, Int16(exactly: rect.y) != nil else { return nil }
    return if let segment = store?.segment {
      x.askShared(drawable, rect, into: segment, atByte: 4 * index)
    } else {
      x.askPacked(drawable, rect)
    }
  }

  private mutating func finish(_ x: borrowing XConnection, _ piece: Piece) -> Bool {
    guard let image = piece.image else { return false }
    return store?.withMutablePixels { pixels in
      x.finish(image, &pixels, at: piece.index, count: piece.layout.pixelCount)
    } ?? false
  }

  /// A rectangle that one window covers goes on as it is; else its parts are put together.
  private mutating func deliver(
    _ plan: [Piece], _ rect: Rect, _ body: (Span<UInt32>, PixelLayout) -> Void
  ) {
    if plan.count == 1, plan[0].layout.bounds == rect, !plan[0].layer.isTranslucent {
      store?.withPixels { pixels in body(pixels.extracting(plan[0].range), plan[0].layout) }
      return
    }
    let layout = PixelLayout(rect)
    if composed.count < layout.pixelCount {
      composed = Array(repeating: 0, count: layout.pixelCount)
    }
    for piece in plan { compose(piece, layout) }
    body(composed.span.extracting(0..<layout.pixelCount), layout)
  }

  private mutating func compose(_ piece: Piece, _ layout: PixelLayout) {
    // The pixels move out and back in, not along: the store lends its own only to a closure.
    var canvas: [UInt32] = []
    swap(&canvas, &composed)
    store?.withPixels { pixels in
      let source = pixels.extracting(piece.range)
      var target = canvas.mutableSpan
      for rect in piece.layer.region.rects {
        if piece.layer.isTranslucent {
          blend(source, piece.layout, onto: &target, layout, rect, piece.layer)
        } else {
          copy(source, piece.layout, into: &target, layout, rect)
        }
      }
    }
    swap(&canvas, &composed)
  }
}
