import Engine
import Frost
import Panes
import Raster

/// An output: its state, its captures and the pixels below our overlays.
final class MonitoredOutput {
  let id: OutputID
  let object: WaylandObject
  let xdgObject: WaylandObject?
  /// Whether its version has a request that destroys it.
  let canRelease: Bool
  /// The events so far, and the state at the last `done`.
  var pending, state: OutputState
  var capture: OutputCapture
  /// The place in the space of pixels; nil if it shows nothing.
  var output: Output?
  /// What is below our overlays, in the coordinates of `output`; empty while nothing is watched.
  private var backdrop: [UInt32] = []
  /// Where the backdrop is known.
  private(set) var known = Region()
  /// What is watched.
  private(set) var watched = Region()
  /// Whether the next capture must not wait for a change.
  var needsFrame = false
  /// Whether captures of it have another size than it has, as those of rotated outputs, which cannot be used.
  private(set) var isUnreadable = false
  /// The time before which no capture starts, because the last one failed: the output may be off. Nil if there is none.
  var retryTime: Duration?
  /// The number of the capture in progress, or of the last one.
  private(set) var captureNumber = 0

  init(
    _ id: OutputID, _ object: WaylandObject, xdg: WaylandObject?, canRelease: Bool,
    _ capture: consuming OutputCapture
  ) {
    self.id = id
    self.object = object
    xdgObject = xdg
    self.canRelease = canRelease
    pending = OutputState(name: "output-\(id.global)")
    state = pending
    self.capture = capture
  }

  var layout: PixelLayout { PixelLayout(output?.bounds ?? .zero) }

  /// Sets what is watched, in the coordinates of the display.
  func watch(_ region: Region) {
    watched = region.intersection(Region(output?.bounds ?? .zero))
    known = known.intersection(watched)
    if watched.isEmpty { backdrop = [] }
    if !watched.isEmpty, backdrop.count != layout.pixelCount {
      backdrop = Array(repeating: 0, count: layout.pixelCount)
      known = Region()
    }
  }

  /// Forgets the backdrop, because the output has changed.
  func forget() {
    known = Region()
    backdrop = []
    isUnreadable = false
    retryTime = nil
  }

  /// Starts the next capture, if something is watched.
  func continueCapture(_ connection: borrowing WaylandConnection, now: Duration) {
    guard !watched.isEmpty, capture.isIdle, !isUnreadable else { return }
    if let retryTime, now < retryTime { return }
    retryTime = nil
    let isUnknown = !watched.subtracting(known).isEmpty
    capture.start(connection, waitsForDamage: !needsFrame && !isUnknown)
    needsFrame = false
    captureNumber += 1
  }

  /// Requests a capture that does not wait for a change. Returns its number.
  func requestFrame(_ connection: borrowing WaylandConnection, now: Duration) -> Int {
    if retryTime == nil { capture.cancel(connection) }
    needsFrame = true
    continueCapture(connection, now: now)
    return captureNumber
  }

  func withBackdrop<Result>(_ body: (Span<UInt32>, PixelLayout) -> Result) -> Result {
    let pixels = backdrop
    return body(pixels.span, layout)
  }

  /// Updates the backdrop from a capture. `damage` is what has changed on the screen, in pixels of the output; empty if all
  /// may have. Returns where the backdrop changed.
  func absorb(damage: [Rect], below surfaces: [OverlaySurface]) -> Region {
    guard let buffer = capture.buffer, let bounds = output?.bounds else { return Region() }
    let size = buffer.layout.bounds
    isUnreadable = (size.width, size.height) != (bounds.width, bounds.height)
    if isUnreadable { return Region() }
    let screenLayout = PixelLayout(bounds, stride: buffer.layout.stride)
    let isWhole = damage.isEmpty || !watched.subtracting(known).isEmpty
    let area =
      isWhole
      ? watched
      : Region(damage.map { $0.translated(x: bounds.x, y: bounds.y) }).intersection(watched)
    var pixels: [UInt32] = []
    swap(&pixels, &backdrop)
    defer { swap(&pixels, &backdrop) }
    var changed: [Rect] = []
    buffer.withSpan { screen in
      for surface in surfaces where surface.output == id {
        _ = surface.attribute(screen, screenLayout)
      }
      let shown = surfaces.filter { $0.output == id && $0.displayed != nil }
      var open = area
      for surface in shown {
        guard let face = surface.displayed else { continue }
        open.subtract(face.rect)
        var own = area.intersection(Region(face.rect))
        // Where overlays are on each other, the backdrop is not visible.
        for case let other? in shown.map(\.displayed) where other.buffer !== face.buffer {
          own.subtract(other.rect)
        }
        for part in own.rects {
          changed += recover(part, face, screen, screenLayout, into: &pixels)
        }
        for (x, y) in surface.marks where own.contains(Rect(x: x, y: y, width: 1, height: 1)) {
          let neighbor = own.contains(Rect(x: x + 1, y: y, width: 1, height: 1)) ? x + 1 : x - 1
          if layout.bounds.contains(x: neighbor, y: y) {
            pixels[layout.index(x: x, y: y)] = pixels[layout.index(x: neighbor, y: y)]
          }
        }
      }
      for part in open.rects {
        changed += copy(part, of: screen, screenLayout, into: &pixels)
      }
    }
    known = watched
    return Region(changed)
  }

  private func recover(
    _ part: Rect, _ face: Face, _ screen: Span<UInt32>, _ screenLayout: PixelLayout,
    into pixels: inout [UInt32]
  ) -> [Rect] {
    var span = pixels.mutableSpan
    return face.buffer.withSpan { overlay in
      recoverBackdrop(
        part, fromScreen: screen, screenLayout, below: overlay, face.layout, into: &span, layout
      ).changed
    }
  }

  /// Copies pixels of the screen where there is no overlay. Returns the rows that changed.
  private func copy(
    _ part: Rect, of screen: Span<UInt32>, _ screenLayout: PixelLayout, into pixels: inout [UInt32]
  ) -> [Rect] {
    var changed = Rect.zero
    for y in part.rows {
      let from = screenLayout.index(x: part.x, y: y)
      let to = layout.index(x: part.x, y: y)
      var isSame = true
      for i in 0..<part.width {
        if (screen[from + i] ^ pixels[to + i]) & 0x00ff_ffff != 0 { isSame = false }
        pixels[to + i] = screen[from + i]
      }
      if !isSame { changed = changed.hull(Rect(part.columns, y..<y + 1)) }
    }
    return changed.isEmpty ? [] : [changed]
  }
}
