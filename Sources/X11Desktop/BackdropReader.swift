import CXCB
import Desktop
import Raster

/// Reads backdrops: asks for every part of every rectangle before it waits for the first one, and puts
/// parts together only where more than one window shows.
struct BackdropReader {
  private var store: PixelStore?
  private var composed: [UInt32] = []
  private(set) var bytesRead = 0

  var bufferBytes: Int { 4 * ((store?.pixelCount ?? 0) + composed.count) }

  /// A part of a backdrop on its way.
  private struct Piece {
    var layer: WindowStack.Layer
    /// In screen coordinates; nil for a plain colour.
    var layout: PixelLayout?
    /// Where in the store its pixels go.
    var index = 0
    var image: XConnection.PendingImage?
    /// The size of a pixmap that is repeated.
    var tile: (width: Int, height: Int)?
  }

  mutating func discard(_ x: borrowing XConnection) {
    store?.release(x)
    store = nil
    composed = []
  }

  /// Calls `body` for each rectangle whose parts all came. Returns the windows that gave no picture.
  mutating func read(
    _ x: borrowing XConnection, _ stack: WindowStack, wallpaper: Wallpaper.Source, _ rects: [Rect],
    usesSharedMemory: inout Bool,
    _ body: (Int, Span<UInt32>, PixelLayout) -> Void
  ) throws(DesktopError) -> [UInt32] {
    var count = 0
    var plans = rects.map { rect in
      stack.layers(in: rect).map { plan($0, stack, wallpaper, next: &count) }
    }
    try reserve(x, count, usesSharedMemory: &usesSharedMemory)
    for i in plans.indices {
      for j in plans[i].indices { ask(x, stack, wallpaper, &plans[i][j]) }
    }
    var unread: [UInt32] = []
    for (i, plan) in plans.enumerated() {
      var isWhole = true
      for piece in plan where !finish(x, piece) {
        isWhole = false
        if case .window(let id) = piece.layer.source { unread.append(id) }
      }
      if isWhole { deliver(plan, rects[i]) { body(i, $0, $1) } }
    }
    try x.check()
    return unread
  }

  /// Where a part's pixels come from, and where they go.
  private func plan(
    _ layer: WindowStack.Layer, _ stack: WindowStack, _ wallpaper: Wallpaper.Source,
    next: inout Int
  ) -> Piece {
    var piece = Piece(layer: layer)
    switch (layer.source, wallpaper) {
    case (.wallpaper, .gray):
      return piece
    case (.wallpaper, .pixmap(_, let width, let height))
    where !Rect(x: 0, y: 0, width: width, height: height).contains(layer.region.bounds):
      piece.layout = PixelLayout(Rect(x: 0, y: 0, width: width, height: height))
      piece.tile = (width, height)
    default:
      piece.layout = PixelLayout(layer.region.bounds)
    }
    piece.index = next
    next += piece.layout?.pixelCount ?? 0
    return piece
  }

  /// Makes room. It only grows, to the next power of two: damage comes in all sizes.
  private mutating func reserve(
    _ x: borrowing XConnection, _ count: Int, usesSharedMemory: inout Bool
  ) throws(DesktopError) {
    if let store, store.pixelCount >= count { return }
    discard(x)
    let size = max(1 << 14, 1 << (Int.bitWidth - max(1, count - 1).leadingZeroBitCount))
    store = try PixelStore(x, pixelCount: size, usesSharedMemory: &usesSharedMemory)
  }

  private mutating func ask(
    _ x: borrowing XConnection, _ stack: WindowStack, _ wallpaper: Wallpaper.Source,
    _ piece: inout Piece
  ) {
    guard let layout = piece.layout else { return }
    let rect = layout.bounds
    switch (piece.layer.source, wallpaper) {
    case (.window(let id), _):
      guard let origin = stack[id]?.geometry.origin else { return }
      piece.image = ask(x, id, rect.translated(x: -origin.x, y: -origin.y), piece.index)
    case (.wallpaper, .mirror(let window)):
      // Painted anew: no event tells that the root has got another background.
      x.clear(window, rect)
      piece.image = ask(x, window, rect, piece.index)
    case (.wallpaper, .pixmap(let pixmap, _, _)):
      piece.image = ask(x, pixmap, rect, piece.index)
    case (.wallpaper, .gray):
      return
    }
    bytesRead += 4 * layout.pixelCount
  }

  private func ask(
    _ x: borrowing XConnection, _ drawable: UInt32, _ rect: Rect, _ index: Int
  ) -> XConnection.PendingImage {
    if let segment = store?.segment {
      x.askShared(drawable, rect, into: segment, atByte: 4 * index)
    } else {
      x.askPacked(drawable, rect)
    }
  }

  private mutating func finish(_ x: borrowing XConnection, _ piece: Piece) -> Bool {
    guard let layout = piece.layout else { return true }
    guard let image = piece.image else { return false }
    return store?.withMutablePixels { pixels in
      x.finish(image, &pixels, at: piece.index, count: layout.pixelCount)
    } ?? false
  }

  /// A rectangle that one window covers goes on as it is; else its parts are put together.
  private mutating func deliver(
    _ plan: [Piece], _ rect: Rect, _ body: (Span<UInt32>, PixelLayout) -> Void
  ) {
    if plan.count == 1, let layout = plan[0].layout, layout.bounds == rect,
      !plan[0].layer.isTranslucent
    {
      store?.withPixels { pixels in
        body(pixels.extracting(plan[0].index..<plan[0].index + layout.pixelCount), layout)
      }
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
    let region = piece.layer.region
    guard let from = piece.layout else {
      var target = composed.mutableSpan
      for rect in region.rects { fill(&target, layout, rect, Wallpaper.gray) }
      return
    }
    // The pixels move out and back in, not along: the store lends its own only to a closure.
    var canvas: [UInt32] = []
    swap(&canvas, &composed)
    store?.withPixels { pixels in
      let source = pixels.extracting(piece.index..<piece.index + from.pixelCount)
      var target = canvas.mutableSpan
      for rect in region.rects {
        if piece.layer.isTranslucent {
          blend(source, from, onto: &target, layout, rect, piece.layer)
        } else if let tile = piece.tile {
          repeatTile(source, tile, into: &target, layout, rect)
        } else {
          copy(source, from, into: &target, layout, rect)
        }
      }
    }
    swap(&canvas, &composed)
  }
}
