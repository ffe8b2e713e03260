import Engine
import Frost
import Panes
import Raster
import WaylandClient

/// A layer surface that shows a pane on one output.
///
/// At most one commit is not confirmed: the next one waits until a capture has shown the last. So a capture contains one of
/// two faces, and their marks tell which.
final class OverlaySurface {
  let surface, layerSurface: WaylandObject
  /// Maps the buffer to the size of the surface; nil if the compositor cannot.
  private let viewport: WaylandObject?
  /// Lets the compositor blur what is behind it; nil if it is not asked to.
  private let effect: WaylandObject?
  let output: OutputID
  /// The place for which the compositor was told last.
  private(set) var place: SurfacePlace
  var layer: StackingLayer
  /// The layer of wlr-layer-shell for `top`.
  private let highestLayer: Int
  /// Whether it shows nothing but what is below it, on the level of the wallpaper.
  let isProbe: Bool
  /// The part in which a pane is drawn; empty until it is drawn whole.
  private(set) var shown = Rect.zero
  /// The part of its place that the pane covers in the state that was last begun.
  var covered = Rect.zero
  /// Whether it is clear until `setBlank(false)`, so that a capture shows what is below it.
  private(set) var isBlank = false
  /// Whether its state reports contacts.
  private(set) var reportsContacts = false
  /// Whether it has the keyboard while it is shown.
  var takesKeyboard = false
  /// Whether its place was sent, but not committed: that must happen together with the pixels for it.
  private(set) var isPlacePending = false
  /// Where the pane hides what is below it.
  private(set) var opaque = Region()
  /// The part of the output where it may show something.
  private(set) var extent = Region()
  /// Where a probe shows other colours than those below it.
  private(set) var tinted = Region()
  /// The pattern that a probe shows below the opaque parts of overlays above windows; nil if none.
  private(set) var pattern: CheckPattern?
  /// The part of the stack of overlays that it shows; it is clear elsewhere.
  private(set) var owned = Region()
  /// Where translucent parts of overlays in higher layers are above it. Marks could not be seen there.
  private var overlaid = Region()
  /// The expected pixels of the pane on the screen: premultiplied BGRA.
  private(set) var wanted: [UInt32]
  /// Where the wanted pixels, or those of panes that are visible through them, have changed since the last commit.
  private(set) var pending = Region()
  /// Where the backdrop has changed since the overlay was drawn over it.
  var outdated = Region()
  private var tiles: MarkedTiles
  private var buffers = OverlayBuffers()
  /// The time of the last commit with pixels.
  private var commitTime = Duration.zero
  /// The face in captures until now; nil before the first commit was seen.
  private(set) var displayed: Face?
  /// The face of the last commit, until a capture shows it.
  private(set) var committed: Face?
  /// The marks of the displayed face.
  private(set) var marks: [Int: Face.Mark] = [:]
  /// The number of the output's last capture when it was committed. Later ones show the commit.
  var captureAtCommit = 0
  var memoryPause = MemoryPause()
  /// Whether the last capture showed no mark, neither of the last commit nor of the displayed face.
  private(set) var isCommitHidden = false
  /// The callback of the last commit.
  private var frameCallback: WaylandObject?
  /// Whether the compositor has drawn the last commit, as far as it says.
  private var isFrameDone = false
  private(set) var isConfigured = false
  private var input = Region()
  private var isInputOutdated = true
  /// Where the compositor blurs.
  private var blurred = Region()
  private var isBlurOutdated = false

