import Glibc
import Linux
import Raster
import TestDice
import Testing

@testable import Control

@Suite struct ServerTests {
  @Test func repliesHaveTheOrderOfTheirRequests() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    client.send(Request.sync.line + Request.list.line + Array("nonsense\n".utf8))
    client.send(Request.status.line)
    // One at a time: the next one is performed when the last one is answered.
    for (request, reply) in [
      (Request.sync, Reply.done), (.list, .panes([])), (.status, .failure(.internal, "status")),
    ] {
      let asked = server.settle { _ in nil }
      try #require(asked.map(\.request) == [request])
      server.send(reply, to: asked[0].client)
    }
    #expect(server.settle().isEmpty)
    let received = try replies(client.receive().bytes)
    #expect(received.count == 4)
    #expect(received.prefix(2) == [.done, .panes([])])
    #expect(received.last == .failure(.internal, "status"))
    guard case .failure(.usage, let text) = received[2] else {
      Issue.record("nonsense is answered by \(received[2])")
      return
    }
    #expect(text.contains("JSON"))
  }

  @Test func requestMayArriveByteByByte() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let line = Request.snapshot(name: "x", isBackdrop: true).line
    for byte in line.dropLast() {
      client.send([byte])
      #expect(server.settle().isEmpty)
    }
    client.send([10])
    #expect(server.settle().map(\.request) == [.snapshot(name: "x", isBackdrop: true)])
    #expect(try replies(client.receive().bytes) == [.done])
  }

  @Test func clientThatDisconnectsDisturbsNoOther() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let steady = RawClient(path: folder.socket)
    do {
      let leaver = RawClient(path: folder.socket)
      leaver.send(Request.sync.line + Array("{\"request\":\"li".utf8))
      let asked = server.settle { _ in nil }
      #expect(asked.count == 1)
      steady.send(Request.list.line)
      _ = consume leaver
      server.settle()
      server.send(.done, to: asked[0].client)
      server.settle()
    }
    #expect(server.clientCount == 1)
    #expect(try replies(steady.receive().bytes) == [.done])
  }

  @Test func clientThatStopsSendingGetsItsReplies() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    client.send(#"{"request":"sync"}"#)
    client.endSending()
    let asked = server.settle { _ in nil }
    #expect(asked.map(\.request) == [.sync])
    // `settle` has ended: nothing wakes the daemon while it works.
    server.send(.done, to: asked[0].client)
    let received = client.receive()
    #expect(try replies(received.bytes) == [.done])
    #expect(received.isClosed)
    #expect(server.clientCount == 0)
  }

  @Test func requestsBeforeDisconnectAreDone() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    do {
      let client = RawClient(path: folder.socket)
      let pair = Request.list.line + Request.hide(name: "x").line
      let lines = Array((0..<500).map { _ in pair }.joined())
      #expect(client.send(lines) == lines.count)
      _ = consume client
    }
    let asked = server.settle().map(\.request)
    #expect(asked.count { $0 == .hide(name: "x") } == 500)
    #expect(asked.count <= 501, "what needs only an answer is left out")
    #expect(server.clientCount == 0)
  }

  @Test func clientWithLineOfTenMebibytesIsDropped() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let letters = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
    var sentCount = 0
    while sentCount < 10 << 20, let count = client.send(letters) {
      sentCount += count
      server.settle()
    }
    #expect(sentCount < 1 << 20, "the rest is not read")
    let received = client.receive()
    #expect(received.isClosed)
    #expect(
      try replies(received.bytes)
        == [.failure(.usage, "\(RequestError.lineTooLong(limit: 1 << 18))")])
    #expect(server.clientCount == 0)
  }

  @Test func longestLineIsReadAndALongerOneIsNot() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    #expect(LineBuffer.longestLine == 256 << 10)
    for excess in 0...1 {
      let client = RawClient(path: folder.socket)
      let request = Array(Request.list.line.dropLast())
      let blankCount = LineBuffer.longestLine - request.count + excess
      let line = request + [UInt8](repeating: UInt8(ascii: " "), count: blankCount) + [10]
      var sentCount = 0
      var asked: [Incoming] = []
      while sentCount < line.count, let count = client.send(line[sentCount...]) {
        sentCount += count
        asked += server.settle()
      }
      let reply = try replies(client.receive().bytes)
      if excess == 0 {
        #expect(asked.map(\.request) == [.list])
        #expect(reply == [.done])
      } else {
        #expect(asked.isEmpty)
        #expect(reply == [.failure(.usage, "\(RequestError.lineTooLong(limit: 256 << 10))")])
      }
    }
  }

  @Test func connectionSurvivesRandomBytes() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    for seed in 0..<100 {
      var dice = Dice(seed: seed)
      client.send((0..<1000).map { _ in UInt8.random(in: .min ... .max, using: &dice) } + [10])
      #expect(server.settle().isEmpty, "seed \(seed)")
      for reply in try replies(client.receive().bytes) {
        guard case .failure(.usage, _) = reply else {
          Issue.record("random bytes are answered by \(reply), seed \(seed)")
          return
        }
      }
    }
    client.send(Request.list.line)
    #expect(server.settle().map(\.request) == [.list])
  }

  @Test func idleClientMakesRoomForAnother() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    // An array cannot hold values that cannot be copied.
    let clients = (0..<ControlServer.clientLimit).map { _ in
      Boxed(RawClient(path: folder.socket))
    }
    // The backlog holds no more.
    server.settle()
    for client in clients.dropFirst() {
      client.value.send(Request.list.line)
      server.settle()
    }
    let late = RawClient(path: folder.socket)
    server.settle()
    #expect(server.clientCount == ControlServer.clientLimit)
    #expect(clients[0].value.receive().isClosed, "it has asked nothing")
    late.send(Request.list.line)
    server.settle()
    #expect(try replies(late.receive().bytes) == [.done])
    for client in clients.dropFirst() { #expect(!client.value.receive().isClosed) }
  }

  @Test func clientThatLeavesMakesRoomForAnother() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    var clients = (0..<ControlServer.clientLimit).map { _ in Boxed(RawClient(path: folder.socket)) }
    server.settle()
    clients.removeLast()
    let late = RawClient(path: folder.socket)
    server.settle()
    #expect(server.clientCount == ControlServer.clientLimit)
    for client in clients { #expect(!client.value.receive().isClosed) }
    late.send(Request.list.line)
    server.settle()
    #expect(try replies(late.receive().bytes) == [.done])
  }

  @Test func clientBeyondTheLimitIsRefusedIfAllOthersWait() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let clients = (0..<ControlServer.clientLimit).map { _ in
      Boxed(RawClient(path: folder.socket))
    }
    server.settle()
    for client in clients { client.value.send(Request.sync.line) }
    let asked = server.settle { _ in nil }
    #expect(asked.count == clients.count)
    let late = RawClient(path: folder.socket)
    server.settle()
    let received = late.receive()
    #expect(received.isClosed)
    guard case .failure(.unavailable, let text) = try replies(received.bytes).first else {
      Issue.record("no answer")
      return
    }
    #expect(text.contains("64"))
    #expect(server.clientCount == ControlServer.clientLimit)
    for one in asked { server.send(.done, to: one.client) }
    for client in clients { #expect(try replies(client.value.receive().bytes) == [.done]) }
  }

  @Test func slowReaderWaitsForItselfAndDelaysNoOther() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let slow = RawClient(path: folder.socket)
    let quick = RawClient(path: folder.socket)
    server.settle()
    let long = Reply.failure(.internal, String(repeating: "x", count: 10_000))
    var (sent, performed) = (0, 0)
    for _ in 0..<1000 {
      sent += (slow.send(Request.status.line) ?? 0) / Request.status.line.count
      quick.send(Request.list.line)
      let asked = server.settle { $0 == .status ? long : .done }
      #expect(asked.contains { $0.request == .list })
      performed += asked.count { $0.request == .status }
      #expect(try replies(quick.receive().bytes) == [.done])
    }
    #expect(performed < 200, "the replies in the socket are bounded")
    #expect(server.clientCount == 2)
    var received = 0
    while received < sent {
      received += slow.receive().bytes.count { $0 == 10 }
      server.settle { _ in long }
    }
    #expect(received == sent)
  }

  /// No request follows a picture before the client has received it.
  @Test func clientHoldsOneUnreadPicture() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let request = Request.snapshot(name: "x", isBackdrop: false)
    for _ in 0..<5 { client.send(request.line) }
    for i in 1...5 {
      let asked = server.settle { _ in nil }
      try #require(asked.map(\.request) == [request])
      server.send(
        .done, to: asked[0].client, attaching: try FileDescriptor.makePixelFile([]), fileSize: 1000)
      #expect(server.settle().isEmpty && server.unreadByteCount == 1000)
      #expect(server.awaitsReaders == (i < 5))
      #expect(try replies(client.receive().bytes) == [.done])
      server.handle([])
      #expect(server.unreadByteCount == 0)
    }
  }

  /// A client whose requests take long waits for others, and an idle client gets no credit.
  @Test func cheapClientsAreServedFirst() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let clients = (0..<2).map { _ in Boxed(RawClient(path: folder.socket)) }
    let lines = Array((0..<50).map { _ in Request.list.line }.joined())
    var order: [Int] = []
    clients[0].value.send(lines)
    server.settle { _ in .done }
    for client in clients { client.value.send(lines) }
    var turns: [Turn: Int] = [:]
    for _ in 0..<200 where order.count < 60 {
      var entries = server.interests().map {
        pollfd(fd: $0.descriptor, events: $0.events, revents: 0)
      }
      _ = unsafe poll(&entries, nfds_t(entries.count), 0)
      server.handle(entries.map { ($0.fd, $0.revents) })
      guard let turn = server.takeTurns().first, let asked = server.nextRequest(of: turn) else {
        continue
      }
      let index = turns[turn] ?? turns.count
      turns[turn] = index
      order.append(index)
      server.charge(turn, index == 0 ? .milliseconds(9) : .milliseconds(1))
      server.send(.done, to: asked.client)
    }
    // Nine cheap requests for each dear one, while both have some.
    let dear = order.prefix(50).count { $0 == 0 }
    #expect((4...7).contains(dear), "\(order)")
    withExtendedLifetime(clients) {}
  }

  @Test func longReplyReachesClientThatReads() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let long = Reply.failure(.internal, String(repeating: "x", count: 8 << 20))
    client.send(Request.status.line)
    server.settle { _ in long }
    var bytes: [UInt8] = []
    while bytes.count < long.line.count {
      let received = client.receive()
      try #require(!received.isClosed)
      bytes += received.bytes
      server.iterate()
    }
    #expect(bytes == long.line)
  }

  @Test func requestsThatCannotBePerformedYetAreNotRead() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let many = Array((0..<100).map { _ in Request.sync.line }.joined())
    var byteCount = 0
    for _ in 0..<1000 {
      byteCount += client.send(many) ?? 0
      server.settle { _ in nil }
    }
    #expect(byteCount < 1 << 20, "the rest waits for room in the socket")
    #expect(server.clientCount == 1)
  }

  @Test func fileArrivesWithItsReply() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let pixels = (0..<100_000).map { UInt32($0) &* 2_654_435_761 }
    let bitmap = Bitmap(width: 400, height: 250, pixels: pixels)
    let picture = Reply.picture(PictureReport(width: 400, height: 250, stride: 400))
    let thread = ClientThread(path: folder.socket, asking: .snapshot(name: "x", isBackdrop: false))
    var asked: [Incoming] = []
    while asked.isEmpty { asked = server.iterate(milliseconds: 1000) { _ in nil } }
    let file = try FileDescriptor.makePixelFile([bitmap])
    server.send(picture, to: asked[0].client, attaching: file)
    let received = thread.join()
    #expect(received.reply == picture)
    #expect(received.pixels == pixels)
  }
}

/// A reference to a value that cannot be copied.
final class Boxed<Value: ~Copyable> {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}
