import Engine
import Panes
import Raster
import TestSupport
import Testing
import WaylandClient

@testable import WaylandDisplay

/// Live glass on outputs that are off for a while, or locked.
@Suite(.serialized) struct OutageTests {
  private static let pane = Rect(x: 90, y: 60, width: 260, height: 180)

  private func scene(_ captured: CapturedCompositor) throws -> WaylandScene {
    let scene = try WaylandScene(captured, wallpaper: Scenery.photo.picture(seed: 0))
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "\(Self.pane)")
    settings.sigma = 20
    try scene.add("pane", settings)
    return scene
  }

  /// Expects the pane soon after the screen shows everything else.
  private func expectShown(
    _ picture: Bitmap, _ scene: WaylandScene, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let delay = try scene.delay(of: Self.pane, in: picture)
    print("\(scene.server.compositor): right \(delay) \(comment)")
    #expect(delay <= .milliseconds(500), comment, sourceLocation: sourceLocation)
  }

  @Test(
    .enabled(if: !CapturedCompositor.switchable.isEmpty, "sway 1.7 switches no output off"),
    arguments: CapturedCompositor.switchable)
  func outputThatIsOffIsHardlyCaptured(captured: CapturedCompositor) throws {
    let scene = try scene(captured)
    let shown = try scene.server.screenshot()
    try scene.server.setOutput(["--off"])
    try scene.wait("the output is on") {
      scene.engine.server.monitors.allSatisfy { $0.output == nil }
    }
    let before = scene.captureCount
    _ = try scene.run(for: .seconds(5))
    let count = scene.captureCount - before
    #expect(count <= 10, "\(count)")
    try scene.server.switchOn()
    try expectShown(shown, scene, "after the output was on")
  }

  /// A program that locks the session hides all panes.
  @Test(arguments: CapturedCompositor.tested)
  func lockedSessionIsNotCaptured(captured: CapturedCompositor) throws {
    let scene = try scene(captured)
    let shown = try scene.server.screenshot()
    guard let lock = try SessionLocker(scene.server) else {
      print("\(captured.compositor) has no \(InterfaceTable.sessionLockManager.name)")
      return
    }
    try scene.settle()
    let before = scene.captureCount
    let iterations = try scene.run(for: .seconds(2))
    let count = scene.captureCount - before
    #expect(count == 0 && iterations <= 1, "\(count), \(iterations)")
    try lock.unlock()
    try expectShown(shown, scene, "after the lock")
  }
}

/// A client that locks the session with a black picture on the only output.
private final class SessionLocker {
  private let client: CompositorClient
  private let lock: WaylandObject

  /// Returns when the session is locked; nil if the compositor has no such protocol.
  init?(_ server: WaylandServer) throws {
    client = try CompositorClient(server)
    guard let manager = client.connection.bind(.sessionLockManager, in: client.globals) else {
      return nil
    }
    lock = client.connection.make(
      .sessionLock, by: SessionLockManagerRequest.lock, of: manager, [.newObject])
    let surface = client.connection.make(
      .surface, by: CompositorRequest.createSurface, of: try client.bind(.compositor),
      [.newObject])
    let lockSurface = client.connection.make(
      .sessionLockSurface, by: SessionLockRequest.getLockSurface, of: lock,
      [.newObject, .object(surface), .object(try client.bind(.output))])
    let shm = try client.bind(.shm)
    var buffers: [SharedBuffer] = []
    var (isShown, isLocked) = (false, false)
    let own = lock
    _ = try client.wait { event -> Bool? in
      if event.object == lockSurface {
        let (width, height) = (event.number(1), event.number(2))
        let buffer = try SharedBuffer(client.connection, shm, width: width, height: height, .xrgb)
        buffers.append(buffer)
        buffer.withPixels { pixels in for i in pixels.indices { pixels[i] = 0 } }
        client.connection.send(
          SessionLockSurfaceRequest.ackConfigure, to: lockSurface, [.uint(event.number(0))])
        client.connection.send(
          SurfaceRequest.attach, to: surface, [.object(buffer.object), .int(0), .int(0)])
        client.connection.send(
          SurfaceRequest.damageBuffer, to: surface, [.int(0), .int(0), .int(width), .int(height)])
        client.connection.send(SurfaceRequest.commit, to: surface)
        isShown = true
      } else if event.object == own {
        guard SessionLockEvent(rawValue: event.opcode) == .locked else {
          throw TestFailure("the session cannot be locked")
        }
        isLocked = true
      }
      return isShown && isLocked ? true : nil
    }
  }

  func unlock() throws {
    client.connection.send(SessionLockRequest.unlockAndDestroy, to: lock, destroys: true)
    try client.connection.roundTrip()
  }
}
