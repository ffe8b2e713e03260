/// A pane as it is. Texts are those that the settings are written in.
package struct PaneReport: Codable, Equatable, Sendable {
  package var name: String
  /// As declared.
  package var geometry: String
  /// Where it is on the screen.
  package var rect: String
  package var isShown: Bool
  /// The named one that it was made from.
  package var material: String?
  package var sigma, saturation, brightness, contrast, noise: Double
  /// Its layers, the lowest first.
  package var blend: [String]
  package var tint, corner, border, shadow, sees, input: String
  /// What it holds, in the order in which it is drawn.
  package var content: [ContentReport]
  /// How many times it was presented.
  package var frames: Int

  package init(
    name: String, geometry: String, rect: String, isShown: Bool, material: String?,
    sigma: Double, saturation: Double, brightness: Double, contrast: Double, noise: Double,
    blend: [String], tint: String, corner: String, border: String, shadow: String, sees: String,
    input: String, content: [ContentReport], frames: Int
  ) {
    self.name = name
    self.geometry = geometry
    self.rect = rect
    self.isShown = isShown
    self.sigma = sigma
    self.saturation = saturation
    self.brightness = brightness
    self.contrast = contrast
    self.material = material
    self.noise = noise
    self.blend = blend
    self.tint = tint
    self.corner = corner
    self.border = border
    self.shadow = shadow
    self.sees = sees
    self.input = input
    self.content = content
    self.frames = frames
  }
}

/// How the daemon is, and what it has done since its start.
package struct StatusReport: Codable, Equatable, Sendable {
  package var display: String
  /// The size of the screen, `1920x1080`.
  package var screen: String
  /// How many pixels the user wants for 1/96 inch.
  package var scale: Double
  /// Whether a compositor owns the screen.
  package var compositor: Bool
  /// Whether pixels pass through shared memory, not through the connection to the display.
  package var sharedMemory: Bool
  package var panes: Int
  package var frames: Int
  /// Redraws behind a pane that changed no pixel of it.
  package var unchangedFrames: Int
  package var damageEvents, damagedPixels: Int
  package var bytesRead, bytesWritten: Int
  package var milliseconds: StageMilliseconds
  package var redirectedWindows: Int
  package var residentBytes, bufferBytes: Int
  package var pid: Int
  package var uptimeSeconds: Double

  package init(
    display: String, screen: String, scale: Double, compositor: Bool, sharedMemory: Bool,
    panes: Int,
    frames: Int, unchangedFrames: Int, damageEvents: Int, damagedPixels: Int, bytesRead: Int,
    bytesWritten: Int, milliseconds: StageMilliseconds, redirectedWindows: Int,
    residentBytes: Int, bufferBytes: Int, pid: Int, uptimeSeconds: Double
  ) {
    self.display = display
    self.screen = screen
    self.scale = scale
    self.compositor = compositor
    self.sharedMemory = sharedMemory
    self.panes = panes
    self.frames = frames
    self.unchangedFrames = unchangedFrames
    self.damageEvents = damageEvents
    self.damagedPixels = damagedPixels
    self.bytesRead = bytesRead
    self.bytesWritten = bytesWritten
    self.milliseconds = milliseconds
    self.redirectedWindows = redirectedWindows
    self.residentBytes = residentBytes
    self.bufferBytes = bufferBytes
    self.pid = pid
    self.uptimeSeconds = uptimeSeconds
  }
}

/// The time that each stage of all frames took together.
package struct StageMilliseconds: Codable, Equatable, Sendable {
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

/// The shape of a picture whose pixels come beside the reply: BGRX, one `UInt32` each.
package struct PictureReport: Codable, Equatable, Sendable {
  package var width, height: Int
  package var pixelsPerRow: Int

  package init(width: Int, height: Int, pixelsPerRow: Int) {
    self.width = width
    self.height = height
    self.pixelsPerRow = pixelsPerRow
  }

  /// How many pixels the file holds at least; nil for a shape that no screen has.
  package var pixelCount: Int? {
    let sides = 1...32767
    guard sides.contains(width), sides.contains(height), (width...65536).contains(pixelsPerRow)
    else { return nil }
    return (height - 1) * pixelsPerRow + width
  }
}
