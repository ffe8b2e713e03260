import Glibc
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
    let asked = server.settle { _ in nil }
    try #require(asked.map(\.request) == [.sync, .list, .status])
    // Answered from the last to the first.
    server.send(.failure(.internal, "status"), to: asked[2].client)
    server.send(.panes([]), to: asked[1].client)
    #expect(client.receive().bytes.isEmpty)
    server.send(.done, to: asked[0].client)
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
      let lines = Array((0..<500).map { _ in Request.list.line }.joined())
      #expect(client.send(lines) == lines.count)
      _ = consume client
    }
    #expect(server.settle().count == 500)
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

  @Test func clientBeyondTheLimitIsRefused() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    // An array cannot hold values that cannot be copied.
    let clients = (0..<ControlServer.clientLimit).map { _ in
      Boxed(RawClient(path: folder.socket))
    }
    // The backlog holds no more.
    server.settle()
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
    for client in clients { client.value.send(Request.list.line) }
    #expect(server.settle().count == clients.count)
  }

  @Test func slowReaderIsDroppedAndDelaysNoOther() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let slow = RawClient(path: folder.socket)
    let quick = RawClient(path: folder.socket)
    server.settle()
    let long = Reply.failure(.internal, String(repeating: "x", count: 10_000))
    var iterations = 0
    while server.clientCount == 2, iterations < 10_000 {
      slow.send(Request.status.line)
      quick.send(Request.list.line)
      let asked = server.settle { $0 == .status ? long : .done }
      #expect(asked.contains { $0.request == .list })
      #expect(try replies(quick.receive().bytes) == [.done])
      iterations += 1
    }
    #expect(server.clientCount == 1)
    #expect(iterations < 200, "its buffer is bounded")
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

  @Test func clientWithTooManyOpenRequestsIsDropped() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let many = Array((0..<100).map { _ in Request.sync.line }.joined())
    var sentCount = 0
    while sentCount < 100, client.send(many) != nil {
      server.settle { _ in nil }
      sentCount += 1
    }
    #expect(server.clientCount == 0)
    #expect(sentCount < 100)
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
