package import Panes
package import Raster

/// The interface of the engine to a display server. It handles the positions and pixels of panes,
/// but does not compute glass.
///
/// No call waits for the server: replies arrive as events. `flush` sends the requests.
package protocol Display: ~Copyable {
  /// The whole screen, of which each output shows a part.
  var screen: Output { get }
  /// The monitors, or the whole screen if there are none; at least one. Their names differ.
  var outputs: [Output] { get }
  /// The names of outputs that show nothing, such as those without a cable.
  var inactiveOutputs: [String] { get }
  /// A file descriptor that becomes readable when `nextEvents` may return events.
  var descriptor: Int32 { get }
  /// The time at which `nextEvents` must be called even if the descriptor is not readable; nil if
  /// there is none.
  var deadline: Duration? { get }
  /// Whether overlays with alpha are blended with the pixels below them.
  var blendsAlpha: Bool { get }
  /// Whether the pixels of overlays without alpha are stored on the screen only. If an overlay moves, pixels
  /// that are in both rectangles stay where they are on the screen. Pixels of parts that another overlay
  /// without alpha covers are lost; `.exposed` follows when these parts are visible again.
  var drawsOnScreen: Bool { get }
  /// How panes show what is behind them.
  var way: GlassWay { get }
  /// The scheme of the desktop; nil if it says none.
  var colorScheme: ColorScheme? { get }
  /// The part of the screen where the desktop is known to be hidden, as by a lock screen. Overlays that reach it must be
  /// hidden.
  var lockedRegion: Region { get }
  /// Why there is such a part; nil if there is none.
  var lockReason: LockReason? { get }
  /// Whether the server does not read what was sent. Then no frame should begin, and `flush` sends nothing. The
  /// descriptor becomes writable when `flush` should be called again.
  var isCongested: Bool { get }
  /// Whether a reply is pending that may change reported state.
  var isLearning: Bool { get }
  /// Whether another daemon has taken over the display, so that this one must end.
  var isReplaced: Bool { get }
  /// Whether memory was lacking for a request or a reply. Then what the display knows and shows may be wrong until it is
  /// opened again.
  var lacksMemory: Bool { get }
  /// Whether it can report the windows of other programs.
  var reportsWindows: Bool { get }
  /// The windows that may have glass right beneath them, in stacking order, the lowest first; as they are wanted by
  /// `reportTargets`.
  var targets: [TargetWindow] { get }
  /// The state and the statistics of the connection.
  var report: DisplayReport { get }

  /// Returns the events since the last call: if `reads` is false only those that are in memory already,
  /// because they came with replies or while requests were sent. `now` is the time of this loop iteration and
  /// must not decrease. Throws `lost`.
  mutating func nextEvents(now: Duration, reads: Bool) throws(DisplayError) -> [DisplayEvent]

  /// Ends the connection, after an error. From now on no call has an effect.
  mutating func disconnect()

  /// Sends all requests that were made so far. Throws `lost`.
  mutating func flush() throws(DisplayError)

  /// Windows are restacked at most once in `frameInterval`; large pictures may use `threads` threads.
  mutating func limitWork(frameInterval: Duration, threads: Int)

  /// Gives scales to outputs, of which `.outputsChanged` follows. Has no effect where the display demands a scale.
  mutating func setOutputScales(_ scales: OutputScales)

  /// The part of a view that cannot be known at present: wallpaper that windows cover, or a client that cannot be read. Captures fail
  /// there. `.damaged` follows when it is known.
  func hiddenRegion(of view: View) -> Region

  /// The outputs on which a pane shows the wallpaper and for which pictures can be given. None where the display tells what the
  /// wallpaper is.
  var wallpaperTargets: [WallpaperTarget] { get }

  /// Sets where the wallpaper comes from. Has no effect where the display tells what it is.
  mutating func setWallpaper(_ source: WallpaperSource)

  /// Requests the event `.answered`, which is returned when the server has executed all requests
  /// that were made so far, after all events that were caused before.
  mutating func requestAnswer() -> AnswerID

  /// Requests the event `.pointerFound`.
  mutating func requestPointer()

  /// Sets the region of each view whose changes are reported. Other changes are not reported. Without a region, captured pixels are
  /// freed.
  mutating func watch(_ regions: [View: Region])

  /// Sets which windows are in `targets`, and whether applications are told that their requests for blur are fulfilled.
  /// Without an interest they cost nothing.
  mutating func reportTargets(_ interest: TargetInterest)

  /// Sets for which windows with an alpha channel `targets` tells what they paint, also when that changes: opaque pixels all the
  /// same, or parts that are free. They need not exist.
  mutating func inspect(_ windows: Set<WindowID>)

  /// Captures what is behind shown panes again, if `way` is `still`; `.damaged` reports it. Panes may vanish meanwhile.
  mutating func refresh()

  /// The region of windows that are above the panes of one layer and below those of a higher one.
  func regionOfWindows(above lower: StackingLayer, below upper: StackingLayer) -> Region

  // MARK: Capture

  /// Starts to capture regions of views, which must be watched. Each pixel is read once. The event
  /// `.captured` ends the capture. At most one capture may be in progress.
  mutating func startCapture(_ regions: [View: Region])

  /// Whether the captured pixels of `rect` are composed from several layers for `withCaptured`. Then it should
  /// be called with small rectangles. Allowed like `withCaptured`.
  func isComposed(_ rect: Rect, of view: View) -> Bool

  /// Calls `body` with captured pixels (BGRX) that cover `rect`, which must be in the region of
  /// `view` that was read. Allowed until the next capture starts, and as long as something is watched.
  mutating func withCaptured(
    _ rect: Rect, of view: View, _ body: (Span<UInt32>, PixelLayout) -> Void)

  // MARK: Overlays

  /// Creates a hidden overlay with the name of a pane. A call of `setOrder` must follow.
  mutating func makeOverlay(_ name: String) -> OverlayID

  /// Removes an overlay that is not being updated, and its pixels.
  mutating func removeOverlay(_ overlay: OverlayID)

  /// Sets the stacking order of all overlays, the lowest first. All overlays must be in the list: first those in layers,
  /// sorted by these, then those beneath windows.
  mutating func setOrder(_ overlays: [StackedOverlay])

  /// Begins an update of an overlay: a state with new pixels in `rects`, which must be disjoint and inside
  /// `state.rect`. An overlay that is new, hidden, lost, or whose rectangle or alpha changes must be drawn whole,
  /// except for the parts that need not be drawn if `drawsOnScreen` is true. No other update may be in progress.
  ///
  /// Returns false and does nothing while the server still reads all buffers of the overlay. Then
  /// `.released` follows.
  mutating func beginUpdate(
    _ overlay: OverlayID, _ state: OverlayState, _ rects: [Rect]
  ) -> Bool

  /// Continues the update: calls `draw` for parts of its rectangles, each within one of them, of about `pixelCount`
  /// pixels together. Returns whether the update has ended: all of them are drawn, and the overlay shows the state.
  /// Before, it may show some of the pixels if there are more than `largePixelCount`.
  mutating func continueUpdate(
    _ overlay: OverlayID, _ pixelCount: Int,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> Bool

  /// Cancels the update before all of its rectangles are drawn.
  mutating func cancelUpdate(_ overlay: OverlayID)

  /// Hides an overlay that is not being updated.
  mutating func hide(_ overlay: OverlayID)

  // MARK: Input

  /// Gives an overlay the keyboard because of a contact at a time of the display.
  mutating func requestFocus(of overlay: OverlayID, time: UInt32)

  /// Gives the keyboard back to the window that had it before the overlay. Does nothing if the overlay does not have it.
  mutating func releaseFocus(of overlay: OverlayID)
}

// Defaults.
extension Display where Self: ~Copyable {
  package var drawsOnScreen: Bool { false }
  package var way: GlassWay { .live }
  package var isCongested: Bool { false }
  package var isLearning: Bool { false }
  package var isReplaced: Bool { false }
  package var lacksMemory: Bool { false }
  /// Nothing is composed.
  package func isComposed(_ rect: Rect, of view: View) -> Bool { false }
  /// Live glass needs no refresh.
  package mutating func refresh() {}
  package mutating func setOutputScales(_ scales: OutputScales) {}

  // MARK: Defaults of a display that tells nothing of the desktop

  package var colorScheme: ColorScheme? { nil }
  package var lockedRegion: Region { Region() }
  package var lockReason: LockReason? { nil }

  // MARK: Defaults of a display that does not report the windows of other programs

  package var reportsWindows: Bool { false }
  package var targets: [TargetWindow] { [] }
  package mutating func reportTargets(_ interest: TargetInterest) {}
  package mutating func inspect(_ windows: Set<WindowID>) {}
  package func regionOfWindows(above lower: StackingLayer, below upper: StackingLayer) -> Region {
    Region()
  }

  // MARK: Defaults of a display that knows the wallpaper

  package func hiddenRegion(of view: View) -> Region { Region() }
  package var wallpaperTargets: [WallpaperTarget] { [] }
  package mutating func setWallpaper(_ source: WallpaperSource) {}
}

/// Where the wallpaper comes from that panes show.
package enum WallpaperSource: Equatable, Sendable {
  /// The pixels of the screen where no window is.
  case screen
  /// Pictures that follow. Until then panes that show the wallpaper wait.
  case awaited
  /// A picture for each output, of its size. Others wait.
  case pictures([WallpaperPicture])
}

/// A frame of more pixels is large: it may use several threads, and is sent in bands.
package let largePixelCount = 2 << 20

/// The pixels that a capture can read: those of an output below a position in the window stack, or those of a window.
package enum View: Hashable, Sendable {
  /// Everything below the panes of a layer.
  case belowPanes(StackingLayer)
  /// Everything below a window of another client.
  case belowWindow(WindowID)
  /// The pixels of the client in a window, in the coordinates of the client. Not the pixels below or above it.
  case client(WindowID)
  /// The wallpaper, below all windows.
  case wallpaper

  package var isClient: Bool { if case .client = self { true } else { false } }
}

/// Identifies a window of another client.
package struct WindowID: Hashable, Sendable {
  package let number: UInt32
  package init(number: UInt32) { self.number = number }
}

/// Identifies an overlay: the window or surface that shows a pane.
package struct OverlayID: Hashable, Sendable {
  package let number: UInt32
  package init(number: UInt32) { self.number = number }
}

/// An overlay in the stacking order.
package struct StackedOverlay: Hashable, Sendable {
  package let id: OverlayID
  package let layer: StackingLayer
  /// The window right beneath which it belongs; nil if it is in its layer.
  package let target: WindowID?
  /// Whether it belongs directly above the client in that window instead. Such an overlay moves with the window, so it has no place
  /// in the stacking order of the others.
  package let isOver: Bool
  /// Whether the user has named this window, and not only its kind.
  package let isTargetNamed: Bool

  /// An overlay in a layer, or at a window: beneath it, or over its client.
  package init(
    _ id: OverlayID, _ layer: StackingLayer, at target: WindowID? = nil, isOver: Bool = false,
    isTargetNamed: Bool = false
  ) {
    self.id = id
    self.layer = layer
    self.target = target
    self.isOver = isOver
    self.isTargetNamed = isTargetNamed
  }
}

/// Identifies a request for `.answered`.
package struct AnswerID: Hashable, Sendable {
  package let number: UInt64
  package init(number: UInt64) { self.number = number }
}

/// The state of a shown overlay, without its pixels.
package struct OverlayState: Equatable, Sendable {
  /// The rectangle of the overlay.
  package var rect: Rect
  /// A rectangle that contains the overlay in all states of its motion, if it is moved. A display can keep a window of this
  /// size, whose place then stays the same.
  package var travel: Rect
  /// Whether its pixels are premultiplied BGRA; otherwise they are BGRX.
  package var hasAlpha: Bool
  /// The part of its rectangle in which it is visible at all; nil for all of it.
  package var shape: Region?
  /// The region in which it hides the pixels below.
  package var opaque: Region
  /// The region in which the display blurs what is behind it, if its way is `handedOver`.
  package var blurred: Region
  /// The region in which it receives clicks. Clicks elsewhere reach the window below.
  package var inputRegion: Region
  /// Whether contacts that begin in the input region are reported until they end, and the key Escape.
  package var reportsContacts: Bool
  /// The client that it covers; nil if it does not belong over one.
  package var cover: ClientCover?

  package init(
    rect: Rect, travel: Rect? = nil, shape: Region? = nil, hasAlpha: Bool, opaque: Region,
    blurred: Region = Region(), inputRegion: Region, reportsContacts: Bool = false,
    cover: ClientCover? = nil
  ) {
    self.rect = rect
    self.travel = travel ?? rect
    self.shape = shape
    self.hasAlpha = hasAlpha
    self.opaque = opaque
    self.blurred = blurred
    self.inputRegion = inputRegion
    self.reportsContacts = reportsContacts
    self.cover = cover
  }
}

/// How an overlay covers the client in its window. The display resizes it with the client at once, before the next update.
package struct ClientCover: Equatable, Sendable {
  /// The place of the client on the screen when the update was drawn.
  package var client: Rect
  /// The distances of the overlay from the edges of the client.
  package var inset: Margin
  /// The colour, 0xRRGGBB, of parts that no update has drawn yet.
  package var color: UInt32

  package init(client: Rect, inset: Margin, color: UInt32) {
    (self.client, self.inset, self.color) = (client, inset, color)
  }

  /// The area that the overlay covers on the screen. The rectangle of its state is the part of it that is on the screen.
  package var rect: Rect { inset.reduced(client) }
}

/// An event of the display.
package enum DisplayEvent: Equatable, Sendable {
  /// A region of a view changed. If `isCaptured`, this was before the last capture was executed, so its pixels
  /// include the change.
  case damaged(View, Region, isCaptured: Bool)
  /// A new wallpaper was announced. Some programs announce it before they draw it.
  case wallpaperAnnounced(Region)
  /// The capture ended. The regions `failed` could not be read.
  case captured(failed: [View: Region])
  /// The server has executed all requests before `requestAnswer`.
  case answered(AnswerID)
  /// An overlay lost the pixels that it showed.
  case exposed(OverlayID, Rect)
  /// A buffer of an overlay can be written again.
  case released(OverlayID)
  /// Another client destroyed or changed an overlay. It must be drawn whole again.
  case lost(OverlayID)
  /// A contact that began on an overlay that reports them. Its end is not reported if the display has replaced the window of the
  /// overlay, or if that is hidden.
  case contact(OverlayID, Contact)
  /// The key Escape was pressed while an overlay had the keyboard.
  case escapePressed(OverlayID)
  /// The screen was reconfigured: all pixels may have changed, also if `screen` and `outputs` are the same again.
  case screenChanged
  /// `screen` or `outputs` changed.
  case outputsChanged
  /// The position of the pointer after `requestPointer`.
  case pointerFound(x: Int, y: Int)
  /// `lockedRegion` changed.
  case lockChanged
  /// `targets` changed.
  case targetsChanged
  /// `blendsAlpha` changed.
  case blendingChanged
  /// `colorScheme` changed.
  case colorSchemeChanged
  /// More events are in memory. The descriptor does not become readable for them.
  case more
}

/// The state and the statistics of a display.
package struct DisplayReport: Equatable, Sendable {
  package var name: String
  /// Why glass is shown in the display's way.
  package var reason: String
  package var hasCompositor, usesSharedMemory: Bool
  package var redirectedWindows: Int
  /// The number of windows behind panes that cannot be captured, so panes do not show them.
  package var leftOutWindows: Int
  package var damageEvents: Int
  /// The bytes of pixels that were read from the display and written to it.
  package var bytesRead, bytesWritten: Int
  /// The memory of the buffers that the server reads and writes.
  package var bufferBytes: Int

  package init(
    name: String, reason: String, hasCompositor: Bool, usesSharedMemory: Bool,
    redirectedWindows: Int,
    leftOutWindows: Int,
    damageEvents: Int, bytesRead: Int, bytesWritten: Int, bufferBytes: Int
  ) {
    self.name = name
    self.reason = reason
    self.hasCompositor = hasCompositor
    self.usesSharedMemory = usesSharedMemory
    self.redirectedWindows = redirectedWindows
    self.leftOutWindows = leftOutWindows
    self.damageEvents = damageEvents
    self.bytesRead = bytesRead
    self.bytesWritten = bytesWritten
    self.bufferBytes = bufferBytes
  }
}

/// An error of the display. The texts are complete messages.
package enum DisplayError: Error, Equatable, Sendable {
  /// No connection could be made.
  case unreachable(String)
  /// The server lacks a required feature.
  case unsupported(String)
  /// The connection broke.
  case lost(String)
  /// Another daemon serves this display.
  case alreadyServed(String)
}

extension DisplayError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let text), .unsupported(let text), .lost(let text),
      .alreadyServed(let text):
      text
    }
  }
}
