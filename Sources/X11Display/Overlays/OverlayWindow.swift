import CXCB
import Engine
import Raster

/// The window of one pane, which exists while the pane is shown, and its buffers.
///
/// The depth of a window cannot change. So when a pane gains or loses alpha, a new window replaces the old one; also when a
/// compositor starts, because xfwm4 does not paint what was there before. The new window is mapped above the old one,
/// together with its first pixels. Under a compositor the old window is kept for a short time, because the compositor may
/// paint a frame before it handles the new one.
final class OverlayWindow {
  let name: String
  private(set) var phase = Phase.hidden
  /// The opacity that compositors give to the window.
  private var opacity = GlassOpacity()
  /// The second buffer is created when the server still reads the first one.
  private var buffers = (OverlayBuffer(), OverlayBuffer())

  /// Whether the window exists.
  enum Phase {
    case hidden
    case shown(Shown)
  }

  /// The data of a shown window.
  struct Shown {
    var canvas: XConnection.Canvas
    var state: OverlayState
    var placements: WindowPlacements
    /// Whether it was made before the compositor.
    var isOutdated = false
    /// A replaced window, and the time when it is destroyed.
    var leftover: (canvas: XConnection.Canvas, until: Duration)?
    /// The client that it covers; nil if it is not over one.
    var over: CoveredClient?
  }

  /// What is known of the client below a window, and of the window itself.
  struct CoveredClient {
    let id: UInt32
    /// The window that both are in.
    let parent: UInt32
    let root: UInt32
    /// The place of the window in `parent`.
    var place: Rect
    /// The window that was directly below the client at its last event; nil before the first one.
    var sibling: UInt32?
    /// The background pixel.
    var background: UInt32
  }

  /// A window that was created, and the window directly above which it was placed; nil for the bottom.
  struct NewWindow {
    let id: UInt32
    let sibling: UInt32?
  }

  init(name: String) { self.name = name }

  var shown: Shown? { if case .shown(let shown) = phase { shown } else { nil } }
  var window: UInt32? { shown?.canvas.window }
  /// All windows of the pane, the lowest first.
  var windows: [UInt32] {
    [shown?.leftover?.canvas.window, shown?.canvas.window].compactMap(\.self)
  }
  /// Whether it is in the frame around a client, and not among the top-level windows.
  var isInFrame: Bool { shown?.over.map { $0.parent != $0.root } ?? false }
  var deadline: Duration? {
    shown.flatMap { [$0.leftover?.until, opacity.deadline].compactMap(\.self).min() }
  }
  var isShared: Bool { buffers.0.isShared && buffers.1.isShared }
  var bufferBytes: Int { 4 * (buffers.0.pixelCount + buffers.1.pixelCount) }
  /// Whether the server still reads all buffers. Without shared memory there is only one.
  var isBusy: Bool { buffers.0.isBusy && (buffers.1.isBusy || !buffers.0.isShared) }

  /// Sets the opacity with which compositors blend the pane, from the opacity of the window above it.
  func setOpacity(
    ofTarget new: UInt32, _ x: inout XConnection, _ canvases: CanvasFactory, now: Duration
  ) {
    let old = opacity.value
    opacity.record(new, now: now)
    if opacity.value == old { return }
    for window in windows { canvases.setOpacity(&x, window, opacity.value) }
  }

  // MARK: Show

  /// Shows a state. Returns the new window, if one was created. The first window is placed directly above the window that
  /// `sibling` returns, or at the bottom if that is nil; a window that replaces another one is placed directly above the old one.
  /// If `keepsPixels`, the pixels that the old and the new rectangle have in common stay where they are on the screen.
  func show(
    _ x: inout XConnection, _ canvases: CanvasFactory, _ state: OverlayState, keepsPixels: Bool,
    now: Duration, sibling: (UInt32) -> UInt32?
  ) -> NewWindow? {
    if shown?.over != nil { destroyWindows(&x, canvases) }
    guard case .shown(var shown) = phase else {
      return create(&x, canvases, state, sibling: sibling)
    }
    if shown.state.hasAlpha != state.hasAlpha || shown.isOutdated {
      return replace(&x, canvases, state, shown, now: now)
    }
    buffers.0.discard(&x, unlessItFits: state.rect.area)
    buffers.1.discard(&x, unlessItFits: state.rect.area)
    if shown.state.rect != state.rect {
      shown.place(&x, state.rect, keepsPixels: keepsPixels)
      if let leftover = shown.leftover { x.place(leftover.canvas.window, state.rect) }
    }
    if shown.state.windowShape != state.windowShape {
      x.setBoundingRegion(shown.canvas.window, state.windowShape)
    }
    if shown.state.windowInputRegion != state.windowInputRegion {
      x.setInputRegion(shown.canvas.window, state.windowInputRegion)
    }
    if shown.state.reportsContacts != state.reportsContacts {
      canvases.setContacts(&x, shown.canvas.window, areReported: state.reportsContacts)
    }
    if let leftover = shown.leftover, shown.state.windowOpaque != state.windowOpaque {
      x.setBoundingRegion(leftover.canvas.window, state.windowOpaque)
    }
    shown.state = state
    phase = .shown(shown)
    return nil
  }

