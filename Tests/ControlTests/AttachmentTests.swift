import Glibc
import Linux
import Panes
import RandomPanes
import Raster
import TestDice
import Testing

@testable import Control

/// Which file belongs to which request.
@Suite struct AttachmentTests {
  @Test func contentArrivesWithItsRequest() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    var dice = Dice(seed: 1)
    var change = PaneChange()
    change.settings.contents = (0..<16).map { _ in .random(using: &dice) }
    let large = Bitmap(width: 1000, height: 700, filledWith: 0x8012_3456)
    change.settings.contents?[3].drawing = ContentDrawing(large, scope: DrawingScope(scale: 2))
    let request = Request.add(name: "x", change)
    let thread = ClientThread(path: folder.socket, asking: request)
    var asked: [Incoming] = []
    while asked.isEmpty { asked = server.iterate(milliseconds: 1000) }
    #expect(asked.map(\.request) == [request])
    #expect(thread.join().reply == .done)
  }

  /// Lines in pieces of any size, each file with any piece of its line, and files that no request needs.
  @Test(arguments: 0..<60)
  func requestsInOneStreamGetTheirOwnPixels(seed: Int) throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    var dice = Dice(seed: seed)
    let client = RawClient(path: folder.socket)
    let requests = (0..<12).map { _ in Request.random(using: &dice) }
    var asked: [Incoming] = []
    for request in requests {
      let pieces = request.line.cut(into: dice.roll(1...4), using: &dice)
      let own = request.contents.isEmpty ? pieces.count : dice.roll(0...pieces.count - 1)
      for (index, piece) in pieces.enumerated() {
        if index == own {
          client.send(
            piece, attaching: try .makePixelFile(request.contents.flatMap(\.drawing.pictures)))
        } else if .random(using: &dice), index > own || own == pieces.count {
          client.send(piece, attaching: try .makePixelFile([]))
        } else {
          #expect(client.send(piece) == piece.count)
        }
        // One read has a piece of a line, or several lines.
        if dice.roll(0...7) == 0 { asked += server.settle() }
      }
    }
    asked += server.settle()
    #expect(asked.map(\.request) == requests)
  }

  /// Large files are read by a thread. The requests of a client are performed in their order nevertheless, and a
  /// client that disconnects meanwhile does not stop the others.
  @Test func largeFilesKeepTheOrderOfRequests() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    func send(_ requests: [Request], _ client: borrowing RawClient) throws {
      for request in requests {
        client.send(
          request.line, attaching: try .makePixelFile(request.contents.flatMap(\.drawing.pictures)))
      }
    }
    let one = RawClient(path: folder.socket)
    let two = RawClient(path: folder.socket)
    do {
      let gone = RawClient(path: folder.socket)
      try send([Self.request(width: 600, height: 500)], gone)
    }
    let (large, small) = (Self.request(width: 700, height: 500), Self.request(width: 5))
    let mine = [.list, large, .status, small, large, .remove(name: "x")]
    let others = [large, .hide(name: "y"), large, .show(name: "y")]
    try send(mine, one)
    try send(others, two)
    var asked: [Incoming] = []
    for _ in 0..<1000 where asked.count < mine.count + others.count + 1 {
      asked += server.iterate(milliseconds: 100)
    }
    let byClient = Dictionary(grouping: asked, by: \.client.connection).values
      .map { $0.map(\.request) }
    #expect(byClient.contains(mine))
    #expect(byClient.contains(others))
    #expect(byClient.contains([Self.request(width: 600, height: 500)]))
  }

  @Test func contentWithoutFileIsRefusedAndTakesNoOther() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let request = Self.request(width: 5)
    let alone = request.line
    client.send(Request.list.line + alone)
    client.send(
      request.line, attaching: try .makePixelFile(request.contents.flatMap(\.drawing.pictures)))
    client.send(alone)
    #expect(server.settle().map(\.request) == [.list, request])
    let refusal = Reply.failure(.usage, "\(RequestError.noPixelFile)")
    #expect(try replies(client.receive().bytes) == [.done, refusal, .done, refusal])
  }

  @Test func fileBelongsToLastLineWithoutNewline() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let request = Self.request(width: 3)
    client.send(
      request.line.dropLast(),
      attaching: try .makePixelFile(request.contents.flatMap(\.drawing.pictures)))
    #expect(server.settle().isEmpty)
    client.endSending()
    #expect(server.settle().map(\.request) == [request])
  }

  /// Every way in which a file is not used: each file must be closed.
  @Test(arguments: [
    Request.list.line, Array("nonsense\n".utf8), Array(#"{"request":"li"#.utf8), [10],
    Self.request(width: 3).line, [UInt8](repeating: 32, count: (1 << 18) + 1),
  ])
  func fileIsClosedAfterItsLine(bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    var ends: [Int32] = [-1, -1]
    // No program that another test starts gets an end, unlike those of `pipe`.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #expect(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let reader = FileDescriptor(owning: ends[0])
    _ = fcntl(reader.raw, F_SETFL, O_NONBLOCK)
    do {
      let writer = FileDescriptor(owning: ends[1])
      let client = RawClient(path: folder.socket)
      for byte in bytes.prefix(20) { client.send([byte], attaching: writer) }
      // The socket does not have room for a line that is too long.
      for start in stride(from: 20, to: bytes.count, by: 1 << 16) {
        client.send(bytes[start...].prefix(1 << 16), attaching: writer)
        server.settle()
      }
      server.settle()
      _ = consume client
    }
    server.settle()
    #expect(server.clientCount == 0)
    // A program that another test starts has a copy of the other end until it executes.
    var end = pollfd(fd: reader.raw, events: Int16(POLLIN), revents: 0)
    #expect(unsafe poll(&end, 1, 10_000) == 1)
    var byte: UInt8 = 0
    #expect(unsafe read(reader.raw, &byte, 1) == 0, "the other end is closed")
  }

  private static func request(width: Int, height: Int = 1) -> Request {
    var change = PaneChange()
    let picture = Bitmap(width: width, height: height, filledWith: 0xff00_0000)
    change.settings.contents = [
      PaneContent(source: .image(path: "x"), place: .center, vibrancy: nil, picture: picture)
    ]
    return .set(name: "x", change)
  }
}

extension [UInt8] {
  /// Into pieces of random sizes, none of them empty.
  fileprivate func cut(into count: Int, using dice: inout Dice) -> [ArraySlice<UInt8>] {
    let cuts = Set((1..<count).map { _ in dice.roll(1...self.count - 1) }).sorted()
    return zip([0] + cuts, cuts + [self.count]).map { self[$0..<$1] }
  }
}
