import Control
import Glibc
import Panes
import Raster
import Testing

/// Which file belongs to which request.
@Suite struct AttachmentTests {
  @Test func contentTravelsWithItsRequest() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    var dice = SystemRandomNumberGenerator()
    var change = PaneChange()
    change.contents = (0..<16).map { _ in .random(using: &dice) }
    change.contents?[3].picture = Bitmap(width: 1000, height: 700, filledWith: 0x8012_3456)
    let request = Request.add(name: "x", change)
    let thread = ClientThread(path: folder.socket, asking: request)
    var asked: [Incoming] = []
    while asked.isEmpty { asked = server.turn(milliseconds: 1000) }
    #expect(asked.map(\.request) == [request])
    #expect(thread.join().reply == .done)
  }

  /// Lines in pieces of any size, their file with any of these, and files that nobody needs.
  @Test func eachOfManyRequestsInARowGetsItsOwnPixels() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<60 {
      let client = RawClient(path: folder.socket)
      let requests = (0..<12).map { _ in Request.random(using: &dice) }
      var asked: [Incoming] = []
      for request in requests {
        let pieces = request.line.cut(into: .random(in: 1...4))
        let own = request.contents.isEmpty ? pieces.count : Int.random(in: pieces.indices)
        for (index, piece) in pieces.enumerated() {
          if index == own {
            client.send(piece, attaching: try .makePixelFile(request.contents.map(\.picture)))
          } else if .random(), index > own || own == pieces.count {
            client.send(piece, attaching: try .makePixelFile([]))
          } else {
            client.send(piece)
          }
          // Now a piece is read, now several lines at once.
          if Int.random(in: 0..<8) == 0 { asked += server.settle() }
        }
      }
      asked += server.settle()
      #expect(asked.map(\.request) == requests)
    }
  }

  @Test func contentWithoutAFileIsRefusedAndTakesNoOthers() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let request = Self.request(width: 5)
    let alone = request.line
    client.send(Request.list.line + alone)
    client.send(request.line, attaching: try .makePixelFile(request.contents.map(\.picture)))
    client.send(alone)
    #expect(server.settle().map(\.request) == [.list, request])
    let refusal = Reply.failure(.usage, "\(RequestError.noPixelFile)")
    #expect(try replies(client.receive().bytes) == [.done, refusal, .done, refusal])
  }

  @Test func theLastLineNeedsNoNewlineToHaveItsFile() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let request = Self.request(width: 3)
    client.send(
      request.line.dropLast(), attaching: try .makePixelFile(request.contents.map(\.picture)))
    #expect(server.settle().isEmpty)
    client.endSending()
    #expect(server.settle().map(\.request) == [request])
  }

  /// Every way in which a file can come to nothing: each must be closed.
  @Test(arguments: [
    Request.list.line, Array("nonsense\n".utf8), Array(#"{"request":"li"#.utf8), [10],
    Self.request(width: 3).line, [UInt8](repeating: 32, count: 65537),
  ])
  func aFileIsClosedInTheEnd(_ bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    let reader = FileDescriptor(owning: ends[0])
    _ = fcntl(reader.raw, F_SETFL, O_NONBLOCK)
    do {
      let writer = FileDescriptor(owning: ends[1])
      let client = RawClient(path: folder.socket)
      for byte in bytes.prefix(20) { client.send([byte], attaching: writer) }
      if bytes.count > 20 { client.send(bytes[20...], attaching: writer) }
      server.settle()
      _ = consume client
    }
    server.settle()
    #expect(server.clientCount == 0)
    var byte: UInt8 = 0
    #expect(unsafe read(reader.raw, &byte, 1) == 0, "nobody holds the other end")
  }

  private static func request(width: Int) -> Request {
    var change = PaneChange()
    let picture = Bitmap(width: width, height: 1, filledWith: 0xff00_0000)
    change.contents = [
      PaneContent(source: .image(path: "x"), place: .center, vibrancy: nil, picture: picture)
    ]
    return .set(name: "x", change)
  }
}

extension [UInt8] {
  /// Into pieces of random sizes, none of them empty.
  fileprivate func cut(into count: Int) -> [ArraySlice<UInt8>] {
    let cuts = Set((1..<count).map { _ in Int.random(in: 1..<self.count) }).sorted()
    return zip([0] + cuts, cuts + [self.count]).map { self[$0..<$1] }
  }
}