  /// Creates the first window. The server puts it at the top, so it is lowered before it is shown. If the sibling was destroyed
  /// meanwhile, the window stays at the bottom until its place is known.
  private func create(
    _ x: inout XConnection, _ canvases: CanvasFactory, _ state: OverlayState,
    sibling: (UInt32) -> UInt32?
  ) -> NewWindow {
    let canvas = canvases.make(&x, name: name, state, opacity: opacity.value)
    x.lower(canvas.window)
    let sibling = sibling(canvas.window)
    if let sibling { x.raise(canvas.window, above: sibling) }
    canvases.show(&x, canvas, state)
    phase = .shown(Shown(canvas: canvas, state: state, mapped: x.lastRequest))
    return NewWindow(id: canvas.window, sibling: sibling)
  }

  private func replace(
    _ x: inout XConnection, _ canvases: CanvasFactory, _ state: OverlayState, _ old: Shown,
    now: Duration
  ) -> NewWindow {
    if let leftover = old.leftover { canvases.destroy(&x, leftover.canvas) }
    let canvas = canvases.make(&x, name: name, state, opacity: opacity.value)
    x.raise(canvas.window, above: old.canvas.window)
    canvases.show(&x, canvas, state)
    var shown = Shown(canvas: canvas, state: state, mapped: x.lastRequest)
    if state.hasAlpha || old.isOutdated {
      // Otherwise the old window would be visible through the shadow of the new one, if that has one.
      if old.state.rect != state.rect { x.place(old.canvas.window, state.rect) }
      x.setInputRegion(old.canvas.window, Region())
      x.setBoundingRegion(old.canvas.window, state.windowOpaque)
      shown.leftover = (old.canvas, now + Self.leftoverDuration)
    } else {
      canvases.destroy(&x, old.canvas)
    }
    phase = .shown(shown)
    return NewWindow(id: canvas.window, sibling: old.canvas.window)
  }

  /// The time for which a replaced window is kept: some frames of a compositor that has just
  /// started.
  static var leftoverDuration: Duration { .milliseconds(250) }

  // MARK: Over a client

  /// Shows a state over a client. Returns whether there is a new window.
  ///
  /// The window follows the client at once, see `follow`. So an update that was drawn for a former place of it only draws.
  func show(
    _ x: inout XConnection, _ canvases: inout CanvasFactory, _ state: OverlayState,
    over client: ShownClient
  ) -> Bool {
    guard let cover = state.cover else { return false }
    let over = shown?.over
    if (over?.id, over?.parent) != (client.id, client.parent) { destroyWindows(&x, canvases) }
    guard case .shown(var shown) = phase, var over = shown.over else {
      createOver(&x, &canvases, state, cover, client)
      return true
    }
    buffers.0.discard(&x, unlessItFits: state.rect.area)
    buffers.1.discard(&x, unlessItFits: state.rect.area)
    if shown.state.windowRect != state.windowRect {
      shown.placements.append(state.windowRect, by: x.lastRequest, processed: x.processed)
    }
    if shown.state.windowShape != state.windowShape {
      x.setBoundingRegion(shown.canvas.window, state.windowShape)
    }
    let background = shown.canvas.pixel(of: cover.color)
    if over.background != background {
      x.setBackground(
        shown.canvas.window, XCB_CW_BACK_PIXEL, background, about: shown.canvas.window)
      over.background = background
    }
    (shown.state, shown.over) = (state, over)
    phase = .shown(shown)
    return false
  }

  private func createOver(
    _ x: inout XConnection, _ canvases: inout CanvasFactory, _ state: OverlayState,
    _ cover: ClientCover, _ client: ShownClient
  ) {
    let place = cover.inset.reduced(client.placeInParent)
    let canvas = canvases.make(&x, name: name, in: client, at: place)
    let background = canvas.pixel(of: cover.color)
    x.setBackground(canvas.window, XCB_CW_BACK_PIXEL, background, about: canvas.window)
    if let shape = state.windowShape { x.setBoundingRegion(canvas.window, shape) }
    x.raise(canvas.window, above: client.id)
    x.map(canvas.window)
    var shown = Shown(canvas: canvas, state: state, mapped: x.lastRequest)
    shown.over = CoveredClient(
      id: client.id, parent: client.parent, root: x.root, place: place, background: background)
    phase = .shown(shown)
  }

