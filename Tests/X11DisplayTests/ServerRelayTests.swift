import Glibc
import Linux
import TestDice
import Testing

@testable import X11Display

/// Bytes between libxcb and the server, of which the tests play both.
struct ServerRelayTests {
  @Test(arguments: 0..<10)
  func onlyWholePacketsAreDelivered(seed: Int) throws {
    var dice = Dice(seed: seed)
    var scene = try RelayScene()
    var sent: [[UInt8]] = []
    var bytes: [UInt8] = []
    for _ in 0..<300 {
      sent.append(somePacket(&dice))
      bytes += sent[sent.count - 1]
    }
    var start = 0
    var received: [UInt8] = []
    var ends: Set<Int> = [0]
    for packet in sent { ends.insert((ends.max() ?? 0) + packet.count) }
    while start < bytes.count {
      let piece = bytes[start...].prefix(dice.roll(1...(dice.roll(0...3) == 0 ? 40_000 : 200)))
      start += scene.server.sendSome(Array(piece))
      // Each call receives what there is room for.
      for _ in 0..<4 {
        scene.relay.receive()
        while scene.relay.deliver() { received += scene.readAsLibrary() }
      }
      let whole = ends.filter { $0 <= start }.max()
      #expect(received.count == whole, "\(start) bytes have arrived")
    }
    #expect(received == bytes)
  }

  /// Some are longer than the sockets have room for.
  private func somePacket(_ dice: inout Dice) -> [UInt8] {
    let kind = [0, 1, 2, 35, 35 | 0x80, 99][dice.roll(0...5)] as UInt8
    let isLong = [1, 35, 35 | 0x80].contains(kind)
    let limit = dice.roll(0...40) == 0 ? 300_000 : dice.roll(0...9) == 0 ? 5000 : 3
    let words = dice.roll(0...limit)
    var packet = (0..<32 + (isLong ? 4 * words : 0)).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    packet[0] = kind
    for i in 0..<4 { packet[4 + i] = UInt8(truncatingIfNeeded: words >> (8 * i)) }
    return packet
  }

  /// A server that does not read delays no one, and gets everything later.
  @Test(arguments: 0..<6)
  func requestsAreKeptForTheServer(seed: Int) throws {
    var dice = Dice(seed: seed)
    var scene = try RelayScene()
    var sent: [UInt8] = []
    while sent.count < 2_000_000 {
      let length = dice.roll(1...(dice.roll(0...3) == 0 ? ServerRelay.requestLimit : 500))
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &+ sent.count) }
      let count = scene.sendAsLibrary(bytes)
      #expect(count == length, "libxcb would wait")
      scene.relay.collect(fileCount: 0)
      scene.relay.send()
      sent += bytes
    }
    let isCongested = scene.relay.isCongested
    #expect(isCongested)
    var received: [UInt8] = []
    while received.count < sent.count {
      received += scene.server.receiveSome(upTo: dice.roll(1...100_000)).bytes
      scene.relay.send()
    }
    #expect(received == sent)
    let isCongestedAtLast = scene.relay.isCongested
    #expect(!isCongestedAtLast)
  }

  /// Files arrive in their order, and not later than the bytes that they were sent with.
  @Test(arguments: [false, true])
  func filesGoWithTheirBytes(serverIsSlow: Bool) throws {
    var scene = try RelayScene()
    let filler = [UInt8](repeating: 7, count: serverIsSlow ? 100_000 : 10)
    var sent: [(file: ino_t, position: Int)] = []
    for i in 0..<30 {
      let position = i * (filler.count + 1)
      let files = (0...i % 3).map { _ in socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }
      sent += files.map { (identity(of: $0), position) }
      let transfer = unsafe [UInt8(i)].withUnsafeBytes { bytes in
        unsafe scene.library.send(bytes, attaching: files)
      }
      #expect(transfer == .moved(byteCount: 1))
      for file in files { close(file) }
      let count = scene.sendAsLibrary(filler)
      #expect(count == filler.count)
      scene.relay.collect(fileCount: sent.count)
      scene.relay.send()
    }
    var position = 0
    var arrived: [(file: ino_t, position: Int)] = []
    while position < 30 * (filler.count + 1) {
      let (bytes, files) = scene.server.receiveSome(upTo: 1000)
      arrived += files.map { (identity(of: $0), position) }
      for file in files { close(file) }
      position += bytes.count
      scene.relay.send()
    }
    #expect(arrived.map(\.file) == sent.map(\.file))
    #expect(zip(arrived, sent).allSatisfy { $0.position <= $1.position })
  }

  /// Without descriptors files are lost. The server must not take the next file in place of one of them.
  @Test(arguments: 0..<20) func lostFilesAreReplaced(seed: Int) throws {
    var dice = Dice(seed: 9300 + seed)
    let incoming = try SocketPair()
    let outgoing = try SocketPair()
    let replacement = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(replacement) }
    var queue = RelayQueue()
    var (wanted, arrived): ([ino_t], [ino_t]) = ([], [])
    var (sentCount, bytes): (Int, [UInt8]) = (0, [])
    for round in 0..<60 {
      let files = (0..<dice.roll(0...5)).map { _ in
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      }
      let transfer = unsafe [UInt8(round)].withUnsafeBytes { bytes in
        unsafe incoming.one.send(bytes, attaching: files)
      }
      #expect(transfer == .moved(byteCount: 1))
      let limit = dice.roll(0...1) == 0 ? FileDescriptor.fileLimit : dice.roll(1...5)
      wanted += files.enumerated().map {
        $0.offset < limit ? identity(of: $0.element) : identity(of: replacement)
      }
      sentCount += files.count
      for file in files { close(file) }
      let received = queue.receive(from: incoming.other, fileLimit: limit)
      #expect(received == .moved(byteCount: 1))
      queue.replaceLostFiles(sent: sentCount)
      if dice.roll(0...2) == 0 { continue }
      let works = queue.send(to: outgoing.one, limit: queue.count, replacement: replacement)
      #expect(works)
    }
    let works = queue.send(to: outgoing.one, limit: queue.count, replacement: replacement)
    #expect(works)
    while bytes.count < 60 {
      let (some, files) = outgoing.other.receiveSome(upTo: 100)
      bytes += some
      arrived += files.map { identity(of: $0) }
      for file in files { close(file) }
    }
    #expect(bytes == (0..<60).map { UInt8($0) })
    #expect(arrived == wanted, "\(dice)")
  }

  private func identity(of file: Int32) -> ino_t {
    var information = stat()
    let code = unsafe fstat(file, &information)
    precondition(code == 0)
    return information.st_ino
  }

  @Test func endOfTheServerIsDeliveredAfterItsLastPackets() throws {
    var scene = try RelayScene()
    let event = [UInt8](repeating: 2, count: 32)
    _ = scene.server.sendSome(event + event + [2])
    scene.server.endStream()
    var received: [UInt8] = []
    for _ in 0..<4 {
      scene.relay.receive()
      while received.count < 64, scene.relay.deliver() { received += scene.readAsLibrary() }
    }
    #expect(received == event + event)
    let reportsEnd = scene.relay.deliver()
    let hasEnded = scene.library.hasEnded
    #expect(reportsEnd && hasEnded)
  }
}

