/// The state of the daemon and its statistics since its start.
package struct StatusReport: Codable, Equatable, Sendable {
  /// The name of the display.
  package var display: String
  /// Whether there is a connection to the display. Without one, the other values about the display are old.
  package var connected: Bool
  /// The size of the screen, such as `1920x1080`.
  package var screen: String
  /// The scale factor: the number of pixels per 1/96 inch.
  package var scale: Double
  /// Whether a compositing manager runs.
  package var compositor: Bool
  /// How panes show what is behind them: `live`, `still` or `handed-over`; and why so.
  package var glass, glassReason: String
  /// Whether panes are hidden because the desktop is hidden, as by a lock screen.
  package var locked: Bool
  /// Why panes are hidden; nil if `locked` is false.
  package var lockReason: String?
  /// Whether pixels are transferred through shared memory and not through the connection to the
  /// display.
  package var sharedMemory: Bool
  /// The highest frame rate, and what the budget allows of it, in frames per second.
  package var rate, allowedRate: Double
  /// The largest share of one processor in percent; nil without a limit.
  package var cpuBudget: Double?
  /// Whether the machine runs on its battery; nil if that does not matter.
  package var onBattery: Bool?
  /// The number of panes.
  package var panes: Int
  /// The number of frames that were presented.
  package var frames: Int
  /// The number of captures after which no pixel of a pane had changed.
  package var unchangedFrames: Int
  /// The number of damage events of the display.
  package var damageEvents: Int
  /// The number of captures and of their pixels.
  package var captures, capturedPixels: Int
  /// The bytes of pixels that were read from the display and written to it.
  package var bytesRead, bytesWritten: Int
  /// The time of the stages of all frames.
  package var milliseconds: StageMilliseconds
  /// The backdrop store.
  package var cache: CacheReport
  /// The number of redirected windows.
  package var redirectedWindows: Int
  /// The number of windows behind panes that cannot be captured, so panes do not show them.
  package var leftOutWindows: Int
  /// The first window of each pane for each reason why glass behind windows is not shown.
  package var obstructed: [WindowReport]
  /// The configuration file that the daemon follows; nil if there is none.
  package var configuration: String?
  /// The errors of the file, as lines; the daemon still follows the former text then.
  package var configurationErrors: [String]
  /// The wallpaper that the settings declare; nil if none.
  package var wallpaper: String?
  /// Why it is not used; nil if it is.
  package var wallpaperError: String?
  /// The panes that wait until wallpaper can be seen that windows cover; nil if none.
  package var awaitingWallpaper: [String]?
  /// The resident memory of the daemon, and the memory of the buffers shared with the display.
  package var residentBytes, bufferBytes: Int
  /// The version of the daemon.
  package var version: String
  /// The instruction set for which the daemon was built, such as `x86-64-v3`.
  package var build: String
  /// The process identifier.
  package var pid: Int
  /// The time since the start.
  package var uptimeSeconds: Double

  package init(
    display: String, connected: Bool, screen: String, scale: Double, compositor: Bool,
    glass: String, glassReason: String, locked: Bool, lockReason: String? = nil,
    sharedMemory: Bool, rate: Double, allowedRate: Double, cpuBudget: Double? = nil,
    onBattery: Bool? = nil, panes: Int, frames: Int, unchangedFrames: Int, damageEvents: Int,
    captures: Int,
    capturedPixels: Int, bytesRead: Int, bytesWritten: Int, milliseconds: StageMilliseconds,
    cache: CacheReport, redirectedWindows: Int, leftOutWindows: Int,
    obstructed: [WindowReport], configuration: String? = nil, configurationErrors: [String] = [],
    residentBytes: Int, bufferBytes: Int, version: String, build: String, pid: Int,
    uptimeSeconds: Double
  ) {
    self.display = display
    self.connected = connected
    self.screen = screen
    self.scale = scale
    self.compositor = compositor
    self.glass = glass
    self.glassReason = glassReason
    self.locked = locked
    self.lockReason = lockReason
    self.sharedMemory = sharedMemory
    self.rate = rate
    self.allowedRate = allowedRate
    self.cpuBudget = cpuBudget
    self.onBattery = onBattery
    self.panes = panes
    self.frames = frames
    self.unchangedFrames = unchangedFrames
    self.damageEvents = damageEvents
    self.captures = captures
    self.capturedPixels = capturedPixels
    self.bytesRead = bytesRead
    self.bytesWritten = bytesWritten
    self.milliseconds = milliseconds
    self.cache = cache
    self.redirectedWindows = redirectedWindows
    self.leftOutWindows = leftOutWindows
    self.obstructed = obstructed
    self.configuration = configuration
    self.configurationErrors = configurationErrors
    self.residentBytes = residentBytes
    self.bufferBytes = bufferBytes
    self.version = version
    self.build = build
    self.pid = pid
    self.uptimeSeconds = uptimeSeconds
  }
}

/// The total time of each stage of all frames, in milliseconds.
package struct StageMilliseconds: Codable, Equatable, Sendable {
  /// The stages. `capture` includes the time until the reply of the display server.
  package var capture, reduce, blur, draw, present: Double

  package init(
    capture: Double = 0, reduce: Double = 0, blur: Double = 0, draw: Double = 0,
    present: Double = 0
  ) {
    self.capture = capture
    self.reduce = reduce
    self.blur = blur
    self.draw = draw
    self.present = present
  }
}

/// The contents and the statistics of the backdrop store.
package struct CacheReport: Codable, Equatable, Sendable {
  /// The memory of the tiles and its limit.
  package var bytes, byteLimit: Int
  /// The number of tiles and its limit.
  package var tiles, tileLimit: Int
  /// The number of tiles that shown panes need, which are not evicted.
  package var pinnedTiles: Int
  /// The number of parts of tiles that a pane began to need and whose cells all had values (hits)
  /// or not (misses).
  package var hits, misses: Int
  /// The number of tiles that were removed because of a limit or of memory pressure.
  package var evictions: Int

  package init(
    bytes: Int = 0, byteLimit: Int = 0, tiles: Int = 0, tileLimit: Int = 0, pinnedTiles: Int = 0,
    hits: Int = 0, misses: Int = 0, evictions: Int = 0
  ) {
    self.bytes = bytes
    self.byteLimit = byteLimit
    self.tiles = tiles
    self.tileLimit = tileLimit
    self.pinnedTiles = pinnedTiles
    self.hits = hits
    self.misses = misses
    self.evictions = evictions
  }
}

/// The action of `apply` for one pane.
package struct ActionReport: Codable, Equatable, Sendable {
  /// The name of the pane.
  package var name: String
  /// `add`, `change`, `remove` or `keep`.
  package var action: String

  package init(name: String, action: String) {
    self.name = name
    self.action = action
  }
}

/// The size of a picture whose pixels are in an attached file: premultiplied BGRA, one `UInt32`
/// each.
package struct PictureReport: Codable, Equatable, Sendable {
  /// The size in pixels.
  package var width, height: Int
  /// The distance from one row to the next, in pixels.
  package var stride: Int

  package init(width: Int, height: Int, stride: Int) {
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// The smallest number of pixels that the file must hold; nil if the size is out of range.
  package var pixelCount: Int? {
    let sides = 1...32767
    guard sides.contains(width), sides.contains(height), (width...65536).contains(stride)
    else { return nil }
    return (height - 1) * stride + width
  }
}