  /// Moves the window with the client that it covers. `sibling` is the window directly below the client now: another one than
  /// before means that the client was restacked. Returns whether the window was raised because of that, if it may be.
  func follow(
    _ client: ShownClient, above sibling: UInt32, mayRaise: Bool, _ x: inout XConnection
  ) -> Bool {
    guard case .shown(var shown) = phase, var over = shown.over, let cover = shown.state.cover,
      (over.id, over.parent) == (client.id, client.parent)
    else { return false }
    let place = cover.inset.reduced(client.placeInParent)
    if place != over.place, !place.isEmpty { x.place(shown.canvas.window, place) }
    let isRaised = mayRaise && sibling != over.sibling
    if isRaised { x.raise(shown.canvas.window, above: client.id) }
    (over.place, over.sibling) = (place, sibling)
    shown.over = over
    phase = .shown(shown)
    return isRaised
  }

  /// Without blending the colours of translucent parts are too dark. So these parts are removed
  /// from the shape of the window until it is replaced.
  func setBlended(_ x: inout XConnection, _ isBlended: Bool) {
    guard let shown, shown.state.hasAlpha, shown.over == nil else { return }
    x.setBoundingRegion(
      shown.canvas.window, isBlended ? shown.state.windowShape : shown.state.windowOpaque)
  }

  /// Marks the window as outdated: the next update makes a new one.
  func markOutdated() {
    guard case .shown(var shown) = phase, shown.over == nil else { return }
    shown.isOutdated = true
    phase = .shown(shown)
  }

  /// Makes the windows invisible by an empty shape, and returns them. The caller must destroy them. Clear pixels would not be
  /// enough, because a window without alpha is always opaque.
  func clear(_ x: inout XConnection) -> [UInt32] {
    guard let shown else { return [] }
    let ended = windows
    for window in ended {
      x.setBoundingRegion(window, Region())
      x.setInputRegion(window, Region())
    }
    for canvas in [shown.leftover?.canvas, shown.canvas].compactMap(\.self) { x.freeGC(canvas.gc) }
    discardBuffers(&x)
    phase = .hidden
    return ended
  }

  /// Destroys its windows and buffers.
  func hide(_ x: inout XConnection, _ canvases: CanvasFactory) {
    if shown == nil { return }
    destroyWindows(&x, canvases)
    discardBuffers(&x)
  }

  /// Destroys its windows. What is drawn already for the next one stays.
  private func destroyWindows(_ x: inout XConnection, _ canvases: CanvasFactory) {
    guard let shown else { return }
    if let leftover = shown.leftover { canvases.destroy(&x, leftover.canvas) }
    canvases.destroy(&x, shown.canvas)
    phase = .hidden
  }

  /// Records that another client destroyed one of its windows. Returns whether the pane is no
  /// longer shown.
  func handleDestruction(_ window: UInt32, _ x: inout XConnection, _ canvases: CanvasFactory)
    -> Bool
  {
    guard var shown else { return false }
    if let leftover = shown.leftover, leftover.canvas.window == window {
      x.freeGC(leftover.canvas.gc)
      shown.leftover = nil
      phase = .shown(shown)
      return false
    }
    if let leftover = shown.leftover { canvases.destroy(&x, leftover.canvas) }
    x.freeGC(shown.canvas.gc)
    discardBuffers(&x)
    phase = .hidden
    return true
  }

  /// Destroys the replaced window if its time has passed. Returns whether it did.
  func tidy(_ x: inout XConnection, _ canvases: CanvasFactory, now: Duration) -> Bool {
    guard var shown, let leftover = shown.leftover, leftover.until <= now else { return false }
    canvases.destroy(&x, leftover.canvas)
    shown.leftover = nil
    phase = .shown(shown)
    return true
  }

  // MARK: Pixels

  func discardBuffers(_ x: inout XConnection) {
    buffers.0.discard(&x)
    buffers.1.discard(&x)
  }

  /// The update to a state. Must not be called while `isBusy`.
  func makeUpdate(
    _ id: OverlayID, _ state: OverlayState, over client: ShownClient?, _ parts: [Rect]
  ) -> OverlayUpdate {
    OverlayUpdate(id, state, over: client, parts, usesSecondBuffer: buffers.0.isBusy)
  }

