package import Raster

/// The capture of an output, or of a part of it, by wlr-screencopy.
package final class ScreencopyCapture: OutputCapture {
  private let manager, output: WaylandObject
  private var phase = Phase.idle
  private var memory: CaptureBuffer
  package private(set) var isInverted = false

  private enum Phase {
    case idle
    /// The compositor says which buffer it needs.
    case describing(WaylandObject, waitsForDamage: Bool, CaptureBuffer.Shape?)
    /// The compositor writes the buffer.
    case copying(WaylandObject, damage: [Rect])
  }

  /// A capture of an output without a frame yet.
  package init(manager: WaylandObject, of output: WaylandObject, shm: WaylandObject) {
    self.manager = manager
    self.output = output
    memory = CaptureBuffer(shm: shm)
  }

  package var buffer: SharedBuffer? { memory.current }
  package var transform: Int? { nil }
  package var capturesParts: Bool { true }
  package var isIdle: Bool { if case .idle = phase { true } else { false } }

  package func start(
    _ connection: borrowing WaylandConnection, part: Rect?, waitsForDamage: Bool
  ) {
    precondition(isIdle)
    let frame: WaylandObject
    if let part {
      frame = connection.make(
        .screencopyFrame, by: ScreencopyManagerRequest.captureOutputRegion, of: manager,
        [
          .newObject, .int(0), .object(output), .int(part.x), .int(part.y), .int(part.width),
          .int(part.height),
        ])
    } else {
      frame = connection.make(
        .screencopyFrame, by: ScreencopyManagerRequest.captureOutput, of: manager,
        [.newObject, .int(0), .object(output)])
    }
    phase = .describing(frame, waitsForDamage: waitsForDamage, nil)
  }

  package func handle(
    _ event: WaylandEvent, _ connection: borrowing WaylandConnection
  ) throws(WaylandError) -> CaptureOutcome? {
    switch (ScreencopyFrameEvent(rawValue: event.opcode), phase) {
    case (.buffer, .describing(let frame, let waits, nil)) where event.object == frame:
      // Others may have other formats.
      guard let format = SharedBuffer.Format(rawValue: event.number(0)) else { break }
      let shape = CaptureBuffer.Shape(
        width: event.number(1), height: event.number(2), stride: event.number(3), format: format)
      phase = .describing(frame, waitsForDamage: waits, shape)
    case (.bufferDone, .describing(let frame, let waits, let shape))
    where event.object == frame:
      guard let shape, shape.isUsable else {
        end(frame, connection)
        return .failed
      }
      let buffer = try memory.fitted(to: shape, connection)
      connection.send(
        waits ? ScreencopyFrameRequest.copyWithDamage : .copy, to: frame,
        [.object(buffer.object)])
      phase = .copying(frame, damage: [])
    case (.flags, .copying(let frame, _)) where event.object == frame:
      isInverted = event.number(0) & 1 == 1
    case (.damage, .copying(let frame, let damage)) where event.object == frame:
      let rect = Rect(
        x: event.number(0), y: event.number(1), width: event.number(2), height: event.number(3))
      phase = .copying(frame, damage: damage + [rect])
    case (.ready, .copying(let frame, let damage)) where event.object == frame:
      end(frame, connection)
      return .ready(damage: damage)
    case (.failed, .describing(let frame, _, _)), (.failed, .copying(let frame, _)):
      guard event.object == frame else { return nil }
      end(frame, connection)
      return .failed
    default: break
    }
    return nil
  }

  package func discardBuffer(_ connection: borrowing WaylandConnection) {
    cancel(connection)
    memory.discard(connection)
  }

  package func cancel(_ connection: borrowing WaylandConnection) {
    switch phase {
    case .idle: break
    case .describing(let frame, _, _), .copying(let frame, _): end(frame, connection)
    }
  }

  private func end(_ frame: WaylandObject, _ connection: borrowing WaylandConnection) {
    connection.send(ScreencopyFrameRequest.destroy, to: frame, destroys: true)
    phase = .idle
  }
}
