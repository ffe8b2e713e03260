import Raster
import TestDice
import TestSupport
import Testing

/// Wrong input at the socket: an error names it, and everything else continues to work.
@Suite(.serialized, .waiting) struct ControlBadInputTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon
  private let connection: ControlConnection
  private let window: TestWindow

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 1))
    window = try client.makeWindow(
      Rect(x: 20, y: 20, width: 100, height: 100), picture: .noise(width: 100, height: 100, seed: 2)
    )
    try client.sync()
    daemon = try TestDaemon(on: server)
    connection = try ControlConnection(server)
    #expect(
      connection.ask(#"{"request":"add","name":"live","style":"plain","geometry":"200x150+10+10"}"#)
        == done)
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
  }

  /// Checks that the daemon still runs and that the pane follows changes behind it.
  private func expectPaneFollowsChanges(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = try frames()
    for x in [40, 60, 20] {
      window.move(x: x, y: 25)
      try client.sync()
      #expect(connection.ask(#"{"request":"sync"}"#) == done, sourceLocation: sourceLocation)
    }
    #expect(try frames() > before, sourceLocation: sourceLocation)
    #expect(daemon.process.wait(for: .zero) == nil, sourceLocation: sourceLocation)
  }

  private func frames() throws -> Int {
    let status = connection.ask(#"{"request":"status"}"#) ?? ""
    return try #require(number("frames", in: status))
  }

  // MARK: Panes

  @Test func tenThousandPanesAreLimitedTo256() throws {
    var refused: Set<String> = []
    var doneCount = 0
    for batch in 0..<20 {
      for i in 0..<500 {
        let number = batch * 500 + i
        connection.send(
          #"{"request":"add","name":"p\#(number)","geometry":"20x20+\#(number % 350)+200"}"#)
      }
      for _ in 0..<500 {
        let reply = connection.reply() ?? "nothing"
        if reply == done { doneCount += 1 } else { refused.insert(reply) }
      }
    }
    #expect(doneCount == 255)
    #expect(
      refused == [
        #"{"failure":"usage","reply":"failure","text":"there are 256 panes already, and no more can"#
          + #" be added; remove one first"}"#
      ])
    let outcome = try daemon.ctl("add", "another", "--plain", "--geometry", "20x20+0+0")
    #expect(outcome.status == .exited(64))
    #expect(outcome.err.contains("there are 256 panes already"))
    try expectPaneFollowsChanges()
    try daemon.ask("remove", "p7")
    try daemon.ask("add", "another", "--plain", "--geometry", "20x20+0+0")
    try daemon.sync()
    #expect(number("panes", in: try daemon.ask("status", "--json")) == 256)
    #expect(try daemon.stop() == .exited(0))
  }

  /// Each request, and a part of its error.
  private static let wrongRequests = [
    (
      #"{"request":"add","name":"live","style":"plain","geometry":"9x9+0+0"}"#,
      "a pane named 'live' already"
    ),
    (#"{"request":"add","name":"new"}"#, "geometry is missing"),
    (#"{"request":"add","geometry":"9x9+0+0"}"#, "'name' is missing"),
    (#"{"request":"add","name":"","style":"plain","geometry":"9x9+0+0"}"#, "cannot name a pane ''"),
    (
      #"{"request":"add","name":"a/b","style":"plain","geometry":"9x9+0+0"}"#,
      "cannot name a pane 'a/b'"
    ),
    (
      #"{"request":"add","name":"new","style":"plain","geometry":"0x9+0+0"}"#,
      "geometry: 0x9+0+0 is out of range"
    ),
    (
      #"{"request":"add","name":"new","style":"plain","geometry":"-9x9+0+0"}"#,
      "geometry: cannot read '-9x9+0+0'"
    ),
    (
      #"{"request":"add","name":"new","style":"plain","geometry":"1099511627776x9+0+0"}"#,
      "geometry: 1099511627776x9+0+0 is out of range"
    ),
    (
      #"{"request":"add","name":"new","style":"plain","geometry":"99999999999999999999x9+0+0"}"#,
      "is out of range; it takes a size from 1x1"
    ),
    (
      #"{"request":"add","name":"new","style":"plain","geometry":"9x9+400+0"}"#,
      "geometry: 9x9+400+0 lies outside the screen, which is 400x300"
    ),
    (
      #"{"request":"add","name":"new","style":"plain","geometry":"9x9+-32768+32767"}"#,
      "geometry: 9x9+-32768+32767 lies outside the screen"
    ),
    (
      #"{"request":"set","name":"live","sigma":30,"geometry":"9x9+0+300"}"#,
      "geometry: 9x9+0+300 lies outside the screen"
    ),
    (#"{"request":"set","name":"live","sigma":-1}"#, "sigma: -1.0 is out of range"),
    (#"{"request":"set","name":"live","sigma":1000000000}"#, "sigma: 1000000000.0 is out of range"),
    (#"{"request":"set","name":"live","sigma":1e999}"#, "cannot read this line"),
    (#"{"request":"set","name":"live","sigma":"20"}"#, "'sigma' must be a number"),
    (#"{"request":"set","name":"live","sigma":30,"tint":"red"}"#, "tint: cannot read 'red'"),
    (#"{"request":"set","name":"live","sigma":30,"input":"maybe"}"#, "input: cannot read 'maybe'"),
    (#"{"request":"set","name":"live","sigma":30,"contrast":9}"#, "contrast: 9.0 is out of range"),
    (#"{"request":"set","name":"live","sigma":30,"corner":"76"}"#, "corner: 76.0 is out of range"),
    (
      #"{"request":"set","name":"live","corner":"20","geometry":"90x30+0+0"}"#,
      "at most 15.0, half the shorter edge of a pane of 90x30"
    ),
    (#"{"request":"set","name":"live","corner":"nan"}"#, "corner: nan is out of range"),
    (#"{"request":"set","name":"live","corner":20}"#, "'corner' must be a text"),
    (#"{"request":"set","name":"live","shadow":"0,0 1e6 #000000"}"#, "a radius of 1000000.0"),
    (#"{"request":"set","name":"live","shadow":"drak"}"#, "shadow: cannot read 'drak'"),
    (#"{"request":"set","name":"live","border":"101 #000000"}"#, "border: 101.0 is out of range"),
    (#"{"request":"set","name":"gone","sigma":30}"#, "no pane named 'gone'; there are: live"),
    (#"{"request":"set","name":"live","blur":3}"#, "'set' has no key 'blur'"),
    (#"{"request":"remove","name":"gone"}"#, "no pane named 'gone'"),
    (#"{"request":"hide","name":"gone"}"#, "no pane named 'gone'"),
    (#"{"request":"toggle","name":"gone"}"#, "no pane named 'gone'"),
    (#"{"request":"snapshot","name":"gone"}"#, "no pane named 'gone'"),
    (#"{"request":"dance"}"#, "no request 'dance'"),
    (#"[]"#, "cannot read this line"),
    (#"nonsense"#, "cannot read this line"),
  ]

  @Test func wrongRequestIsNamedAndChangesNothing() throws {
    let panes = connection.ask(#"{"request":"list"}"#)
    #expect(number("frames", in: panes ?? "") != nil)
    for (request, text) in Self.wrongRequests {
      let reply = connection.ask(request) ?? "nothing"
      #expect(reply.contains(#""failure":"usage""#) && reply.contains(text), "\(request): \(reply)")
      #expect(connection.ask(#"{"request":"list"}"#) == panes, "\(request)")
    }
  }

  // MARK: Bytes

  @Test func tenMegabyteLineIsRefused() throws {
    let huge = try ControlConnection(server)
    huge.send([UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20))
    #expect(huge.reply()?.contains("a request has at most 262144 bytes") ?? true)
    #expect(huge.reply() == nil)
    try expectPaneFollowsChanges()
  }

  @Test func partialRequestsAreHandled() throws {
    let patient = try ControlConnection(server)
    patient.send(Array(#"{"request":"remove","name":"li"#.utf8))
    for cut in 1..<40 {
      let hasty = try ControlConnection(server)
      hasty.send(Array(#"{"request":"set","name":"live","sigma":12}"#.utf8.prefix(cut)))
    }
    try expectPaneFollowsChanges()
    #expect(patient.ask(#"ve","x":1}"#)?.contains("'remove' has no key 'x'") == true)
    #expect(connection.ask(#"{"request":"list"}"#)?.contains("live") == true)
  }

  @Test func randomBytesAreRefused() throws {
    for seed: UInt64 in 0..<50 {
      var random = Dice(seed: seed)
      let noisy = try ControlConnection(server)
      var bytes = (0..<4000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      bytes.append(UInt8(ascii: "\n"))
      noisy.send(bytes)
      #expect(noisy.reply()?.contains(#""failure":"usage""#) == true)
    }
    try expectPaneFollowsChanges()
  }

  // MARK: Clients

  @Test func sixtyFifthClientReplacesTheIdleOne() throws {
    let others = try (1..<64).map { _ in try ControlConnection(server) }
    for other in others { #expect(other.ask(#"{"request":"sync"}"#) == done) }
    // The client that has asked nothing for the longest time makes room.
    #expect(try daemon.ctl("list").status == .exited(0))
    #expect(connection.reply() == nil)
    for other in others.dropFirst() { #expect(other.ask(#"{"request":"sync"}"#) == done) }
  }

  @Test func floodingClientsDelayNoFrame() throws {
    for i in 0..<50 { try addPane(i) }
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
    let others = try (0..<30).map { _ in try ControlConnection(server) }
    for other in others { other.send(flood) }
    let most = try (1...5).map { try workUntilChange(x: 20 + 9 * $0) }.max()
    print("CPU seconds before one of five changes amid floods was shown: at most \(most ?? 0)")
    #expect(try #require(most) < 0.3 * Sanitizer.slowdown)
    try expectPaneFollowsChanges()
    withExtendedLifetime(others) {}
  }

  @Test func signalEndsTheDaemonDuringFloods() throws {
    for i in 0..<50 { try addPane(i) }
    let others = try (0..<30).map { _ in try ControlConnection(server) }
    for other in others { other.send(flood) }
    let start = ContinuousClock.now
    #expect(try daemon.stop() == .exited(0))
    print("ended amid floods after \(ContinuousClock.now - start)")
    #expect(ContinuousClock.now - start < .seconds(1) * Sanitizer.slowdown)
  }

  private func addPane(_ i: Int) throws {
    let geometry = "20x20+\(i * 6)+200"
    #expect(
      connection.ask(#"{"request":"add","name":"p\#(i)","geometry":"\#(geometry)"}"#) == done)
  }

  /// Each request of 19 bytes has a list of all panes as its reply, until the daemon drops the client, which does
  /// not read: seconds of work.
  private let flood = Array(String(repeating: #"{"request":"list"}"# + "\n", count: 1000).utf8)

  /// The CPU seconds of the daemon from a change behind the pane to a change of the pane. The time on a clock would depend on
  /// what else runs.
  private func workUntilChange(x: Int) throws -> Double {
    // Inside the pane and outside the window at all its places.
    let eye = Rect(x: 20, y: 130, width: 180, height: 25)
    let before = try client.screenshot(eye)
    window.move(x: x, y: 25)
    try client.sync()
    let start = try daemon.process.usage().cpuSeconds
    #expect(try soon { try client.screenshot(eye) != before })
    return try daemon.process.usage().cpuSeconds - start
  }
}
