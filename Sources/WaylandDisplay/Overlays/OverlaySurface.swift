import Panes
import Raster
import WaylandClient

/// A layer surface on one output that shows a part of a stack of overlays: a pane, the probe below windows, or one of the two
/// surfaces of a sample, which has no class of its own.
class OverlaySurface {
  final let output: OutputID
  final var role: LayerSurface
  final var faces = SurfaceFaces()
  /// The rectangle in which the surface is drawn; empty until it was drawn completely.
  final var shown = Rect.zero
  /// The part of its place that it covers in the state that was last begun.
  final var covered = Rect.zero
  /// Where it hides what is below it.
  final var opaque = Region()
  /// The part of the output where it may show something.
  final var extent = Region()
  /// The part of the stack of overlays that it shows; it is clear elsewhere.
  final private(set) var owned = Region()
  /// Where translucent parts of overlays in higher layers are above it. Marks could not be seen there.
  final private var overlaid = Region()
  /// Where its pixels, or those of panes that are visible through them, have changed since the last commit.
  final var pending = Region()
  /// Where the backdrop has changed since the overlay was drawn over it.
  final var outdated = Region()
  final private var tiles: MarkedTiles
  final private var buffers = OverlayBuffers()
  /// The time of the last commit with pixels.
  final private var commitTime = Duration.zero
  final var memoryPause = MemoryPause()

  init(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection, on output: OutputID,
    _ outputObject: WaylandObject, layer: StackingLayer, at place: SurfacePlace,
    highestLayer: Int? = nil
  ) {
    self.output = output
    role = LayerSurface(
      objects, connection, on: outputObject, layer: layer, at: place,
      highestLayer: highestLayer ?? objects.highestLayer)
    tiles = MarkedTiles(place.rect)
  }

  final func destroy(_ connection: borrowing WaylandConnection) {
    role.destroy(connection)
    buffers.destroyAll(connection)
  }

  final var place: SurfacePlace { role.place }
  final var layer: StackingLayer { role.layer }
  final var waylandLayer: Int { role.waylandLayer }
  /// The level of its backdrop.
  final var level: BackdropLevel { BackdropLevel(of: layer) }
  final var displayed: Face? { faces.displayed }
  final var committed: Face? { faces.committed }

  // MARK: For subclasses

  /// The expected colour of a pixel on the screen, premultiplied; 0 where none is expected. Only an opaque one can be a mark.
  func expectedPixel(x: Int, y: Int) -> UInt32 { 0 }

  /// The face of the next commit: the part of the stack that is not clear, its opaque part, and a pattern for a check.
  var nextFace: (owned: Region, opaque: Region, pattern: CheckPattern?) { (owned, Region(), nil) }

  /// Shows all of its place.
  final func cover() {
    shown = place.rect
    extent = Region(shown)
  }

  // MARK: Requests

  /// The first commit, without pixels. The event `configure` follows.
  final func announce(_ connection: borrowing WaylandConnection) { role.commit(connection) }

  final func handleConfigure(serial: Int, _ connection: borrowing WaylandConnection) {
    role.acknowledgeConfigure(serial: serial, connection)
  }

  final func setLayer(_ new: StackingLayer, _ connection: borrowing WaylandConnection) {
    role.setLayer(new, connection)
  }

  final func setTakesKeyboard(_ takes: Bool, _ connection: borrowing WaylandConnection) {
    role.setTakesKeyboard(takes, connection)
  }

  final func requestFrameDone(_ connection: borrowing WaylandConnection) {
    role.requestFrameDone(connection)
  }

  final func handleFrameDone(
    _ callback: WaylandObject, _ connection: borrowing WaylandConnection
  ) -> Bool {
    role.handleFrameDone(callback, connection)
  }

  final func handleRelease(
    of object: WaylandObject, _ connection: borrowing WaylandConnection
  ) -> Bool {
    buffers.handleRelease(of: object, connection)
  }

  /// Gives it another place. All pixels must be drawn again.
  func move(to new: SurfacePlace, _ connection: borrowing WaylandConnection) {
    if new == place { return }
    let (old, rect) = (place.rect, new.rect)
    role.move(to: new, connection)
    if (rect.width, rect.height) != (old.width, old.height) { buffers.retireAll(connection) }
    tiles = MarkedTiles(rect)
    shown = .zero
    (extent, owned) = (Region(), Region())
    buffers.markMoved(to: rect)
    (pending, outdated) = (Region(), Region())
  }

  // MARK: Buffers

  /// The memory of its buffers.
  final var byteCount: Int { buffers.byteCount }

  /// The time at which `freeSpareBuffers` frees memory; nil if it would not.
  final var spareDeadline: Duration? {
    let hasSpare = committed == nil && buffers.hasFree(besides: faces.all)
    return hasSpare ? commitTime + Self.spareTime : nil
  }

  /// Destroys the buffers that are not shown if nothing was drawn for a while. The next commit makes a new one.
  final func freeSpareBuffers(now: Duration, _ connection: borrowing WaylandConnection) {
    guard let spareDeadline, spareDeadline <= now else { return }
    buffers.destroyFree(besides: faces.all, connection)
  }

