import CXCB
import Desktop
import Raster

/// The window of one pane, and the pixels on their way to it.
///
/// A buffer holds one frame's changed rectangles while the server reads them; the next frame takes
/// the other one, which is made only when it is needed for the first time. What a buffer held before
/// does not matter: the window keeps what was put there.
///
/// A window has alpha from its beginning or never: a pane that gets it or loses it is given another
/// window, which is mapped above the old one together with its first pixels. Under a compositor the old
/// one stays for a moment: the compositor may paint a frame before it has got to know the new one.
final class Overlay {
  private let name: String
  private(set) var shape: OverlayShape
  private var canvas: XConnection.Canvas
  /// The window that is still shown until the first pixels of the new one.
  private var outdated: XConnection.Canvas?
  /// The same after that, and when it may go.
  private var leftover: (canvas: XConnection.Canvas, until: Duration)?
  private(set) var isMapped = false
  private var first = Buffer()
  private var second = Buffer()
  var races = Races()

  init(_ x: borrowing XConnection, _ names: Names, name: String, _ shape: OverlayShape) {
    self.name = name
    self.shape = shape
    canvas = x.makeCanvas(names, name, shape)
  }

  var window: UInt32 { canvas.window }
  /// Those that were its before.
  var oldWindows: [UInt32] { [outdated?.window, leftover?.canvas.window].compactMap(\.self) }
  var isOutdated: Bool { outdated != nil }
  var deadline: Duration? { leftover?.until }
  var rect: Rect { shape.rect }

  func place(_ x: borrowing XConnection, _ names: Names, _ new: OverlayShape) {
    let old = shape
    shape = new
    if (new.rect.width, new.rect.height) != (old.rect.width, old.rect.height) { discardBuffers(x) }
    if new.hasAlpha != old.hasAlpha { replaceCanvas(x, names) }
    for window in [window] + oldWindows {
      if new.rect != old.rect { x.place(window, new.rect) }
      x.setClickable(window, new.inWindow(new.clickable))
    }
    if let leftover { hideBehindGlass(x, leftover.canvas) }
  }

  /// Where nobody blends a window with alpha, the colours of what is translucent in it are too dark: it
  /// is cut away, until the window has been replaced.
  func setBlended(_ x: borrowing XConnection, _ isBlended: Bool) {
    if shape.hasAlpha {
      x.setVisible(window, isBlended ? nil : shape.inWindow(shape.opaque))
    }
  }

  private func replaceCanvas(_ x: borrowing XConnection, _ names: Names) {
    if let shown = outdated {
      // Back before the other one was ever seen.
      x.destroy(canvas)
      canvas = shown
      outdated = nil
      x.setVisible(canvas.window, nil)
      return
    }
    if isMapped { outdated = canvas } else { x.destroy(canvas) }
    canvas = x.makeCanvas(names, name, shape)
  }

  func show(_ x: borrowing XConnection, below locker: UInt32?) {
    raise(x, below: locker)
    x.map(window)
    isMapped = true
  }

  /// To the top, with the window that it is to replace: the new one will be mapped right above that.
  func raise(_ x: borrowing XConnection, below locker: UInt32?) {
    if let outdated { x.raise(outdated.window, below: locker) }
    x.raise(window, below: locker)
  }

  func hide(_ x: borrowing XConnection) {
    destroyOldWindows(x)
    x.unmap(window)
    discardBuffers(x)
    isMapped = false
  }

  func destroy(_ x: borrowing XConnection) {
    destroyOldWindows(x)
    discardBuffers(x)
    x.destroy(canvas)
  }

  private func destroyOldWindows(_ x: borrowing XConnection) {
    for old in [outdated, leftover?.canvas].compactMap(\.self) { x.destroy(old) }
    outdated = nil
    leftover = nil
  }