  init(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection, on output: OutputID,
    _ outputObject: WaylandObject, layer: StackingLayer, at place: SurfacePlace,
    isProbe: Bool = false, highestLayer: Int? = nil
  ) {
    self.output = output
    self.place = place
    self.layer = layer
    self.highestLayer = highestLayer ?? objects.highestLayer
    self.isProbe = isProbe
    wanted = Array(repeating: 0, count: isProbe ? 0 : place.rect.area)
    tiles = MarkedTiles(place.rect)
    surface = connection.make(
      .surface, by: CompositorRequest.createSurface, of: objects.compositor, [.newObject])
    layerSurface = connection.make(
      .layerSurface, by: LayerShellRequest.getLayerSurface, of: objects.layerShell,
      [
        .newObject, .object(surface), .object(outputObject),
        .uint(layer.waylandLayer(highest: self.highestLayer)),
        .text("backdropd"),
      ])
    viewport = objects.viewporter.map { [surface] in
      connection.make(
        .viewport, by: ViewporterRequest.getViewport, of: $0, [.newObject, .object(surface)])
    }
    effect = objects.backgroundEffects.map { [surface] in
      connection.make(
        .backgroundEffect, by: BackgroundEffectManagerRequest.getBackgroundEffect, of: $0,
        [.newObject, .object(surface)])
    }
    // From the top left corner, over the space of panels too.
    connection.send(LayerSurfaceRequest.setAnchor, to: layerSurface, [.uint(1 | 4)])
    connection.send(LayerSurfaceRequest.setExclusiveZone, to: layerSurface, [.int(-1)])
    sendPlace(connection)
  }

  /// The level of its backdrop.
  var level: BackdropLevel { BackdropLevel(of: layer) }

  /// Its layer of wlr-layer-shell.
  var waylandLayer: Int { layer.waylandLayer(highest: highestLayer) }

  private func sendPlace(_ connection: borrowing WaylandConnection) {
    isPlacePending = true
    let logical = place.logical
    if let viewport {
      connection.send(
        ViewportRequest.setDestination, to: viewport, [.int(logical.width), .int(logical.height)])
    } else {
      connection.send(
        SurfaceRequest.setBufferScale, to: surface, [.int(max(1, Int(place.scale.rounded())))])
    }
    connection.send(
      LayerSurfaceRequest.setSize, to: layerSurface, [.uint(logical.width), .uint(logical.height)])
    connection.send(
      LayerSurfaceRequest.setMargin, to: layerSurface,
      [.int(logical.y), .int(0), .int(0), .int(logical.x)])
  }

  /// The first commit, without pixels. The event `configure` follows.
  func announce(_ connection: borrowing WaylandConnection) {
    commitState(connection)
  }

  /// Commits what was sent.
  func commitState(_ connection: borrowing WaylandConnection) {
    isPlacePending = false
    connection.send(SurfaceRequest.commit, to: surface)
  }

  func takeConfigure(serial: Int, _ connection: borrowing WaylandConnection) {
    isConfigured = true
    connection.send(LayerSurfaceRequest.ackConfigure, to: layerSurface, [.uint(serial)])
  }

  func setLayer(_ new: StackingLayer, _ connection: borrowing WaylandConnection) {
    layer = new
    connection.send(
      LayerSurfaceRequest.setLayer, to: layerSurface, [.uint(waylandLayer)])
  }

  /// Whether an object is the callback of its last commit. Then the compositor has drawn it.
  func takeFrameDone(
    _ callback: WaylandObject, _ connection: borrowing WaylandConnection
  ) -> Bool {
    if callback != frameCallback { return false }
    releaseCallback(connection)
    isFrameDone = true
    return true
  }

  /// Requests the event `done` for the next picture in which it is visible, without other pixels.
  func requestFrameDone(_ connection: borrowing WaylandConnection) {
    if frameCallback != nil { return }
    frameCallback = connection.make(
      .callback, by: SurfaceRequest.frame, of: surface, [.newObject])
    if !isPlacePending { commitState(connection) }
  }

  /// Whether the event `done` is requested.
  var awaitsFrameDone: Bool { frameCallback != nil }

  private func releaseCallback(_ connection: borrowing WaylandConnection) {
    if let frameCallback { connection.release(frameCallback) }
    frameCallback = nil
  }

  func takeRelease(
    of object: WaylandObject, _ connection: borrowing WaylandConnection
  ) -> Bool {
    buffers.takeRelease(of: object, connection)
  }

  /// The memory of its buffers.
  var byteCount: Int { buffers.byteCount }

  /// The face that is displayed and the one that may be next.
  private var faces: [Face?] { [displayed, committed] }