  /// Draws bands of an update, about `pixelCount` pixels. Stops at the end of an image of a large update, and returns
  /// it. If the buffer was discarded meanwhile, it starts again.
  func draw(
    _ update: inout OverlayUpdate, _ x: inout XConnection, _ memory: inout PixelMemory,
    pixelCount: Int, _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> OverlayUpdate.Image? {
    let buffer = update.usesSecondBuffer ? \OverlayWindow.buffers.1 : \OverlayWindow.buffers.0
    if self[keyPath: buffer].makeStore(&x, &memory, pixelCount: update.state.rect.area) {
      update.restart()
    }
    let depth = update.client?.depth ?? x.screen.depth(hasAlpha: update.state.hasAlpha)
    let format = x.screen.format(ofDepth: depth)
    var rest = pixelCount
    while rest > 0, !update.isDrawn {
      let (image, band, isLast) = update.takeBand(ofPixels: rest)
      self[keyPath: buffer].withMutablePixels(of: image) { pixels in
        draw(band, &pixels, PixelLayout(image.rect))
        if isLast { format.compress(&pixels, of: image.rect) }
      }
      if isLast, update.isLarge { return image }
      rest -= band.area
    }
    return nil
  }

  /// Records that the server receives all pixels of an update after the last request.
  func recordUpdate(_ update: OverlayUpdate, _ x: borrowing XConnection) {
    guard case .shown(var shown) = phase else { return }
    shown.placements.recordUpdate(update.parts, after: x.lastRequest)
    phase = .shown(shown)
  }

  /// Sends an image of an update.
  ///
  /// The server executes requests in order, so any later item shows that a put is finished; usually
  /// it is the capture of the next frame. Only the second buffer requests a completion event,
  /// because that event wakes the daemon.
  func send(
    _ image: OverlayUpdate.Image, of update: OverlayUpdate, isLast: Bool, _ x: inout XConnection
  ) {
    guard let shown else { return }
    if update.usesSecondBuffer {
      buffers.1.send(
        image, &x, on: shown.canvas, at: shown.state.windowRect, announcesCompletion: isLast)
    } else {
      buffers.0.send(
        image, &x, on: shown.canvas, at: shown.state.windowRect, announcesCompletion: false)
    }
  }

  /// Records that the server has processed requests.
  func recordProgress(_ x: borrowing XConnection) {
    buffers.0.recordProgress(x)
    buffers.1.recordProgress(x)
  }

  /// Records that the server has read the buffer of a request, and so those of all earlier ones. The first buffer may
  /// have been sent again since then.
  func recordCompletion(of request: RequestSequence) {
    buffers.0.recordCompletion(of: request)
    buffers.1.recordCompletion(of: request)
  }

  /// Whether a buffer is in this segment.
  func uses(segment: UInt32) -> Bool {
    buffers.0.segment == segment || buffers.1.segment == segment
  }
}

extension OverlayWindow.Shown {
  init(canvas: XConnection.Canvas, state: OverlayState, mapped: RequestSequence) {
    self.canvas = canvas
    self.state = state
    placements = WindowPlacements(state.windowRect, mapped: mapped)
  }

  /// The rectangles at which the window is placed one after the other. The server moves the pixels of a window
  /// with it, but keeps them on the screen when the size changes too, because of static gravity. So to keep
  /// them, the window is first extended to its old and its new rectangle.
  func steps(to rect: Rect, keepsPixels: Bool) -> [Rect] {
    if rect == state.rect { return [] }
    let isKept = keepsPixels && rect.hasSize(of: state.rect) && rect.intersects(state.rect)
    return isKept ? [rect.hull(state.rect), rect] : [rect]
  }

  fileprivate mutating func place(_ x: inout XConnection, _ rect: Rect, keepsPixels: Bool) {
    for rect in steps(to: rect, keepsPixels: keepsPixels) {
      let request = x.place(canvas.window, rect)
      placements.append(rect, by: request, processed: x.processed)
    }
  }
}

extension OverlayState {
  /// The rectangle of the window of the overlay on the screen.
  var windowRect: Rect { cover?.rect ?? rect }
  /// The input region in the coordinates of the window.
  var windowInputRegion: Region { inputRegion.translated(x: -rect.x, y: -rect.y) }
  /// The visible part in the coordinates of the window; nil for all of it.
  var windowShape: Region? { shape?.translated(x: -windowRect.x, y: -windowRect.y) }
  /// The opaque region in the coordinates of the window.
  var windowOpaque: Region { opaque.translated(x: -rect.x, y: -rect.y) }
}

extension XConnection.Canvas {
  /// The pixel of an opaque colour, 0xRRGGBB.
  fileprivate func pixel(of color: UInt32) -> UInt32 {
    var pixel = [color | 0xff00_0000]
    var span = pixel.mutableSpan
    format.compress(&span, of: Rect(x: 0, y: 0, width: 1, height: 1))
    return pixel[0]
  }
}

extension Rect {
  func hasSize(of other: Rect) -> Bool { width == other.width && height == other.height }
}
