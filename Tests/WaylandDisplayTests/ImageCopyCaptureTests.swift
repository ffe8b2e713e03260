import FakeCompositor
import Raster
import TestDice
import TestSupport
import Testing
import WaylandClient

@testable import WaylandDisplay

/// Captures by ext-image-copy-capture, of a fake compositor that writes no more pixels than it must.
@Suite struct ImageCopyCaptureTests {
  private static let picture = Bitmap.noise(width: 61, height: 43, seed: 5)

  private func expectScreen(_ client: CapturingClient, _ comment: Comment? = nil) throws {
    #expect(try client.picture().difference(from: client.output.shown) == nil, comment)
  }

  /// The first frame of a session shows the output at once.
  @Test(arguments: 0...7, [false, true])
  func pictureEqualsTheScreen(transform: Int, isUpright: Bool) throws {
    let client = try CapturingClient(Self.picture, transform: transform)
    client.compositor.behavior.capturesUpright = isUpright
    client.start(waitsForDamage: false)
    #expect(try client.outcome() == .ready(damage: []))
    try expectScreen(client)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func laterFramesShowWhatChanges(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let client = try CapturingClient(Self.picture)
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == .ready(damage: [Self.picture.bounds]))
    for _ in 0..<20 {
      let isEarly = Bool.random(using: &dice)
      var changed = Region()
      func change() {
        for _ in 0...Int.random(in: 0...2, using: &dice) {
          let rect = Rect(
            x: .random(in: 0..<50, using: &dice), y: .random(in: 0..<40, using: &dice),
            width: .random(in: 1..<9, using: &dice), height: .random(in: 1..<9, using: &dice))
          let color = UInt32.random(in: 0...0xff_ffff, using: &dice)
          client.output.draw(rect) { _, _ in color }
          changed.form(union: rect.intersection(Self.picture.bounds))
        }
      }
      if isEarly { change() }
      client.start(waitsForDamage: true)
      if !isEarly {
        #expect(try client.outcome() == nil, "seed \(seed): it does not wait")
        change()
      }
      guard case .ready(let damage) = try client.outcome() else {
        throw TestFailure("seed \(seed): the frame does not end")
      }
      #expect(Region(damage) == changed, "seed \(seed)")
      try expectScreen(client, "seed \(seed)")
    }
    #expect(client.compositor.openSessions.count == 1)
  }

  /// It needs another session, and there is never more than one.
  @Test func frameComesAtOnceWithoutAChange() throws {
    let client = try CapturingClient(Self.picture)
    for _ in 0..<3 {
      client.start(waitsForDamage: false)
      #expect(try client.outcome() == .ready(damage: []))
      #expect(client.compositor.openSessions.count == 1)
    }
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == nil)
    client.cancel()
    client.start(waitsForDamage: false)
    #expect(try client.outcome() == .ready(damage: []))
    try expectScreen(client)
  }

  /// The compositor has captured the frame, but the client has not heard of it.
  @Test func cancelledFrameLosesNoChange() throws {
    let client = try CapturingClient(Self.picture)
    client.start(waitsForDamage: false)
    #expect(try client.outcome() != nil)
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == nil)
    let rect = Rect(x: 7, y: 8, width: 9, height: 10)
    client.output.draw(rect) { _, _ in 0xffff_0000 }
    try client.letCompositorWork()
    client.cancel()
    client.start(waitsForDamage: true)
    guard case .ready(let damage) = try client.outcome() else {
      throw TestFailure("the change is lost")
    }
    #expect(damage.contains { $0.contains(rect) })
    try expectScreen(client)
  }

  /// With and without a frame in progress.
  @Test(arguments: [false, true]) func resizedOutputIsCaptured(isInMiddle: Bool) throws {
    let client = try CapturingClient(Self.picture)
    client.start(waitsForDamage: false)
    #expect(try client.outcome() != nil)
    if isInMiddle {
      client.start(waitsForDamage: true)
      #expect(try client.outcome() == nil)
    }
    client.compositor.change(client.output) {
      ($0.width, $0.height, $0.transform) = (30, 90, 3)
    }
    if !isInMiddle {
      #expect(try client.outcome() == nil)
      client.start(waitsForDamage: true)
    }
    guard case .ready(let damage) = try client.outcome() else {
      throw TestFailure("the frame does not end")
    }
    #expect(Region(damage) == Region(Rect(x: 0, y: 0, width: 30, height: 90)))
    try expectScreen(client)
    #expect(client.compositor.openSessions.count == 1)
  }

  /// With and without a frame in progress.
  @Test(arguments: [false, true]) func stoppedSessionIsReplaced(isInMiddle: Bool) throws {
    let client = try CapturingClient(Self.picture)
    client.start(waitsForDamage: false)
    #expect(try client.outcome() != nil)
    if isInMiddle {
      client.start(waitsForDamage: true)
      #expect(try client.outcome() == nil)
    }
    for session in client.compositor.openSessions { session.stop() }
    #expect(try client.outcome() == (isInMiddle ? .failed : nil))
    client.output.draw(Self.picture.bounds) { x, y in UInt32(x * y) }
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == .ready(damage: [Self.picture.bounds]))
    try expectScreen(client)
  }

  /// Sizes that no buffer can have, that are not those of the output, and that change before the frame.
  @Test(arguments: [(0, 43), (61, 0), (1 << 20, 1 << 20), (60, 43), (61, 44)])
  func wrongDescriptionIsAFailure(width: Int, height: Int) throws {
    let client = try CapturingClient(Self.picture)
    client.compositor.behavior.describe = { ($0.width, $0.height) = (width, height) }
    for _ in 0..<3 {
      client.start(waitsForDamage: false)
      #expect(try client.outcome() == .failed)
    }
    client.compositor.behavior.describe = { _ in }
    client.start(waitsForDamage: false)
    #expect(try client.outcome() == .ready(damage: []))
    try expectScreen(client)
  }

  @Test func failedFrameIsRepeated() throws {
    let client = try CapturingClient(Self.picture)
    client.compositor.behavior.failingCaptures = 1
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == .failed)
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == .ready(damage: [Self.picture.bounds]))
    try expectScreen(client)
  }

  @Test func formatsThatAreNotUsedAreIgnored() throws {
    let client = try CapturingClient(Self.picture)
    client.compositor.behavior.describe = {
      ($0.formatsBefore, $0.formatsAfter) = ([0x3432_5258, 0], [0x3033_5258])
    }
    client.start(waitsForDamage: false)
    #expect(try client.outcome() == .ready(damage: []))
    try expectScreen(client)
  }

  @Test func removedOutputFails() throws {
    let client = try CapturingClient(Self.picture)
    client.start(waitsForDamage: false)
    #expect(try client.outcome() != nil)
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == nil)
    client.compositor.remove(client.output)
    #expect(try client.outcome() == .failed)
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == .failed)
  }

  /// Whatever the moment, nothing stays at the compositor.
  @Test(arguments: 0...3) func discardedCaptureLeavesNoObjects(moment: Int) throws {
    let client = try CapturingClient(Self.picture)
    try client.letCompositorWork()
    let before = client.objectCounts
    if moment > 0 { client.start(waitsForDamage: true) }
    if moment > 1 { #expect(try client.outcome() != nil) }
    if moment > 2 { client.start(waitsForDamage: true) }
    client.discardBuffer()
    try client.letCompositorWork()
    #expect(client.objectCounts == before && client.capture.buffer == nil)
    client.start(waitsForDamage: true)
    #expect(try client.outcome() == .ready(damage: [Self.picture.bounds]))
    try expectScreen(client)
  }
}