  /// The time after a commit for which a spare buffer is kept. To draw one of 1920x1080 whole every two seconds takes less
  /// than 0.3 % of the time.
  static let spareTime = Duration.seconds(2)

  // MARK: Changes

  /// Whether a commit would change something on the screen, or where it takes clicks.
  final var isChanged: Bool {
    if shown.isEmpty { return false }
    return !pending.isEmpty || role.areRegionsOutdated && displayed != nil
  }

  /// Whether the screen shows it as it is wanted.
  final var isSettled: Bool { role.isConfigured && committed == nil && !isChanged }

  /// Whether it can be committed now.
  final var canCommit: Bool {
    role.isConfigured && committed == nil && buffers.canTake(besides: faces.all)
  }

  /// Whether it can be committed now, with what it shows.
  var isReady: Bool { canCommit }

  /// Draws it again with the next commit.
  final func redraw() { pending.form(union: Region(shown)) }

  /// Sets the part of the stack that it shows.
  final func setOwned(_ region: Region) {
    if region == owned { return }
    pending.form(union: region.subtracting(owned))
    pending.form(union: owned.subtracting(region))
    owned = region
  }

  /// Sets where overlays in higher layers are above it. Marks there go to other places.
  final func setOverlaid(_ region: Region) {
    overlaid = region
    for (x, y) in tiles.marks where !canShowMark(x, y) {
      pending.form(union: Rect(x: x, y: y, width: 1, height: 1))
    }
  }

  /// Draws again where the pixels below have changed and are visible.
  final func redraw(below region: Region) {
    pending.form(union: region.intersection(shown).subtracting(opaque))
  }

  // MARK: Commits

  /// Draws what has changed over the backdrop and commits it. `draw` draws a part of the stack of overlays with the leaks
  /// of the backdrop. Without marks, `handleFrameDone` confirms the commit. Returns what changes on the screen. Throws
  /// `outOfMemory`; then all is as before.
  final func commit(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection, hasMarks: Bool,
    now: Duration, _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) throws(WaylandError) -> Region {
    let dirty = pending.union(outdated.intersection(owned)).intersection(place.rect)
    if !dirty.isEmpty { try buffers.prepare(place.rect, besides: faces.all, objects, connection) }
    (pending, outdated) = (Region(), Region())
    if dirty.isEmpty {
      role.commitRegions(objects, connection)
      return dirty
    }
    let touched = tiles.indices(touching: dirty)
    tiles.touch(touched) { x, y in
      hasMarks && expectedPixel(x: x, y: y) >> 24 == 255 && canShowMark(x, y)
    }
    buffers.markChanged(dirty)
    let draft = buffers.take(besides: faces.all)
    commitTime = now
    let marks = self.draw(draft, touched: touched, draw)
    let places = marks.values.map { Rect(x: $0.x, y: $0.y, width: 1, height: 1) }
    let damage = dirty.union(Region(places))
    role.commit(draft.buffer, damage, objects, connection)
    let (owned, opaque, pattern) = nextFace
    faces.commit(
      Face(
        buffer: draft.buffer, rect: place.rect, owned: owned, opaque: opaque, pattern: pattern,
        touched: touched, marks: marks))
    return damage
  }

  /// Draws the outdated region of a buffer, with the marks of its tiles. Returns the marks of the touched tiles.
  private final func draw(
    _ draft: OverlayBuffers.Draft, touched: Set<Int>,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> [Int: Face.Mark] {
    let drawn = draft.outdated.intersection(place.rect)
    let layout = PixelLayout(place.rect, stride: draft.buffer.layout.stride)
    var marks: [Int: Face.Mark] = [:]
    draft.buffer.withPixels { pixels in
      for part in drawn.rects { draw(part, &pixels, layout) }
      for tile in tiles.indices(touching: drawn) {
        guard let (x, y) = tiles.mark(tile) else { continue }
        let pixel = tiles.pixel(ofMark: tile, wanted: expectedPixel(x: x, y: y))
        pixels[layout.index(x: x, y: y)] = pixel
        if touched.contains(tile) { marks[tile] = Face.Mark(x: x, y: y, pixel: pixel) }
      }
    }
    return marks
  }

  private final func canShowMark(_ x: Int, _ y: Int) -> Bool {
    let rect = Rect(x: x, y: y, width: 1, height: 1)
    return owned.contains(rect) && !overlaid.intersects(rect)
  }

  /// Records the number of the output's last capture before the last commit.
  final func setCaptureAtCommit(_ number: Int) { faces.captureAtCommit = number }

  // MARK: Captures

  /// The rectangle of a tile of the displayed face.
  final func rect(ofTile index: Int) -> Rect {
    MarkedTiles.rect(of: index, in: displayed?.rect ?? place.rect)
  }

  /// Finds out which face a capture of `rect` with a number shows. Returns whether the last commit is seen for the first
  /// time.
  final func attribute(
    _ screen: Span<UInt32>, _ layout: PixelLayout, in rect: Rect, ofCapture number: Int
  ) -> Bool {
    faces.attribute(
      screen, layout, in: rect, ofCapture: number, isFrameDone: role.isFrameDone)
  }

  /// Counts the last commit as displayed if the compositor says that it has drawn it.
  final func confirmByCallback() {
    if role.isFrameDone { faces.confirm() }
  }
}
