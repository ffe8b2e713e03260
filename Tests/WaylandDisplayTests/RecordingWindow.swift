import TestSupport
import WaylandClient

/// A window that records what it gets of the pointer and the keyboard.
final class RecordingWindow {
  enum Input: Equatable {
    case pointerEntered, pointerLeft, pressed, released, keyboardEntered, keyboardLeft
    case key(Int)
  }

  private let client: CompositorClient
  private let shm, surface, base, windowSurface, window, pointer, keyboard: WaylandObject
  private var size = (width: 100, height: 100)
  private var buffers: [SharedBuffer] = []
  private var recorded: [Input] = []

  /// Returns when it is shown. The compositor must have a pointer and a keyboard.
  init(_ server: WaylandServer) throws {
    client = try CompositorClient(server)
    shm = try client.bind(.shm)
    base = try client.bind(.windowBase)
    surface = client.connection.make(
      .surface, by: CompositorRequest.createSurface, of: try client.bind(.compositor),
      [.newObject])
    windowSurface = client.connection.make(
      .windowSurface, by: WindowBaseRequest.getSurface, of: base, [.newObject, .object(surface)])
    window = client.connection.make(
      .window, by: WindowSurfaceRequest.getToplevel, of: windowSurface, [.newObject])
    let seat = try client.bind(.seat)
    pointer = client.connection.make(
      .pointer, by: SeatRequest.getPointer, of: seat, [.newObject])
    keyboard = client.connection.make(
      .keyboard, by: SeatRequest.getKeyboard, of: seat, [.newObject])
    client.connection.send(SurfaceRequest.commit, to: surface)
    while buffers.isEmpty { try update() }
  }

  /// Returns the input since the last call.
  func takeInput() throws -> [Input] {
    try update()
    defer { recorded = [] }
    return recorded
  }

  private func update() throws {
    try client.connection.roundTrip()
    for event in try client.connection.takeEvents(reads: false) {
      switch event.object {
      case base:
        client.connection.send(WindowBaseRequest.pong, to: base, [.uint(event.number(0))])
      case window where event.opcode == WindowEvent.configure.rawValue && event.number(0) > 0:
        size = (event.number(0), event.number(1))
      case windowSurface: try show(serial: event.number(0))
      case pointer, keyboard: record(event)
      default: break
      }
    }
    try client.connection.roundTrip()
  }

  private func show(serial: Int) throws {
    let buffer = try SharedBuffer(
      client.connection, shm, width: size.width, height: size.height, .xrgb)
    buffers.append(buffer)
    buffer.withPixels { pixels in
      for i in pixels.indices { pixels[i] = 0x0020_6080 }
    }
    client.connection.send(
      WindowSurfaceRequest.ackConfigure, to: windowSurface, [.uint(serial)])
    client.connection.send(
      SurfaceRequest.attach, to: surface, [.object(buffer.object), .int(0), .int(0)])
    client.connection.send(
      SurfaceRequest.damageBuffer, to: surface,
      [.int(0), .int(0), .int(size.width), .int(size.height)])
    client.connection.send(SurfaceRequest.commit, to: surface)
  }

  private func record(_ event: WaylandEvent) {
    if event.object == pointer {
      switch PointerEvent(rawValue: event.opcode) {
      case .enter: recorded.append(.pointerEntered)
      case .leave: recorded.append(.pointerLeft)
      case .button: recorded.append(event.number(3) == 1 ? .pressed : .released)
      default: break
      }
    } else {
      switch KeyboardEvent(rawValue: event.opcode) {
      case .enter: recorded.append(.keyboardEntered)
      case .leave: recorded.append(.keyboardLeft)
      case .key where event.number(3) == 1: recorded.append(.key(event.number(2)))
      default: break
      }
    }
  }
}