  /// Destroys a window that was replaced long enough ago.
  func tidy(_ x: borrowing XConnection, now: Duration) {
    guard let leftover, leftover.until <= now else { return }
    x.destroy(leftover.canvas)
    self.leftover = nil
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
    _ x: borrowing XConnection, _ memory: inout PixelMemory, _ rects: [Rect], now: Duration,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> Bool {
    if first.isBusy && second.isBusy { return false }
    let replaced = outdated
    if let replaced {
      x.raise(window, above: replaced.window)
      x.map(window)
    }
    let frame = Frame(rect: rect, canvas: canvas, parts: rects)
    if first.isBusy {
      second.put(x, frame, announcesCompletion: true, &memory, draw)
    } else {
      first.put(x, frame, announcesCompletion: false, &memory, draw)
    }
    if let replaced { retire(x, replaced, now: now) }
    return true
  }

  private func retire(_ x: borrowing XConnection, _ old: XConnection.Canvas, now: Duration) {
    outdated = nil
    destroyOldWindows(x)
    guard shape.hasAlpha else { return x.destroy(old) }
    hideBehindGlass(x, old)
    leftover = (old, now + Self.patience)
  }

  /// Or it would show through the shadow of the new one.
  private func hideBehindGlass(_ x: borrowing XConnection, _ old: XConnection.Canvas) {
    x.setVisible(old.window, shape.inWindow(shape.opaque))
  }

  /// For some frames of a compositor that has just started.
  private static var patience: Duration { .milliseconds(250) }

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

extension OverlayShape {
  /// A region in the window's own coordinates.
  fileprivate func inWindow(_ region: Region) -> Region {
    region.translated(x: -rect.x, y: -rect.y)
  }
}

extension XConnection {
  /// A window for a pane, and a context to put pixels on it.
  fileprivate func makeCanvas(_ names: Names, _ name: String, _ shape: OverlayShape) -> Canvas {
    let window = createWindow(
      NewWindow(
        rect: shape.rect, events: XCB_EVENT_MASK_EXPOSURE.rawValue, hasAlpha: shape.hasAlpha))
    let text = "backdropd \(name)"
    setProperty(
      window, XCB_ATOM_WM_CLASS.rawValue, type: XCB_ATOM_STRING.rawValue,
      text: "backdropd\0backdropd\0")
    setProperty(window, XCB_ATOM_WM_NAME.rawValue, type: XCB_ATOM_STRING.rawValue, text: text)
    setProperty(window, names.netName, type: names.utf8, text: text)
    setProperty(window, names.netType, type: XCB_ATOM_ATOM.rawValue, words: [names.netTypeDock])
    setProperty(
      window, names.netProcess, type: XCB_ATOM_CARDINAL.rawValue, words: [processID()])
    setClickable(window, shape.inWindow(shape.clickable))
    return Canvas(
      window: window, context: createContext(window), depth: shape.hasAlpha ? 32 : rootDepth)
  }

  fileprivate func destroy(_ canvas: Canvas) {
    freeContext(canvas.context)
    destroyWindow(canvas.window)
  }
}

/// What is put on a window at once.
private struct Frame {
  /// Where the window is.
  let rect: Rect
  let canvas: XConnection.Canvas
  /// In screen coordinates.
  let parts: [Rect]
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
    _ x: borrowing XConnection, _ frame: Frame, announcesCompletion: Bool,
    _ memory: inout PixelMemory, _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    let rect = frame.rect
    if store == nil { store = memory.makeStore(x, pixelCount: rect.area) }
    let layout = PixelLayout(rect)
    guard let segment else {
      for part in frame.parts { putPacked(x, frame, part, draw) }
      return
    }
    store?.withMutablePixels { pixels in
      for part in frame.parts { draw(part, &pixels, layout) }
    }
    for (i, part) in frame.parts.enumerated() {
      x.putShared(
        segment, size: (rect.width, rect.height), part: part.translated(x: -rect.x, y: -rect.y),
        onto: frame.canvas, announcesCompletion: announcesCompletion && i == frame.parts.count - 1)
    }
    isBusy = !frame.parts.isEmpty
  }

  /// Through the socket: the pixels are copied at once, and the buffer is free again.
  private mutating func putPacked(
    _ x: borrowing XConnection, _ frame: Frame, _ part: Rect,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    store?.withMutablePixels { pixels in draw(part, &pixels, PixelLayout(part)) }
    store?.withPixels { pixels in
      x.putPacked(
        pixels.extracting(0..<part.area),
        part: part.translated(x: -frame.rect.x, y: -frame.rect.y), onto: frame.canvas)
    }
  }
}
