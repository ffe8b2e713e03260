import FakeCompositor
import Raster
import TestSupport
import WaylandClient

@testable import WaylandDisplay

/// Captures of the only output of a fake compositor that has ext-image-copy-capture only, in the same thread.
final class CapturingClient {
  let compositor: FakeCompositor
  let output: FakeOutput
  let capture: any OutputCapture
  private let client: CompositorClient

  init(_ picture: Bitmap, transform: Int = 0) throws {
    let compositor = try FakeCompositor()
    compositor.removeGlobals(of: InterfaceTable.screencopyManager.name)
    var state = FakeOutput.State(name: "one", width: picture.width, height: picture.height)
    state.transform = transform
    output = compositor.addOutput(state, picture)
    let path = compositor.socketPath
    client = try compositor.serve { try CompositorClient(socket: path, .forTests) }
    guard let manager = CaptureManager(client.connection, client.globals) else {
      throw TestFailure("the compositor cannot be captured")
    }
    capture = manager.capture(of: try client.bind(.output), shm: try client.bind(.shm))
    self.compositor = compositor
  }

  func start(waitsForDamage: Bool) {
    capture.start(client.connection, waitsForDamage: waitsForDamage)
  }

  func cancel() { capture.cancel(client.connection) }
  func discardBuffer() { capture.discardBuffer(client.connection) }

  /// The end of the frame in progress; nil if it waits although all has happened that happens without a change.
  func outcome() throws -> CaptureOutcome? {
    while true {
      let didWork = try work()
      var ended: CaptureOutcome?
      for event in try client.connection.takeEvents(reads: true) {
        if let outcome = try capture.handle(event, client.connection) {
          guard ended == nil else { throw TestFailure("a frame ended twice") }
          ended = outcome
        }
      }
      if let error = compositor.clients.first?.error { throw TestFailure(error.text) }
      if let ended { return ended }
      try client.connection.flush()
      if !didWork, !compositor.step() { return nil }
    }
  }

  /// Sends the requests and lets the compositor perform them and draw frames; its events stay unread.
  func letCompositorWork() throws { while try work() {} }

  private func work() throws -> Bool {
    try client.connection.flush()
    if let next = compositor.nextFrame { compositor.advance(to: next) }
    return compositor.step()
  }

  /// The pixels of the last frame as they are seen.
  func picture() throws -> Bitmap {
    guard let buffer = capture.buffer, let transform = capture.transform else {
      throw TestFailure("there is no picture")
    }
    let native = buffer.layout.bounds
    return buffer.seenPicture(
      OutputTransform(transform, width: native.width, height: native.height),
      isInverted: capture.isInverted)
  }

  /// The number of objects of each interface that the client has.
  var objectCounts: [String: Int] { compositor.clients.first?.counts ?? [:] }
}