  /// The time at which `freeSpareBuffers` frees memory; nil if it would not.
  var spareDeadline: Duration? {
    let hasSpare = committed == nil && buffers.hasFree(besides: faces)
    return hasSpare ? commitTime + Self.spareTime : nil
  }

  /// Destroys the buffers that are not shown if nothing was drawn for a while. The next commit makes a new one.
  func freeSpareBuffers(now: Duration, _ connection: borrowing WaylandConnection) {
    guard let spareDeadline, spareDeadline <= now else { return }
    buffers.destroyFree(besides: faces, connection)
  }

  /// The time after a commit for which a spare buffer is kept. To draw one of 1920x1080 whole every two seconds takes less
  /// than 0.3 % of the time.
  static let spareTime = Duration.seconds(2)

  // MARK: Drawing

  /// Whether a commit would change something on the screen, or where it takes clicks.
  var isChanged: Bool {
    if shown.isEmpty { return false }
    return !pending.isEmpty || (isInputOutdated || isBlurOutdated) && displayed != nil
  }

  /// Whether the screen shows it as it is wanted.
  var isSettled: Bool { isConfigured && committed == nil && !isChanged }

  /// Whether it can be committed now.
  var canCommit: Bool { isConfigured && committed == nil && buffers.canTake(besides: faces) }

  /// Gives it another place. All pixels must be drawn again.
  func move(to new: SurfacePlace, _ connection: borrowing WaylandConnection) {
    if new == place { return }
    let (old, rect) = (place.rect, new.rect)
    place = new
    if (rect.width, rect.height) != (old.width, old.height) {
      wanted = Array(repeating: 0, count: isProbe ? 0 : rect.area)
      buffers.retireAll(connection)
    }
    tiles = MarkedTiles(rect)
    shown = .zero
    (extent, tinted, owned) = (Region(), Region(), Region())
    pattern = nil
    buffers.noteMove(to: rect)
    (pending, outdated) = (Region(), Region())
    isInputOutdated = true
    sendPlace(connection)
  }