/// Two ends of a socket that do not block.
private struct SocketPair: ~Copyable {
  let one, other: FileDescriptor

  init() throws {
    let socket = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    other = try FileDescriptor.makePeer(replacing: socket)
    one = FileDescriptor(owning: socket)
  }
}

/// A relay between two sockets.
private struct RelayScene: ~Copyable {
  let server: FileDescriptor
  /// The descriptor that libxcb has.
  let library: FileDescriptor
  var relay: ServerRelay

  init() throws {
    let socket = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    let server = try FileDescriptor.makePeer(replacing: socket)
    let relay = try ServerRelay(between: socket)
    self.server = server
    self.relay = relay
    library = FileDescriptor(owning: socket)
  }

  func sendAsLibrary(_ bytes: [UInt8]) -> Int { library.sendSome(bytes) }

  /// Reads like libxcb: it waits for the rest of a packet that has begun.
  func readAsLibrary() -> [UInt8] {
    var bytes = library.receiveSome(upTo: 16_384).bytes
    var end = 0
    while end + 32 <= bytes.count {
      let isLong = [1, 35, 35 | 0x80].contains(bytes[end])
      let words = (0..<4).reduce(0) { $0 | Int(bytes[end + 4 + $1]) << (8 * $1) }
      end += 32 + (isLong ? 4 * words : 0)
      while bytes.count < end {
        var polled = pollfd(fd: library.raw, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&polled, 1, 10_000)
        precondition(count == 1, "a part of a packet")
        bytes += library.receiveSome(upTo: end - bytes.count).bytes
      }
    }
    return bytes
  }
}

extension FileDescriptor {
  /// Sends as much as there is room for. Returns the number of bytes.
  fileprivate func sendSome(_ bytes: [UInt8]) -> Int {
    var start = 0
    while start < bytes.count {
      let transfer = unsafe bytes[start...].withUnsafeBytes { bytes in
        unsafe send(bytes, attaching: [])
      }
      guard case .moved(let count) = transfer else { break }
      start += count
    }
    return start
  }

  /// Receives what there is.
  fileprivate func receiveSome(upTo limit: Int) -> (bytes: [UInt8], files: [Int32]) {
    var bytes = [UInt8](repeating: 0, count: limit)
    let received = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe receive(into: bytes, fileLimit: Self.fileLimit)
    }
    guard case .moved(let count) = received.transfer else { return ([], []) }
    return (Array(bytes[..<count]), received.files)
  }

  /// Whether the other side has ended the stream and everything was received.
  fileprivate var hasEnded: Bool {
    var byte: UInt8 = 0
    return unsafe withUnsafeMutableBytes(of: &byte) { byte in
      unsafe receive(into: byte, fileLimit: 0).transfer == .ended
    }
  }
}
