package import Raster
package import TestSupport

/// A compositor in the process of a test: it speaks the protocol of Wayland at a socket, composes what clients commit as
/// pixman does, and lets captures see it. A test moves its clock, sees its screens and lets it fail.
///
/// One thread at a time may use it. `serve(during:)` lets it work while the test waits in a client's library.
package final class FakeCompositor {
  /// The path of its socket.
  package let socketPath: String
  /// The time of its clock.
  package private(set) var now = Duration.zero
  package private(set) var outputs: [FakeOutput] = []
  package private(set) var clients: [FakeClient] = []
  /// The layer surfaces, the oldest first. Later ones are above earlier ones of their layer.
  package internal(set) var layerSurfaces: [LayerSurfaceHandler] = []
  package var behavior = Behavior()
  /// Called before each request of a client; may cause faults.
  package var beforeRequest: (() -> Void)?
  /// The number of captures that were requested.
  package internal(set) var captureCount = 0
  /// The files in memory of all pools of pixels so far.
  package internal(set) var poolInodes: Set<UInt64> = []
  private(set) var globals: [Int: FakeGlobal] = [:]
  private(set) var removedGlobals: [Int: FakeGlobal] = [:]
  var registries: [RegistryHandler] = []
  var screencopyManagers: [ScreencopyManagerHandler] = []
  var imageCopySessions: [ImageCopySessionHandler] = []
  private let directory: TemporaryDirectory
  private let listener: CompositorSocket
  private var lastGlobal = 0
  private var lastSerial = 0
  private var heldCallbacks: [CallbackHandler] = []
  private var heldBuffers: [BufferHandler] = []

  /// How it works where the protocol leaves a choice, and where it breaks it.
  package struct Behavior {
    package var blending = FakeBlending.rounding
    /// Whether a new surface is below the others of its layer, as on sway 1.7.
    package var showsNewSurfacesBelow = false
    /// Whether pixels are copied and their buffers released at a commit; otherwise buffers are read at each frame and
    /// released after the next commit.
    package var copiesBuffers = false
    /// Whether damage is reported as one bounding box.
    package var reportsBoundingBox = false
    /// Whether the rows of captures are in reverse order.
    package var invertsCaptures = false
    /// Whether image captures are turned as they are seen.
    package var capturesUpright = false
    /// Whether surfaces that others hide get frame callbacks.
    package var callsHiddenSurfaces = false
    /// Whether frame callbacks, releases and sizes of new layer surfaces wait for `endHolding`.
    package var holdsCallbacks = false
    package var holdsReleases = false
    package var holdsConfigures = false
    /// Changes the description of the next captures.
    package var describe: (inout CaptureDescription) -> Void = { _ in }
    /// Changes the damage that captures report.
    package var reportDamage: ([Rect]) -> [Rect] = { $0 }
    /// The pixels of the next capture instead of those of the screen, 64x64 repeated; nil for those of the screen.
    package var foreignPixels: Bitmap?
    /// The number of the next captures that fail when they should end.
    package var failingCaptures = 0
    /// Whether captures of a wrong size are filled as far as it goes; otherwise they fail.
    package var fillsWrongSizes = false
  }

  /// A compositor without outputs, with all globals that the display uses.
  package init() throws(TestFailure) {
    directory = try TemporaryDirectory()
    socketPath = directory.path + "/wayland-0"
    listener = try CompositorSocket(socketPath)
    for global in standardGlobals { add(global) }
  }

  private var standardGlobals: [FakeGlobal] {
    [
      FakeGlobal("wl_compositor") { [unowned self] in CompositorHandler(self) },
      FakeGlobal("wl_shm") { [unowned self] in ShmHandler(self) },
      FakeGlobal("zwlr_layer_shell_v1") { [unowned self] in LayerShellHandler(self) },
      FakeGlobal("zwlr_screencopy_manager_v1") { [unowned self] in
        ScreencopyManagerHandler(self)
      },
      FakeGlobal("ext_output_image_capture_source_manager_v1") { OutputSourceManagerHandler() },
      FakeGlobal("ext_image_copy_capture_manager_v1") { [unowned self] in
        ImageCopyManagerHandler(self)
      },
      FakeGlobal("zxdg_output_manager_v1") { XDGOutputManagerHandler() },
      FakeGlobal("wp_viewporter") { ViewporterHandler() },
      FakeGlobal("ext_session_lock_manager_v1", version: 1) { InertHandler() },
    ]
  }

  // MARK: Globals

  /// Offers a global. Returns its name.
  @discardableResult
  package func add(_ global: FakeGlobal) -> Int {
    lastGlobal += 1
    globals[lastGlobal] = global
    for registry in registries { registry.announce(lastGlobal, global) }
    return lastGlobal
  }

  /// Withdraws a global. Its objects still work.
  package func removeGlobal(_ name: Int) {
    guard let global = globals.removeValue(forKey: name) else { return }
    removedGlobals[name] = global
    for registry in registries { registry.send("global_remove", [.uint(name)]) }
  }

  /// The names of the globals of an interface.
  package func globalNames(of interface: String) -> [Int] {
    globals.filter { $0.value.interface == interface }.keys.sorted()
  }

  // MARK: Outputs

  /// Adds an output that shows a picture below all surfaces.
  @discardableResult
  package func addOutput(_ state: FakeOutput.State, _ picture: Bitmap) -> FakeOutput {
    let output = FakeOutput(state, picture, global: lastGlobal + 1)
    outputs.append(output)
    add(FakeGlobal("wl_output") { [weak output] in OutputHandler(output) })
    return output
  }

  /// Removes an output. Its layer surfaces are closed, and its captures fail.
  package func remove(_ output: FakeOutput) {
    guard outputs.contains(where: { $0 === output }) else { return }
    for copy in output.copies { copy.fail() }
    for surface in layerSurfaces where surface.output === output { surface.close() }
    for handler in output.handlers { handler.removeOutput() }
    for manager in screencopyManagers { manager.forget(output) }
    for session in imageCopySessions where session.output === output { session.stop() }
    outputs.removeAll { $0 === output }
    removeGlobal(output.global)
  }

  /// Changes an output and tells all clients, except of its power.
  package func change(_ output: FakeOutput, _ body: (inout FakeOutput.State) -> Void) {
    let old = output.state
    body(&output.state)
    if output.state == old { return }
    output.reset()
    for manager in screencopyManagers {
      manager.record(Region(output.state.seen), on: output)
    }
    for session in imageCopySessions where session.output === output { session.describe() }
    if !output.state.isOn { for copy in output.copies where copy.needsPower { copy.fail() } }
    var told = old
    told.isOn = output.state.isOn
    if output.state == told { return }
    for position in output.positions { position.sendState() }
    for handler in output.handlers {
      handler.sendState()
      handler.send("done")
    }
  }

  // MARK: Loop

  /// Performs all requests that have arrived, draws the frames that are due, and sends all events. Returns whether there was
  /// anything to do.
  @discardableResult
  package func step() -> Bool {
    var didWork = false
    while let socket = listener.nextClient() {
      clients.append(FakeClient(socket, self))
      didWork = true
    }
    for client in clients where client.serve() { didWork = true }
    for output in outputs where isDue(output) {
      draw(output)
      didWork = true
    }
    for client in clients where client.flush() { didWork = true }
    clients.removeAll { !$0.isConnected }
    return didWork
  }

  /// Moves the clock. The next `step` draws the frames that are due.
  package func advance(to time: Duration) {
    precondition(time >= now)
    now = time
  }

  /// The time of the next frame; nil if none is needed.
  package var nextFrame: Duration? {
    outputs.filter(needsFrame).map(frameTime).min()
  }

  private static let frameInterval = Duration.nanoseconds(16_666_667)

  private func frameTime(_ output: FakeOutput) -> Duration {
    max(now, output.lastFrame.map { $0 + Self.frameInterval } ?? now)
  }

  private func isDue(_ output: FakeOutput) -> Bool {
    needsFrame(output) && frameTime(output) <= now
  }

  private func needsFrame(_ output: FakeOutput) -> Bool {
    guard output.state.isOn else { return false }
    return !output.damage.isEmpty || output.copies.contains(where: \.isDue)
      || layerSurfaces.contains { $0.output === output && isCalled($0) }
  }

  /// Whether the next frame ends callbacks of a surface.
  private func isCalled(_ layer: LayerSurfaceHandler) -> Bool {
    guard let rect = layer.rect, let output = layer.output, !layer.surface.callbacks.isEmpty else {
      return false
    }
    return behavior.callsHiddenSurfaces
      || rect.intersects(output.state.seen) && !output.isHidden(rect)
  }

  private func draw(_ output: FakeOutput) {
    output.lastFrame = now
    let known = behavior.showsNewSurfacesBelow ? layerSurfaces.reversed() : layerSurfaces
    let surfaces = known.filter { $0.output === output }.sorted { $0.layer < $1.layer }
      .compactMap { layer in layer.rect.map { (layer.surface, $0, layer.layer) } }
    let changed = output.compose(surfaces, behavior.blending)
    for manager in screencopyManagers { manager.record(changed, on: output) }
    for session in imageCopySessions where session.output === output { session.record(changed) }
    for copy in output.copies {
      if behavior.failingCaptures > 0 {
        behavior.failingCaptures -= 1
        copy.fail()
      } else {
        copy.finish()
      }
    }
    for layer in layerSurfaces where layer.output === output && isCalled(layer) {
      let callbacks = layer.surface.takeCallbacks()
      if behavior.holdsCallbacks {
        heldCallbacks += callbacks
      } else {
        for callback in callbacks { callback.finish(milliseconds) }
      }
    }
  }

  private var milliseconds: Int { Int(now / .milliseconds(1)) }

  // MARK: Choices

  func nextSerial() -> Int {
    lastSerial += 1
    return lastSerial
  }

  func requestConfigure(of surface: LayerSurfaceHandler) {
    if !behavior.holdsConfigures { surface.configure() }
  }

  func release(_ buffer: BufferHandler) {
    if behavior.holdsReleases {
      heldBuffers.append(buffer)
    } else {
      buffer.send("release")
    }
  }

  func describe(_ plain: CaptureDescription) -> CaptureDescription {
    var description = plain
    behavior.describe(&description)
    return description
  }

  func reportedDamage(_ rects: [Rect]) -> [Rect] {
    let hull = rects.reduce(Rect.zero) { $0.hull($1) }
    return behavior.reportDamage(behavior.reportsBoundingBox ? [hull] : rects)
  }

  func takeForeignPixels() -> Bitmap? {
    defer { behavior.foreignPixels = nil }
    return behavior.foreignPixels
  }

  /// Sends the callbacks, releases and sizes that were held, and holds no more.
  package func endHolding() {
    behavior.holdsCallbacks = false
    behavior.holdsReleases = false
    behavior.holdsConfigures = false
    for callback in heldCallbacks { callback.finish(milliseconds) }
    for buffer in heldBuffers { buffer.send("release") }
    for surface in layerSurfaces where surface.awaitsConfigure { surface.configure() }
    (heldCallbacks, heldBuffers) = ([], [])
  }

  // MARK: Faults

  /// Reports an error of a client, as if it had broken the protocol.
  package func fail(_ client: FakeClient, code: Int = 1) {
    client.fail(ProtocolError(object: 1, code: code, text: "a fault of the test"))
  }

  /// Closes the connection of a client after a number of bytes of events.
  package func disconnect(_ client: FakeClient, afterBytes count: Int = 0) {
    client.byteLimit = count
  }
}
