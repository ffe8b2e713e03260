import Engine
import Frost
import Raster

/// Captures regions of views: requests all pieces at once, and receives them as replies.
struct BackdropCapture {
  private var store: PixelStore?
  private var composed: [UInt32] = []
  private(set) var bytesRead = 0
  private var batch = CaptureBatch(number: 0)
  private var childPainter = ChildPainter()

  var isShared: Bool { store?.isShared ?? true }
  var bufferBytes: Int { 4 * ((store?.pixelCount ?? 0) + composed.count) }

  /// Discards the store. A capture in progress fails, but no window is to blame for that.
  mutating func discard(_ x: inout XConnection) {
    store?.release(&x)
    store = nil
    composed = []
    batch.discard()
  }

  /// Discards a store that is not shared. Returns false if a capture uses it.
  mutating func discardPrivateStore(_ x: inout XConnection) -> Bool {
    if isShared { return true }
    if batch.openCount > 0 { return false }
    discard(&x)
    return true
  }

  /// Discards the store if the server refused its segment.
  mutating func handleRefusal(of segment: UInt32, _ x: inout XConnection) {
    if store?.segment == segment { discard(&x) }
  }

  // MARK: Requests

  /// Starts a capture of regions. `wallpaper` is the window with the pixels below all windows, whose origin is that
  /// of the screen.
  ///
  /// Returns the outcome if there is no reply to wait for.
  mutating func start(
    _ x: inout XConnection, _ tracker: WindowTracker, _ regions: [View: Region],
    _ memory: inout PixelMemory, wallpaper: UInt32
  ) -> CaptureBatch.Outcome? {
    let layers = Dictionary(
      uniqueKeysWithValues: regions.map { ($0, tracker.layers(in: $1, of: $0)) })
    batch = CaptureBatch(number: batch.number + 1, layers) {
      Self.source(of: $0, tracker, wallpaper: wallpaper)
    }
    reserve(&x, batch.pixelCount, &memory)
    let isShared = store?.segment != nil
    let paintsFirst = !isShared && tracker.redirectsClients
    if paintsFirst {
      x.grab()
      paintChildren(&x, tracker)
    }
    for request in batch.requestImages(isShared: isShared) { send(request, &x) }
    if paintsFirst { x.ungrab() }
    return batch.openCount == 0 ? batch.outcome : nil
  }

  /// Paints the windows in those that are captured.
  private mutating func paintChildren(_ x: inout XConnection, _ tracker: WindowTracker) {
    for id in Set(batch.pieces.map(\.source.window)) {
      guard let depth = tracker.stack[id]?.attributes?.depth else { continue }
      childPainter.paintChildren(of: id, depth: depth, &x)
    }
  }

  private static func source(
    of layer: WindowLayer, _ tracker: WindowTracker, wallpaper: UInt32
  ) -> CaptureBatch.Source {
    let isWallpaper = layer.source == .wallpaper
    var (window, changeCount) = (wallpaper, 0)
    if case .window(let id) = layer.source {
      (window, changeCount) = (id, tracker.changeCount(of: id))
    }
    return CaptureBatch.Source(
      window: window, isWallpaper: isWallpaper, origin: layer.geometry?.origin ?? (0, 0),
      hasAlpha: layer.hasAlpha, changeCount: changeCount)
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

  private mutating func send(_ request: CaptureBatch.ImageRequest, _ x: inout XConnection) {
    let (window, rect) = (request.window, request.rect)
    let hasAlpha = batch.pieces[request.id.piece].source.hasAlpha
    let format = hasAlpha ? .bgrx8 : x.screen.rootFormat
    bytesRead += format.byteCount(width: rect.width, height: rect.height)
    if request.clears { x.clear(window, rect) }
    if let segment = store?.segment {
      x.requestShared(request.id, window, rect, into: segment, atByte: 4 * request.index)
    } else {
      x.requestPacked(request.id, window, rect)
    }
  }

  // MARK: Replies

  /// Stores an image. Returns the outcome if it was the last one of the capture.
  mutating func store(_ image: ImageReply?, _ id: ImageID) -> CaptureBatch.Outcome? {
    guard id.capture == batch.number else { return nil }
    let isStored = !batch.isDiscarded && keep(image, id)
    return batch.end(id, isStored: isStored)
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
      let height = min(CaptureBatch.bandHeight(width: width), layout.bounds.height - id.row)
      let count = format.wordsPerRow(width: width) * height
      return store?.withMutablePixels(from: start, count: width * height) { pixels in
        let isComplete = packed.copy(to: &pixels, count: count)
        if isComplete { format.expand(&pixels, width: width, height: height) }
        return isComplete
      } ?? false
    }
  }

  // MARK: Pixels

  /// Calls `body` with the pixels of `rect` of a view, which must have been captured. If one opaque
  /// window covers `rect`, the pixels are those in the store; otherwise they are composed from
  /// several layers.
  mutating func withPixels(
    _ rect: Rect, of view: View, _ body: (Span<UInt32>, PixelLayout) -> Void
  ) {
    if let piece = batch.single(in: rect, of: view) {
      store?.withPixels { body($0.extracting(piece.range), piece.layout) }
      return
    }
    let layout = PixelLayout(rect)
    if composed.count < layout.pixelCount {
      composed = Array(repeating: 0, count: layout.pixelCount)
    }
    for layer in batch.layers(in: rect, of: view) { compose(layer, layout) }
    body(composed.span.extracting(0..<layout.pixelCount), layout)
  }

  /// Whether `withPixels` composes the pixels of `rect` from several layers.
  func isComposed(_ rect: Rect, of view: View) -> Bool {
    batch.single(in: rect, of: view) == nil
  }

  private mutating func compose(_ layer: CaptureBatch.PiecedLayer, _ layout: PixelLayout) {
    // The closure must not change a property of self, so `composed` is moved to a local variable.
    var canvas: [UInt32] = []
    swap(&canvas, &composed)
    store?.withPixels { pixels in
      var target = canvas.mutableSpan
      for piece in batch.pieces[layer.pieces] where piece.rect.intersects(layout.bounds) {
        let shown = layer.layer.region.intersection(piece.rect.intersection(layout.bounds))
        let source = pixels.extracting(piece.range)
        for rect in shown.rects {
          layer.layer.compose(rect, of: source, piece.layout, onto: &target, layout)
        }
      }
    }
    swap(&canvas, &composed)
  }
}

extension WindowLayer {
  /// Composes pixels of the layer, as compositors do.
  @_lifetime(target: copy target)
  fileprivate func compose(
    _ rect: Rect, of source: Span<UInt32>, _ from: PixelLayout,
    onto target: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    if isTranslucent {
      // Rounded as in picom; xcompmgr may be larger by one.
      let opacity = UInt8(UInt64(opacity) * 255 / UInt64(UInt32.max))
      Frost.compose(
        rect, of: source, from, opacity: opacity, hasAlpha: hasAlpha, onto: &target, layout)
    } else {
      copyPixels(of: rect, from: source, from, to: &target, layout)
    }
  }
}
