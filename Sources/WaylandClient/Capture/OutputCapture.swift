package import Raster

/// The capture of one output, or of a part of it, by wlr-screencopy: one frame at a time, into one buffer.
package struct OutputCapture: ~Copyable {
  private let manager: WaylandObject?
  private let output, shm: WaylandObject
  private var phase = Phase.idle
  /// The pixels of the last frame; nil before the first one.
  package private(set) var buffer: SharedBuffer?
  /// Whether the rows of the last frame are in reverse order.
  package private(set) var isInverted = false

  private enum Phase {
    case idle
    /// The compositor says which buffer it needs.
    case describing(WaylandObject, waitsForDamage: Bool, Description?)
    /// The compositor writes the buffer.
    case copying(WaylandObject, damage: [Rect])
  }

  private struct Description {
    /// In pixels.
    let width, height: Int
    /// In bytes.
    let stride: Int
    let format: SharedBuffer.Format

    /// Whether a buffer can have this size.
    var isUsable: Bool {
      let limit = Int(Int32.max)
      return width > 0 && height > 0 && stride % 4 == 0 && stride / 4 >= width
        && stride <= limit && height <= limit && stride * height <= limit
    }
  }

  /// The end of a frame.
  package enum Outcome: Equatable {
    /// The buffer has the pixels. `damage` is what has changed since the last frame that waited for changes, in native pixels
    /// of the whole output; empty if the frame did not wait.
    case ready(damage: [Rect])
    /// The output changed, or is off.
    case failed
  }

  /// `manager` should capture nothing else: the compositor keeps the damage of an output for each. Without a manager no frame
  /// may be requested.
  package init(manager: WaylandObject?, of output: WaylandObject, shm: WaylandObject) {
    self.manager = manager
    self.output = output
    self.shm = shm
  }

  package var isIdle: Bool { if case .idle = phase { true } else { false } }

  /// Requests a frame: the next one in which something has changed on the output since the last, or one at once. `part` is
  /// in logical pixels from the corner of the output as it is seen; nil is all of it. Traps if a frame is in progress.
  package mutating func start(
    _ connection: borrowing WaylandConnection, part: Rect? = nil, waitsForDamage: Bool
  ) {
    guard isIdle, let manager else {
      preconditionFailure("a frame is in progress, or nothing can be captured")
    }
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

  /// Applies an event of the frame. Returns nil if the frame continues. Throws `outOfMemory` if there is
  /// none for its pixels.
  package mutating func take(
    _ event: WaylandEvent, _ connection: borrowing WaylandConnection
  ) throws(WaylandError) -> Outcome? {
    switch (ScreencopyFrameEvent(rawValue: event.opcode), phase) {
    case (.buffer, .describing(let frame, let waits, nil)) where event.object == frame:
      // Others may have other formats.
      guard let format = SharedBuffer.Format(rawValue: event.number(0)) else { break }
      let description = Description(
        width: event.number(1), height: event.number(2), stride: event.number(3), format: format)
      phase = .describing(frame, waitsForDamage: waits, description)
    case (.bufferDone, .describing(let frame, let waits, let description))
    where event.object == frame:
      guard let description, description.isUsable else {
        end(frame, connection)
        return .failed
      }
      let buffer = try fittingBuffer(description, connection)
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

  /// Frees the pixels. The next frame needs memory again.
  package mutating func discardBuffer(_ connection: borrowing WaylandConnection) {
    if let buffer { connection.send(BufferRequest.destroy, to: buffer.object, destroys: true) }
    buffer = nil
  }

  /// Ends a frame in progress, if any.
  package mutating func cancel(_ connection: borrowing WaylandConnection) {
    switch phase {
    case .idle: break
    case .describing(let frame, _, _), .copying(let frame, _): end(frame, connection)
    }
  }

  private mutating func end(
    _ frame: WaylandObject, _ connection: borrowing WaylandConnection
  ) {
    connection.send(ScreencopyFrameRequest.destroy, to: frame, destroys: true)
    phase = .idle
  }

  /// The buffer, or another one if it has another size.
  private mutating func fittingBuffer(
    _ description: Description, _ connection: borrowing WaylandConnection
  ) throws(WaylandError) -> SharedBuffer {
    let bounds = Rect(x: 0, y: 0, width: description.width, height: description.height)
    if let buffer, buffer.layout == PixelLayout(bounds, stride: description.stride / 4),
      buffer.format == description.format
    {
      return buffer
    }
    discardBuffer(connection)
    let new = try SharedBuffer(
      connection, shm, width: description.width, height: description.height,
      stride: description.stride / 4, description.format)
    buffer = new
    return new
  }
}
