package import Panes
package import Raster

/// A desktop without a display server, which checks whoever drives it: pixels are in memory, what
/// happens is in the hands of a script (see `HeadlessDesktop+Script.swift`), and a rule of `Desktop`
/// that is broken traps.
///
/// Pixels that nobody may rely on are `garbage`, which no glass and no backdrop has.
package final class HeadlessDesktop: Desktop {
  package private(set) var screen: Rect
  /// What lies behind all overlays.
  package internal(set) var backdrop: Bitmap
  /// What lies below all windows, everywhere.
  package var wallpaper: UInt32 = 0xff20_4060
  /// The backdrop of a screen whose new size has not been told yet.
  var nextBackdrop: Bitmap?
  var events: [DesktopEvent] = []
  package private(set) var watched = Region()
  var windows: [OverlayID: Overlay] = [:]
  private var nextNumber: UInt32 = 1
  private var lastTurn = Duration.zero
  /// How many rectangles are still to be left out of captures.
  package var unreadableCount = 0
  /// How many times still the engine is told to ask again, instead of what has happened.
  package var heldBackCount = 0
  /// Whether a buffer is free again as soon as it was sent.
  package var releasesAtOnce = true
  package var error: DesktopError?
  package private(set) var calls = Calls()

  /// How often the engine has asked for something.
  package struct Calls: Equatable, Sendable {
    package var watch = 0
    package var place = 0
    package var captures = 0
    package var capturedPixels = 0
    package var presents = 0
    package var presentedPixels = 0
    /// Presents that met buffers in use.
    package var refusals = 0

    package init() {}
  }

  package struct Overlay: Equatable, Sendable {
    package let name: String
    package internal(set) var rect: Rect
    package internal(set) var input: InputMode
    package internal(set) var isShown = false
    /// What the screen shows of it.
    package internal(set) var picture: Bitmap
    var busyBuffers = 0

    mutating func forget() {
      picture = Bitmap(width: rect.width, height: rect.height, filledWith: HeadlessDesktop.garbage)
    }
  }

  package static let garbage: UInt32 = 0x0bad_0bad

  package init(_ backdrop: Bitmap) {
    precondition(!backdrop.bounds.isEmpty)
    self.backdrop = backdrop
    screen = backdrop.bounds
  }

  package var descriptor: Int32 { -1 }

  package var report: DesktopReport {
    DesktopReport(
      name: "headless", scale: 1, hasCompositor: false, usesSharedMemory: false,
      redirectedWindows: 0,
      damageEvents: 0, bytesRead: 4 * calls.capturedPixels, bytesWritten: 4 * calls.presentedPixels,
      bufferBytes: 0)
  }

  package func nextEvents(now: Duration) throws(DesktopError) -> [DesktopEvent] {
    try flush()
    precondition(now >= lastTurn, "time runs backwards, from \(lastTurn) to \(now)")
    lastTurn = now
    if heldBackCount > 0 {
      heldBackCount -= 1
      return [.more]
    }
    if let next = nextBackdrop {
      backdrop = next
      screen = next.bounds
      nextBackdrop = nil
    }
    defer { events = [] }
    return events
  }

  package func roundTrip() throws(DesktopError) {
    try flush()
    if releasesAtOnce { releaseBuffers() }
  }

  package func flush() throws(DesktopError) {
    if let error { throw error }
  }

  package func watch(_ region: Region) {
    calls.watch += 1
    watched = region.intersection(screen)
  }

  // MARK: Overlays

  package func makeOverlay(
    _ name: String, _ rect: Rect, _ input: InputMode
  ) throws(DesktopError) -> OverlayID {
    try flush()
    check(rect)
    let id = OverlayID(number: nextNumber)
    nextNumber += 1
    var window = Overlay(
      name: name, rect: rect, input: input, picture: Bitmap(width: 0, height: 0))
    window.forget()
    windows[id] = window
    return id
  }

  package func place(
    _ overlay: OverlayID, _ rect: Rect, _ input: InputMode
  ) throws(DesktopError) {
    try flush()
    calls.place += 1
    check(rect)
    change(overlay) { window in
      let isResized = (rect.width, rect.height) != (window.rect.width, window.rect.height)
      let isMoved = rect != window.rect
      (window.rect, window.input) = (rect, input)
      if isResized { window.busyBuffers = 0 }
      if isMoved { window.forget() }
    }
  }

  package func show(_ overlay: OverlayID) {
    change(overlay) { window in
      precondition(!window.isShown, "\(window.name) is shown already")
      window.isShown = true
      window.forget()
    }
  }

  package func hide(_ overlay: OverlayID) {
    change(overlay) { window in
      precondition(window.isShown, "\(window.name) is hidden already")
      window.isShown = false
      window.busyBuffers = 0
    }
  }

  package func remove(_ overlay: OverlayID) {
    change(overlay) { _ in }
    windows[overlay] = nil
  }

  private func check(_ rect: Rect) {
    precondition(!rect.isEmpty && screen.contains(rect), "an overlay at \(rect) of \(screen)")
  }

  private func change(_ overlay: OverlayID, _ body: (inout Overlay) -> Void) {
    guard var window = windows[overlay] else {
      preconditionFailure("overlay \(overlay.number) is not there, or not any more")
    }
    body(&window)
    windows[overlay] = window
  }

  // MARK: Pixels

  package func capture(
    _ rects: [Rect], seeing sight: Sight, _ body: (Int, Span<UInt32>, PixelLayout) -> Void
  ) throws(DesktopError) {
    try flush()
    precondition(!rects.isEmpty, "a capture of nothing")
    for (i, rect) in rects.enumerated() {
      precondition(!rect.isEmpty && screen.contains(rect), "a capture of \(rect) of \(screen)")
      var unwatched = Region(rect)
      unwatched.subtract(watched)
      precondition(
        unwatched.isEmpty || sight == .wallpaper, "a capture of \(rect), which is not watched")
      if unreadableCount > 0 {
        unreadableCount -= 1
        continue
      }
      calls.captures += 1
      calls.capturedPixels += rect.area
      let layout = PixelLayout(rect, pixelsPerRow: rect.width + calls.captures % 3)
      body(i, pixels(layout, sight).span, layout)
    }
  }

  /// As a screen gives them: the fourth byte means nothing.
  private func pixels(_ layout: PixelLayout, _ sight: Sight) -> [UInt32] {
    var pixels = [UInt32](repeating: Self.garbage, count: layout.pixelCount)
    for y in layout.bounds.rows {
      for x in layout.bounds.columns {
        let pixel = sight == .windows ? backdrop[x, y] : wallpaper
        pixels[layout.index(x: x, y: y)] = pixel & 0x00ff_ffff | 0x5a00_0000
      }
    }
    return pixels
  }

  package func present(
    _ overlay: OverlayID, _ rects: [Rect],
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) throws(DesktopError) -> Bool {
    try flush()
    precondition(!rects.isEmpty, "a frame of nothing")
    var isPresented = false
    change(overlay) { window in
      precondition(window.isShown, "\(window.name) is presented and not shown")
      for rect in rects {
        precondition(
          !rect.isEmpty && window.rect.contains(rect),
          "\(window.name), at \(window.rect), is presented at \(rect)")
      }
      guard window.busyBuffers < 2 else {
        calls.refusals += 1
        return
      }
      isPresented = true
      window.busyBuffers += 1
      calls.presents += 1
      calls.presentedPixels += rects.reduce(0) { $0 + $1.area }
      window.put(rects, draw)
    }
    if releasesAtOnce { releaseBuffers() }
    return isPresented
  }
}

extension HeadlessDesktop.Overlay {
  /// Has a buffer of the whole overlay drawn, and copies what was to be drawn.
  fileprivate mutating func put(
    _ rects: [Rect], _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    let garbage = HeadlessDesktop.garbage
    let layout = PixelLayout(rect, pixelsPerRow: rect.width + rects.count % 2)
    var buffer = [UInt32](repeating: garbage, count: layout.pixelCount)
    var pixels = buffer.mutableSpan
    for part in rects { draw(part, &pixels, layout) }
    for part in rects {
      for y in part.rows {
        for x in part.columns {
          let index = layout.index(x: x, y: y)
          picture[x - rect.x, y - rect.y] = buffer[index]
          buffer[index] = garbage
        }
      }
    }
    precondition(buffer.allSatisfy { $0 == garbage }, "\(name) is drawn outside \(rects)")
  }
}
