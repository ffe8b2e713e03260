import CXCB
import Panes
import Raster

/// The window of one pane, and the pixels on their way to it.
///
/// A buffer holds one frame's changed rectangles while the server reads them; the next frame takes
/// the other one, which is made only when it is needed for the first time. What a buffer held before
/// does not matter: the window keeps what was put there.
final class Overlay {
  let window: UInt32
  private let context: UInt32
  private(set) var rect: Rect
  private(set) var isMapped = false
  private var first = Buffer()
  private var second = Buffer()
  var races = Races()

  init(_ x: borrowing XConnection, _ names: Names, name: String, rect: Rect, input: InputMode) {
    self.rect = rect
    window = x.createWindow(
      XConnection.NewWindow(rect: rect, events: XCB_EVENT_MASK_EXPOSURE.rawValue))
    context = x.createContext(window)
    let text = "backdropd \(name)"
    x.setProperty(
      window, XCB_ATOM_WM_CLASS.rawValue, type: XCB_ATOM_STRING.rawValue,
      text: "backdropd\0backdropd\0")
    x.setProperty(
      window, XCB_ATOM_WM_NAME.rawValue, type: XCB_ATOM_STRING.rawValue, text: text)
    x.setProperty(window, names.netName, type: names.utf8, text: text)
    x.setProperty(
      window, names.netType, type: XCB_ATOM_ATOM.rawValue, words: [names.netTypeDock])
    x.setProperty(
      window, names.netProcess, type: XCB_ATOM_CARDINAL.rawValue, words: [processID()])
    x.setClickThrough(window, input == .pass)
  }

  func place(_ x: borrowing XConnection, _ rect: Rect, _ input: InputMode) {
    if rect != self.rect {
      if rect.width != self.rect.width || rect.height != self.rect.height { discardBuffers(x) }
      x.place(window, rect)
    }
    self.rect = rect
    x.setClickThrough(window, input == .pass)
  }

  func show(_ x: borrowing XConnection, below locker: UInt32?) {
    x.raise(window, below: locker)
    x.map(window)
    isMapped = true
  }

  func hide(_ x: borrowing XConnection) {
    x.unmap(window)
    discardBuffers(x)
    isMapped = false
  }

  func destroy(_ x: borrowing XConnection) {
    discardBuffers(x)
    x.freeContext(context)
    x.destroyWindow(window)
  }

  private func discardBuffers(_ x: borrowing XConnection) {
    first.discard(x)
    second.discard(x)
  }

  var isShared: Bool { first.isShared && second.isShared }
  var bufferBytes: Int { 4 * (first.pixelCount + second.pixelCount) }

  /// Draws rectangles and puts them on the window. False while both buffers are being read.
  ///
  /// The server answers in order: any answer to a later question says that a put is done, and the next
  /// frame's capture is such a question. So only a put that finds the other buffer still in use has
  /// its end announced, which would wake us for nothing else.
  func present(
    _ x: borrowing XConnection, _ memory: inout PixelMemory, _ rects: [Rect],
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> Bool {
    if !first.isBusy {
      first.put(x, self, context, announcesCompletion: false, &memory, rects, draw)
      return true
    }
    if second.isBusy { return false }
    second.put(x, self, context, announcesCompletion: true, &memory, rects, draw)
    return true
  }

  /// Notes that the server has done all that it had been asked for before it gave an answer.
  func noteAnswer() {
    first.isBusy = false
    second.isBusy = false
  }

  /// Notes that the server has read a segment. Returns whether it was one of ours.
  func noteCompletion(segment: UInt32) -> Bool {
    guard second.segment == segment else { return false }
    noteAnswer()
    return true
  }
}

/// One frame of a pane's pixels, laid out as the whole pane.
private struct Buffer {
  private var store: PixelStore?
  /// Whether the server may still read it.
  var isBusy = false

  var pixelCount: Int { store?.pixelCount ?? 0 }
  var segment: UInt32? { store?.segment }
  var isShared: Bool { store?.isShared ?? true }

  mutating func discard(_ x: borrowing XConnection) {
    store?.release(x)
    store = nil
    isBusy = false
  }

  mutating func put(
    _ x: borrowing XConnection, _ overlay: borrowing Overlay, _ context: UInt32,
    announcesCompletion: Bool, _ memory: inout PixelMemory, _ rects: [Rect],
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    let rect = overlay.rect
    if store == nil { store = memory.makeStore(x, pixelCount: rect.area) }
    let layout = PixelLayout(rect)
    guard let segment else {
      for part in rects { putPacked(x, overlay, context, part, draw) }
      return
    }
    store?.withMutablePixels { pixels in
      for part in rects { draw(part, &pixels, layout) }
    }
    for (i, part) in rects.enumerated() {
      x.putShared(
        segment, size: (rect.width, rect.height), part: part.translated(x: -rect.x, y: -rect.y),
        onto: overlay.window, context: context,
        announcesCompletion: announcesCompletion && i == rects.count - 1)
    }
    isBusy = !rects.isEmpty
  }

  /// Through the socket: the pixels are copied at once, and the buffer is free again.
  private mutating func putPacked(
    _ x: borrowing XConnection, _ overlay: borrowing Overlay, _ context: UInt32, _ part: Rect,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    store?.withMutablePixels { pixels in draw(part, &pixels, PixelLayout(part)) }
    store?.withPixels { pixels in
      x.putPacked(
        pixels.extracting(0..<part.area),
        part: part.translated(x: -overlay.rect.x, y: -overlay.rect.y), onto: overlay.window,
        context: context)
    }
  }
}
