import Engine
import Raster

/// Captures regions of views: requests all pieces at once, and receives them as replies.
struct BackdropCapture {
  private var store: PixelStore?
  private var composed: [UInt32] = []
  private(set) var bytesRead = 0
  private var batch = Batch(number: 0)

  /// One capture.
  private struct Batch {
    let number: Int
    var pieces: [Piece] = []
    /// The number of images that have not arrived.
    var openCount = 0
    var pixelCount = 0
    /// Whether the store was discarded before all images had arrived.
    var isDiscarded = false
  }

  /// A rectangle of one layer.
  private struct Piece {
    let view: View
    let layer: WindowLayer
    /// The rectangle on the screen, and its layout in the store.
    let layout: PixelLayout
    /// The index of its first pixel in the store.
    let index: Int
    /// The change count of its window at the time of the request.
    let changeCount: Int
    var isMissing = false

    var rect: Rect { layout.bounds }
    var range: Range<Int> { index..<index + layout.pixelCount }
  }

  /// The result of a capture: the regions that could not be read.
  struct Outcome {
    var failed: [View: Region] = [:]
    /// The windows that could not be read, with their change count at the time of the request.
    var windows: [(id: UInt32, changeCount: Int)] = []
  }

  var isShared: Bool { store?.isShared ?? true }
  var bufferBytes: Int { 4 * ((store?.pixelCount ?? 0) + composed.count) }

  /// Discards the store. A capture in progress fails, but no window is to blame for that.
  mutating func discard(_ x: inout XConnection) {
    store?.release(&x)
    store = nil
    composed = []
    if batch.openCount > 0 { batch.isDiscarded = true }
  }

  /// Discards a store that is not shared. Returns false if a capture uses it.
  mutating func discardPrivateStore(_ x: inout XConnection) -> Bool {
    if isShared { return true }
    if batch.openCount > 0 { return false }
    discard(&x)
    return true
  }

  /// Discards the store if the server refused its segment.
  mutating func takeRefusal(of segment: UInt32, _ x: inout XConnection) {
    if store?.segment == segment { discard(&x) }
  }

  // MARK: Requests

  /// Starts a capture of regions. `wallpapers` returns the window with the pixels below all windows
  /// of a view, whose origin is that of the screen.
  ///
  /// Returns the outcome if there is no reply to wait for.
  mutating func start(
    _ x: inout XConnection, _ tracker: WindowTracker, _ regions: [View: Region],
    _ memory: inout PixelMemory, wallpapers: (View) -> UInt32
  ) -> Outcome? {
    batch = Batch(number: batch.number + 1)
    for (view, region) in regions {
      for layer in tracker.layers(in: region, of: view) {
        for rect in layer.region.simplified(to: 32, price: Self.requestPrice).rects {
          addPiece(rect, of: layer, view, tracker.stack)
        }
      }
    }
    reserve(&x, batch.pixelCount, &memory)
    for i in batch.pieces.indices {
      request(&x, i, tracker.stack, wallpaper: wallpapers(batch.pieces[i].view))
    }
    return batch.openCount == 0 ? outcome : nil
  }

  /// The pixels that a server reads in the time that it needs for the request alone.
  private static var requestPrice: Int { 1024 }

  private mutating func addPiece(
    _ rect: Rect, of layer: WindowLayer, _ view: View, _ stack: WindowStack
  ) {
    var changeCount = 0
    if case .window(let id) = layer.source { changeCount = stack[id]?.changeCount ?? 0 }
    let layout = PixelLayout(rect)
    batch.pieces.append(
      Piece(
        view: view, layer: layer, layout: layout, index: batch.pixelCount,
        changeCount: changeCount))
    batch.pixelCount += layout.pixelCount
  }

  /// Reserves space for `count` pixels. The store only grows, to powers of two, because the size of
  /// damage varies.
  private mutating func reserve(
    _ x: inout XConnection, _ count: Int, _ memory: inout PixelMemory
  ) {
    if let store, store.pixelCount >= count { return }
    discard(&x)
    let size = max(1 << 14, 1 << (Int.bitWidth - max(1, count - 1).leadingZeroBitCount))
    store = memory.makeStore(&x, pixelCount: size)
  }

  private mutating func request(
    _ x: inout XConnection, _ index: Int, _ stack: WindowStack, wallpaper: UInt32
  ) {
    let piece = batch.pieces[index]
    let format = piece.layer.hasAlpha ? .bgrx8 : x.screen.rootFormat
    bytesRead += format.byteCount(width: piece.rect.width, height: piece.rect.height)
    switch piece.layer.source {
    case .window(let id):
      let origin = piece.layer.geometry?.origin ?? (x: 0, y: 0)
      request(&x, index, of: id, piece.rect.translated(x: -origin.x, y: -origin.y))
    case .wallpaper:
      x.clear(wallpaper, piece.rect)
      request(&x, index, of: wallpaper, piece.rect)
    }
  }