  /// Draws wanted pixels. Those of an overlay without alpha become opaque.
  func draw(
    _ part: Rect, isOpaque: Bool, _ body: (inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    let layout = PixelLayout(place.rect)
    var pixels: [UInt32] = []
    swap(&pixels, &wanted)
    var span = pixels.mutableSpan
    body(&span, layout)
    if isOpaque {
      for y in part.rows {
        let first = layout.index(x: part.x, y: y)
        for i in first..<first + part.width { pixels[i] |= 0xff00_0000 }
      }
    }
    swap(&pixels, &wanted)
    pending.form(union: part)
  }

  /// Notes that the pane is drawn in a state.
  func finish(_ state: OverlayState) {
    if shown != state.rect {
      // Pixels of an earlier state around it.
      for part in shown.subtracting(state.rect) { clear(part) }
      shown = state.rect
      extent = Region(shown)
    }
    opaque = state.opaque
    reportsContacts = state.reportsContacts
    if input != state.inputRegion {
      input = state.inputRegion
      isInputOutdated = true
    }
    if blurred != state.blurred {
      blurred = state.blurred
      isBlurOutdated = effect != nil
    }
  }

  /// Lets a probe show a region, a part of it with other colours.
  func extend(to region: Region, tinted: Region) {
    precondition(isProbe)
    pending.form(union: tinted.subtracting(self.tinted).union(self.tinted.subtracting(tinted)))
    self.tinted = tinted
    // One that is shown becomes clear; one that is not has nothing to commit.
    let isUnused = region.isEmpty && pattern == nil && displayed == nil && committed == nil
    (shown, extent, opaque) = (isUnused ? .zero : place.rect, region, region)
  }

  /// Lets a probe show a pattern below the overlays above windows, or none.
  func check(_ pattern: CheckPattern?) {
    precondition(isProbe)
    pending.form(union: self.pattern?.region ?? Region())
    pending.form(union: pattern?.region ?? Region())
    self.pattern = pattern
    if pattern != nil { shown = place.rect }
  }

  /// Makes it clear, or visible again, with the next commit.
  func setBlank(_ isBlank: Bool) {
    if isBlank == self.isBlank { return }
    self.isBlank = isBlank
    pending.form(union: Region(shown))
  }

  /// Draws it again with the next commit.
  func redraw() { pending.form(union: Region(shown)) }

  private func clear(_ part: Rect) {
    let layout = PixelLayout(place.rect)
    for y in part.rows {
      for x in part.columns { wanted[layout.index(x: x, y: y)] = 0 }
    }
    pending.form(union: part)
  }

  /// Sets the part of the stack that it shows.
  func setOwned(_ region: Region) {
    if region == owned { return }
    pending.form(union: region.subtracting(owned))
    pending.form(union: owned.subtracting(region))
    owned = region
  }

  /// Sets where overlays in higher layers are above it. Marks there go to other places.
  func setOverlaid(_ region: Region) {
    overlaid = region
    for (x, y) in tiles.marks where !canShowMark(x, y) {
      pending.form(union: Rect(x: x, y: y, width: 1, height: 1))
    }
  }

  /// Notes that what is visible through it has changed.
  func noteChange(below region: Region) {
    pending.form(union: region.intersection(shown).subtracting(opaque))
  }

  /// Draws what has changed over the backdrop and commits it. `draw` draws a part of the stack of overlays with the leaks
  /// of the backdrop. Without marks, `takeFrameDone` confirms the commit. Returns what changes on the screen. Throws
  /// `outOfMemory`; then all is as before.
  func commit(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection, hasMarks: Bool,
    now: Duration, _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) throws(WaylandError) -> Region {
    let dirty = pending.union(outdated.intersection(owned)).intersection(place.rect)
    if !dirty.isEmpty { try buffers.prepare(place.rect, besides: faces, objects, connection) }
    (pending, outdated) = (Region(), Region())
    if dirty.isEmpty {
      sendRegions(objects, connection)
      commitState(connection)
      return dirty
    }
    let touched = tiles.indices(touching: dirty)
    let layout = PixelLayout(place.rect)
    tiles.touch(touched) { x, y in
      hasMarks && !isProbe && wanted[layout.index(x: x, y: y)] >> 24 == 255
        && canShowMark(x, y)
    }
    buffers.noteChange(dirty)
    let draft = buffers.take(besides: faces)
    commitTime = now
    let drawn = draft.outdated.intersection(place.rect)
    var committedMarks: [Int: Face.Mark] = [:]
    let bufferLayout = PixelLayout(place.rect, stride: draft.buffer.layout.stride)
    draft.buffer.withPixels { pixels in
      for part in drawn.rects { draw(part, &pixels, bufferLayout) }
      for tile in tiles.indices(touching: drawn) {
        guard let (x, y) = tiles.mark(tile) else { continue }
        let pixel = tiles.pixel(ofMark: tile, wanted: wanted[layout.index(x: x, y: y)])
        pixels[bufferLayout.index(x: x, y: y)] = pixel
        if touched.contains(tile) { committedMarks[tile] = Face.Mark(x: x, y: y, pixel: pixel) }
      }
    }
    let places = committedMarks.values.map { Rect(x: $0.x, y: $0.y, width: 1, height: 1) }
    let damage = dirty.union(Region(places))
    send(draft.buffer, damage, objects, connection)
    committed = Face(
      buffer: draft.buffer, rect: place.rect, owned: isBlank ? Region() : owned,
      opaque: isBlank || isProbe ? Region() : owned.intersection(opaque), pattern: pattern,
      touched: touched, marks: committedMarks)
    return damage
  }

  private func canShowMark(_ x: Int, _ y: Int) -> Bool {
    let rect = Rect(x: x, y: y, width: 1, height: 1)
    return owned.contains(rect) && !overlaid.intersects(rect)
  }

  private func send(
    _ buffer: SharedBuffer, _ damage: Region, _ objects: DisplayObjects,
    _ connection: borrowing WaylandConnection
  ) {
    connection.send(SurfaceRequest.attach, to: surface, [.object(buffer.object), .int(0), .int(0)])
    buffer.isBusy = true
    for part in damage.simplified(to: 16).rects {
      connection.send(
        SurfaceRequest.damageBuffer, to: surface,
        [
          .int(part.x - place.rect.x), .int(part.y - place.rect.y), .int(part.width),
          .int(part.height),
        ])
    }
    sendRegions(objects, connection)
    releaseCallback(connection)
    frameCallback = connection.make(
      .callback, by: SurfaceRequest.frame, of: surface, [.newObject])
    isFrameDone = false
    commitState(connection)
  }

  /// Sends where it takes clicks, and where the compositor blurs.
  private func sendRegions(_ objects: DisplayObjects, _ connection: borrowing WaylandConnection) {
    if isInputOutdated {
      let region = makeRegion(input, objects, connection)
      connection.send(SurfaceRequest.setInputRegion, to: surface, [.object(region)])
      connection.send(RegionRequest.destroy, to: region, destroys: true)
    }
    if isBlurOutdated, let effect {
      let region = makeRegion(blurred, objects, connection)
      connection.send(BackgroundEffectRequest.setBlurRegion, to: effect, [.object(region)])
      connection.send(RegionRequest.destroy, to: region, destroys: true)
    }
    (isInputOutdated, isBlurOutdated) = (false, false)
  }

  private func makeRegion(
    _ pixels: Region, _ objects: DisplayObjects, _ connection: borrowing WaylandConnection
  ) -> WaylandObject {
    let region = connection.make(
      .region, by: CompositorRequest.createRegion, of: objects.compositor, [.newObject])
    for part in pixels.rects {
      let local = place.local(part)
      connection.send(
        RegionRequest.add, to: region,
        [.int(local.x), .int(local.y), .int(local.width), .int(local.height)])
    }
    return region
  }

  // MARK: Captures

  /// The rectangle of a tile of the displayed face.
  func rect(ofTile index: Int) -> Rect {
    MarkedTiles.rect(of: index, in: displayed?.rect ?? place.rect)
  }

  /// Finds out which face a capture of `rect` with a number shows. Returns whether the last commit is seen for the first
  /// time.
  func attribute(
    _ screen: Span<UInt32>, _ layout: PixelLayout, in rect: Rect, ofCapture number: Int
  ) -> Bool {
    isCommitHidden = false
    guard let committed else { return false }
    let (seen, all) = committed.visibleMarks(on: screen, layout, in: rect)
    // Other overlays and windows may cover some marks, so those of the displayed face are counted too.
    let isSamePlace = displayed?.rect == committed.rect
    let old = marks.filter { !isSamePlace || committed.touched.contains($0.key) }.values
      .count { rect.contains(x: $0.x, y: $0.y) && $0.isVisible(on: screen, layout) }
    // They may cover all marks, or there are none. Then the order of requests and the compositor's word count.
    let isDrawn = isFrameDone || number > captureAtCommit
    let isUnclear = committed.marks.isEmpty || all > 0 && seen == old
    guard seen > old || isDrawn && isUnclear else {
      isCommitHidden = all > 0 && seen == old
      return false
    }
    confirm(committed)
    return true
  }

  /// Notes that the last commit is on the screen, as far as the compositor says.
  func confirmByCallback() {
    if let committed, isFrameDone { confirm(committed) }
  }

  private func confirm(_ face: Face) {
    if displayed?.rect != face.rect { marks = [:] }
    for tile in face.touched { marks[tile] = face.marks[tile] }
    displayed = face
    committed = nil
  }

  func destroy(_ connection: borrowing WaylandConnection) {
    releaseCallback(connection)
    if let effect {
      connection.send(BackgroundEffectRequest.destroy, to: effect, destroys: true)
    }
    if let viewport { connection.send(ViewportRequest.destroy, to: viewport, destroys: true) }
    connection.send(LayerSurfaceRequest.destroy, to: layerSurface, destroys: true)
    connection.send(SurfaceRequest.destroy, to: surface, destroys: true)
    buffers.destroyAll(connection)
  }
}
