import Glibc

/// The touch screen of an Xorg server: fingers that a test moves. Speaks the protocol of the driver inputtest (its header
/// is xf86-input-inputtest-protocol.h).
package final class TouchScreen {
  private let socket: Descriptor
  private let size: (width: Int, height: Int)

  /// An action of a finger, in the numbers of XInput 2.
  package enum Phase: UInt32 {
    case began = 18
    case moved = 19
    case ended = 20
  }

  /// The touch screen of a server of the kind `withTouchScreen`.
  package init(of server: XServer) throws(TestFailure) {
    guard let socket = connect(to: server.runtimeDirectory + "/touch") else {
      throw TestFailure("the touch screen of \(server.display) does not answer")
    }
    self.socket = socket
    size = (server.width, server.height)
    // Version 1.1 of the protocol.
    try send(0, bytes(of: UInt16(1)) + bytes(of: UInt16(1)))
    try awaitReply()
  }

  /// Moves a finger. Returns when the server has the event.
  package func touch(_ finger: UInt32, _ phase: Phase, x: Double, y: Double) throws(TestFailure) {
    let axisRange = 65535.0
    var values = [Double](repeating: 0, count: 64)
    (values[0], values[1]) = (
      x * axisRange / Double(size.width), y * axisRange / Double(size.height)
    )
    let mask: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0]
    // Four bytes of padding precede the numbers.
    let valuators =
      bytes(of: UInt32(0)) + mask + bytes(of: UInt32(0)) + values.flatMap { bytes(of: $0) }
      + [UInt8](repeating: 0, count: 64 * 8)
    try send(6, bytes(of: finger) + bytes(of: phase.rawValue) + valuators)
    try send(1, [])
    try awaitReply()
  }

  private func send(_ kind: Int32, _ payload: [UInt8]) throws(TestFailure) {
    let message = bytes(of: UInt32(8 + payload.count)) + bytes(of: kind) + payload
    let count = unsafe write(socket.number, message, message.count)
    guard count == message.count else { throw Descriptor.failure("write to the touch screen") }
  }

  private func awaitReply() throws(TestFailure) {
    let deadline = ContinuousClock.now + .seconds(10)
    guard !firstReadable([socket.number], until: deadline).isEmpty, !socket.nextBytes().isEmpty
    else { throw TestFailure("the touch screen does not reply") }
  }

  private func bytes<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  /// The configuration of a server with such a touch screen and a screen in memory.
  static func configuration(directory: String, _ width: Int, _ height: Int) -> String {
    // The driver dummy has any mode whose frequencies are in range.
    let mode =
      "\(width)x\(height)\" 60 \(width) \(width + 16) \(width + 64) \(width + 160)"
      + " \(height) \(height + 3) \(height + 7) \(height + 30)"
    return """
      Section "ServerFlags"
        Option "AutoAddDevices" "false"
        Option "DontVTSwitch" "true"
      EndSection
      Section "Device"
        Identifier "dummy"
        Driver "dummy"
        VideoRam 65536
      EndSection
      Section "Monitor"
        Identifier "monitor"
        HorizSync 5-1000
        VertRefresh 5-200
        Modeline "\(mode)
      EndSection
      Section "Screen"
        Identifier "screen"
        Device "dummy"
        Monitor "monitor"
        DefaultDepth 24
        SubSection "Display"
          Depth 24
          Modes "\(width)x\(height)"
          Virtual \(width) \(height)
        EndSubSection
      EndSection
      Section "InputDevice"
        Identifier "touch"
        Driver "inputtest"
        Option "SocketPath" "\(directory)/touch"
        Option "DeviceType" "Touch"
      EndSection
      Section "ServerLayout"
        Identifier "layout"
        Screen "screen"
        InputDevice "touch" "SendCoreEvents"
      EndSection
      """
  }
}