  /// Requests `rect`, in the coordinates of the window. Coordinates that the protocol cannot
  /// represent, in very large windows, are marked as missing.
  private mutating func request(
    _ x: inout XConnection, _ index: Int, of window: UInt32, _ rect: Rect
  ) {
    guard Int16(exactly: rect.x) != nil, Int16(exactly: rect.y) != nil else {
      batch.pieces[index].isMissing = true
      return
    }
    let piece = batch.pieces[index]
    guard let segment = store?.segment else {
      return requestPacked(&x, index, of: window, rect)
    }
    let id = ImageID(capture: batch.number, piece: index, row: 0)
    x.requestShared(id, window, rect, into: segment, atByte: 4 * piece.index)
    batch.openCount += 1
  }

  /// Requests pixels through the socket in bands, because XCB reads a reply as a whole and blocks
  /// until a started reply is complete.
  private mutating func requestPacked(
    _ x: inout XConnection, _ index: Int, of window: UInt32, _ rect: Rect
  ) {
    let height = Self.packedBandHeight(width: rect.width)
    for row in stride(from: 0, to: rect.height, by: height) {
      let band = Rect(
        x: rect.x, y: rect.y + row, width: rect.width, height: min(height, rect.height - row))
      let id = ImageID(capture: batch.number, piece: index, row: row)
      x.requestPacked(id, window, band)
      batch.openCount += 1
    }
  }

  /// The number of rows of a band of at most 64 KiB.
  private static func packedBandHeight(width: Int) -> Int { max(1, (1 << 14) / width) }

  // MARK: Replies

  /// Stores an image. Returns the outcome if it was the last one of the capture.
  mutating func take(_ image: ImageReply?, _ id: ImageID) -> Outcome? {
    guard id.capture == batch.number else { return nil }
    if !batch.isDiscarded, !keep(image, id) { batch.pieces[id.piece].isMissing = true }
    batch.openCount -= 1
    return batch.openCount == 0 ? outcome : nil
  }

  /// Returns whether the pixels are in the store, as BGRX.
  private func keep(_ image: ImageReply?, _ id: ImageID) -> Bool {
    let layout = batch.pieces[id.piece].layout
    let width = layout.bounds.width
    let start = batch.pieces[id.piece].index + id.row * layout.stride
    switch image {
    case nil: return false
    case .shared(let format):
      store?.withMutablePixels(from: start, count: layout.pixelCount) {
        format.expand(&$0, width: width, height: layout.bounds.height)
      }
      return true
    case .packed(let packed, let format):
      let height = min(Self.packedBandHeight(width: width), layout.bounds.height - id.row)
      let count = format.wordsPerRow(width: width) * height
      return store?.withMutablePixels(from: start, count: width * height) { pixels in
        let isComplete = packed.copy(to: &pixels, count: count)
        if isComplete { format.expand(&pixels, width: width, height: height) }
        return isComplete
      } ?? false
    }
  }

  private var outcome: Outcome {
    var outcome = Outcome()
    for piece in batch.pieces where piece.isMissing || batch.isDiscarded {
      let part = piece.layer.region.intersection(piece.rect)
      outcome.failed[piece.view, default: Region()].form(union: part)
      if case .window(let id) = piece.layer.source, !batch.isDiscarded {
        outcome.windows.append((id, piece.changeCount))
      }
    }
    return outcome
  }

  // MARK: Pixels

  /// Calls `body` with the pixels of `rect` of a view, which must have been captured. If one opaque
  /// window covers `rect`, the pixels are those in the store; otherwise they are composed from
  /// several layers.
  mutating func withPixels(
    _ rect: Rect, of view: View, _ body: (Span<UInt32>, PixelLayout) -> Void
  ) {
    let pieces = pieces(in: rect, of: view)
    if let piece = single(pieces, covering: rect) {
      store?.withPixels { body($0.extracting(piece.range), piece.layout) }
      return
    }
    let layout = PixelLayout(rect)
    if composed.count < layout.pixelCount {
      composed = Array(repeating: 0, count: layout.pixelCount)
    }
    for piece in pieces { compose(piece, layout) }
    body(composed.span.extracting(0..<layout.pixelCount), layout)
  }

  /// Whether `withPixels` composes the pixels of `rect` from several layers.
  func isComposed(_ rect: Rect, of view: View) -> Bool {
    single(pieces(in: rect, of: view), covering: rect) == nil
  }

  private func pieces(in rect: Rect, of view: View) -> [Piece] {
    batch.pieces.filter { $0.view == view && $0.rect.intersects(rect) }
  }

  /// The only one of `pieces`, if it is opaque and covers `rect`.
  private func single(_ pieces: [Piece], covering rect: Rect) -> Piece? {
    guard pieces.count == 1, let piece = pieces.first, !piece.layer.isTranslucent,
      piece.rect.contains(rect), piece.layer.region.contains(rect)
    else { return nil }
    return piece
  }

  private mutating func compose(_ piece: Piece, _ layout: PixelLayout) {
    // The closure must not change a property of self, so `composed` is moved to a local variable.
    var canvas: [UInt32] = []
    swap(&canvas, &composed)
    let shared = piece.layer.region.intersection(piece.rect.intersection(layout.bounds))
    store?.withPixels { pixels in
      let source = pixels.extracting(piece.range)
      var target = canvas.mutableSpan
      for rect in shared.rects {
        if piece.layer.isTranslucent {
          blend(source, piece.layout, onto: &target, layout, rect, piece.layer)
        } else {
          copyPixels(of: rect, from: source, piece.layout, to: &target, layout)
        }
      }
    }
    swap(&canvas, &composed)
  }
}
