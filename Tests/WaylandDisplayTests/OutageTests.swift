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

  private func scene(_ compositor: Compositor) throws -> WaylandScene {
    let scene = try WaylandScene(compositor, wallpaper: Scenery.photo.picture(seed: 0))
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "\(Self.pane)")
    settings.sigma = 20
    try scene.add("pane", settings)
    return scene
  }

  /// Runs the loop until the screen shows a picture, for at most some time.
  private func isShown(_ picture: Bitmap, _ scene: WaylandScene, within limit: Duration) throws
    -> Bool
  {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      _ = try scene.run(for: .milliseconds(50))
      // Without an output there is no picture.
      guard let shown = try? scene.server.screenshot() else { continue }
      if shown.difference(from: picture, tolerance: 5) == nil { return true }
    }
    return false
  }

  @Test(arguments: Compositor.tested)
  func outputThatIsOffIsHardlyCaptured(compositor: Compositor) throws {
    let scene = try scene(compositor)
    let shown = try scene.server.screenshot()
    try scene.server.setOutput(["--off"])
    let before = scene.captureCount
    _ = try scene.run(for: .seconds(5))
    let count = scene.captureCount - before
    #expect(count <= 10, "\(count)")
    // Without a mode it would have that of the start of the compositor.
    try scene.server.setOutput(["--on", "--custom-mode", "480x320"])
    #expect(try isShown(shown, scene, within: .seconds(5)), "\(compositor)")
  }

  /// A program that locks the session hides all panes.
  @Test(arguments: Compositor.tested)
  func lockedSessionIsNotCaptured(compositor: Compositor) throws {
    let scene = try scene(compositor)
    let shown = try scene.server.screenshot()
    guard let lock = try SessionLocker(scene.server) else {
      print("\(compositor) has no \(InterfaceTable.sessionLockManager.name)")
      return
    }
    _ = try scene.run(for: .milliseconds(500))
    let before = scene.captureCount
    let iterations = try scene.run(for: .seconds(2))
    let count = scene.captureCount - before
    // Where the compositor says nothing, a capture looks now and then.
    #expect(count <= 10 && iterations <= 40, "\(compositor): \(count), \(iterations)")
    try lock.unlock()
    #expect(try isShown(shown, scene, within: .seconds(5)), "\(compositor)")
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
