import Glibc
import Raster
import TestSupport
import WaylandClient

/// A client that captures a part of the output, at once or each time that something changes.
struct ScreenProbe: ~Copyable {
  private let client: CompositorClient
  private let part: Rect
  private let capture: ScreencopyCapture

  /// A capture of the part.
  struct Frame {
    /// The time at which the compositor finished the picture, in nanoseconds of the monotonic clock.
    let time: Int
    /// The mean of all channels.
    let mean: Double
  }

  init(_ server: WaylandServer, part: Rect) throws {
    let client = try CompositorClient(server, .shared)
    capture = ScreencopyCapture(
      manager: try client.bind(.screencopyManager), of: try client.bind(.output),
      shm: try client.bind(.shm))
    self.client = client
    self.part = part
  }

  /// All frames until a time. The first one that was ever captured shows no change.
  mutating func frames(until end: Int) throws -> [Frame] {
    var frames: [Frame] = []
    while now() < end {
      if capture.isIdle { capture.start(client.connection, part: part, waitsForDamage: true) }
      for event in try client.events(within: .nanoseconds(end - now())) {
        let outcome = try capture.handle(event, client.connection)
        switch outcome {
        case nil: break
        case .failed: throw TestFailure("the output cannot be captured")
        case .ready:
          let seconds = event.number(0) << 32 | event.number(1)
          frames.append(Frame(time: seconds * 1_000_000_000 + event.number(2), mean: mean))
          capture.start(client.connection, part: part, waitsForDamage: true)
        }
      }
    }
    return frames
  }

  /// The mean of all channels at once.
  mutating func currentMean() throws -> Double {
    capture.cancel(client.connection)
    capture.start(client.connection, part: part, waitsForDamage: false)
    while true {
      for event in try client.events(within: .seconds(1)) {
        switch try capture.handle(event, client.connection) {
        case nil: break
        case .failed: throw TestFailure("the output cannot be captured")
        case .ready: return mean
        }
      }
    }
  }

  private var mean: Double {
    guard let buffer = capture.buffer else { return 0 }
    var sum = 0
    buffer.withSpan { pixels in
      for i in pixels.indices {
        let pixel = pixels[i]
        sum += Int(pixel & 0xFF) + Int(pixel >> 8 & 0xFF) + Int(pixel >> 16 & 0xFF)
      }
    }
    return Double(sum) / Double(3 * buffer.layout.pixelCount)
  }
}
