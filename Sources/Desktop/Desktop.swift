package import Panes
package import Raster

/// What a display server must do for the engine. It knows panes' places and pixels, and nothing of how
/// the glass is made.
///
/// Nothing here waits for anything but the display server's own answer to a question.
package protocol Desktop: ~Copyable {
  /// All of it, from (0, 0).
  var screen: Rect { get }
  /// Readable when `nextEvents` may have something.
  var descriptor: Int32 { get }
  /// What the user may want to know of it.
  var report: DesktopReport { get }

  /// What has happened since the last call; never waits. `now` is the time of this turn of the loop.
  mutating func nextEvents(now: Duration) throws(DesktopError) -> [DesktopEvent]

  /// Waits until the server has done all that it was asked for.
  mutating func roundTrip() throws(DesktopError)

  /// Sends what has been asked for.
  mutating func flush() throws(DesktopError)

  /// Says where shown panes look at windows: from now on changes there are reported, and only there.
  mutating func watch(_ region: Region)

  /// A window for a pane, not shown yet.
  mutating func makeOverlay(_ name: String, _ rect: Rect, _ input: InputMode) throws(DesktopError)
    -> OverlayID

  /// Moves, resizes. Its pixels are undefined until they are presented again.
  mutating func place(_ overlay: OverlayID, _ rect: Rect, _ input: InputMode)
    throws(DesktopError)

  /// Shows an overlay above everything.
  mutating func show(_ overlay: OverlayID)
  mutating func hide(_ overlay: OverlayID)
  mutating func remove(_ overlay: OverlayID)

  /// Reads what is to be seen behind overlays: for each of `rects`, in their order, calls `body` with
  /// its pixels (BGRX, packed as the layout says). A part that could not be read is left out: it is to be
  /// asked for again.
  mutating func capture(
    _ rects: [Rect], seeing sight: Sight, _ body: (Int, Span<UInt32>, PixelLayout) -> Void
  ) throws(DesktopError)

  /// Has `draw` write each of `rects` (screen coordinates, inside the overlay's) and sends them to the
  /// screen. Returns false, and does nothing, while the overlay's buffers are still being read by the
  /// server; a `.released` follows, unless the overlay is hidden or resized before.
  mutating func present(
    _ overlay: OverlayID, _ rects: [Rect],
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) throws(DesktopError) -> Bool
}

/// A pane's window, as the desktop knows it.
package struct OverlayID: Hashable, Sendable {
  package let number: UInt32
  package init(number: UInt32) { self.number = number }
}

package enum DesktopEvent: Equatable, Sendable {
  /// The backdrop changed there.
  case damaged(Region)
  /// A new wallpaper comes there. Some say so before they draw it: it may go on changing for a moment.
  case wallpaperChanged(Region)
  /// An overlay lost what it showed there (screen coordinates).
  case exposed(OverlayID, Rect)
  /// An overlay's buffer may be written again.
  case released(OverlayID)
  /// The screen has a new size.
  case resized
  /// There is more to ask for at once, and nothing else would tell.
  case more
}

package struct DesktopReport: Equatable, Sendable {
  package var name: String
  /// How many pixels the user wants for 1/96 inch.
  package var scale: Double
  package var hasCompositor, usesSharedMemory: Bool
  package var redirectedWindows: Int
  package var damageEvents: Int
  package var bytesRead, bytesWritten: Int
  /// Pixels held for the server to read or write.
  package var bufferBytes: Int

  package init(
    name: String, scale: Double, hasCompositor: Bool, usesSharedMemory: Bool,
    redirectedWindows: Int,
    damageEvents: Int, bytesRead: Int, bytesWritten: Int, bufferBytes: Int
  ) {
    self.name = name
    self.scale = scale
    self.hasCompositor = hasCompositor
    self.usesSharedMemory = usesSharedMemory
    self.redirectedWindows = redirectedWindows
    self.damageEvents = damageEvents
    self.bytesRead = bytesRead
    self.bytesWritten = bytesWritten
    self.bufferBytes = bufferBytes
  }
}

package enum DesktopError: Error, Equatable, Sendable {
  /// No connection could be made.
  case unreachable(String)
  /// The server cannot do what we need.
  case unsupported(String)
  /// The connection is gone.
  case lost(String)
  /// Another daemon serves this display.
  case alreadyServed(String)
}

extension DesktopError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let text), .unsupported(let text), .lost(let text),
      .alreadyServed(let text):
      text
    }
  }
}
