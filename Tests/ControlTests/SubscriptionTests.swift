import Testing

@testable import Control

/// Clients that get events.
@Suite struct SubscriptionTests {
  private let event = EventReport(.reload, text: "/etc/x")

  /// A subscriber, and its request.
  private func subscribe(
    _ client: borrowing RawClient, _ server: inout ControlServer
  ) throws -> ClientID {
    client.send(Request.subscribe([.reload]).line)
    let asked = server.settle { _ in nil }
    try #require(asked.map(\.request) == [.subscribe([.reload])])
    server.subscribe(asked[0].client)
    return asked[0].client
  }

  @Test func eventsFollowTheReply() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let id = try subscribe(client, &server)
    server.post([event, event], to: id)
    #expect(server.hasRoom(id) == true)
    // Requests are ignored now.
    client.send(Request.quit.line)
    #expect(server.settle().isEmpty)
    server.post([event], to: id)
    let lines = client.receive().bytes.split(separator: 10)
    #expect(
      try lines.map { try Reply(parsing: $0) } == [.done]
        + .init(repeating: .event(event), count: 3))
    #expect(server.interests().count == 2)
  }

  @Test func subscriberThatDoesNotReadKeepsNoMemory() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let other = RawClient(path: folder.socket)
    let id = try subscribe(client, &server)
    var posted = 0
    while server.hasRoom(id) == true, posted < 100_000 {
      server.post([event], to: id)
      posted += 1
    }
    #expect(server.hasRoom(id) == false)
    server.post([event], to: id)
    other.send(Request.sync.line)
    #expect(server.settle().map(\.request) == [.sync])
    // When it reads, it gets each event that had room, and there is room again.
    var bytes: [UInt8] = []
    while server.hasRoom(id) == false {
      bytes += client.receive().bytes
      server.settle()
    }
    bytes += client.receive().bytes
    #expect(bytes.count { $0 == 10 } == posted + 1)
  }

  @Test func subscriberThatDisconnectsIsForgotten() throws {
    let folder = TemporaryFolder()
    var server = try ControlServer(path: folder.socket)
    let client = RawClient(path: folder.socket)
    let id = try subscribe(client, &server)
    client.endSending()
    server.settle()
    #expect(server.hasRoom(id) == nil)
    #expect(server.clientCount == 0)
    #expect(client.receive().isClosed)
  }

  @Test func unknownKindIsNamed() throws {
    let line = Array(#"{"request":"subscribe","kinds":["reload","pane-mvoed"]}"#.utf8)
    #expect { _ = try Request(parsing: line) { nil } } throws: { error in
      "\(error)".contains("pane-mvoed") && "\(error)".contains("pane-moved")
    }
  }
}
