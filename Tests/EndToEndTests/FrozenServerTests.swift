import Glibc
import Raster
import TestDice
import TestSupport
import Testing

/// The X server does not run at all: the daemon answers clients all the same, and loses nothing.
@Suite(.serialized, .waiting) struct FrozenServerTests {
  /// Each request, and whether it succeeds.
  private static let requests = [
    #"{"request":"list"}"#, #"{"request":"status"}"#,
    ##"{"request":"set","name":"still","tint":"#C0206080"}"##,
    #"{"request":"set","name":"still","style":"plain","geometry":"300x200+60+50"}"#,
    #"{"request":"set","name":"still","sigma":null,"corner":"30"}"#,
    #"{"request":"hide","name":"still"}"#, #"{"request":"show","name":"still"}"#,
    #"{"request":"toggle","name":"still","fade":100}"#,
    #"{"request":"toggle","name":"still","fade":100}"#,
    #"{"request":"add","name":"new","style":"plain","geometry":"90x80+20+200","shadow":"outer-view"}"#,
    #"{"request":"set","name":"new","style":"plain","geometry":"120x80+200+180"}"#,
    #"{"request":"remove","name":"new"}"#,
    #"{"request":"apply","panes":[{"name":"still","style":"plain","geometry":"200x150+100+80"}],"dryRun":true}"#,
    #"{"request":"apply","panes":[{"name":"still","style":"plain","geometry":"200x150+100+80","sigma":9},"#
      + #"{"name":"other","style":"plain","geometry":"100x90+250+180","shadow":"outer-view"}]}"#,
  ]

  /// Far less than the time that the server is frozen, far more than the daemon needs on a busy machine.
  private static let limit = Duration.seconds(5)

  @Test(arguments: [[], ["MIT-SHM"]])
  func requestsAreAnsweredWhileTheServerIsFrozen(missing: [String]) throws {
    let server = try XServer(width: 400, height: 300, lacking: missing)
    let scene = try CaptureScene(seed: 81, on: server)
    for _ in 0..<6 { try scene.makeWindow() }
    try scene.client.sync()
    try scene.daemon.ask(
      "add", "still", "--plain", "--geometry", "200x150+100+80", "--sigma", "9", "--shadow",
      "outer-view")
    try scene.daemon.sync()
    let connection = try ControlConnection(server)
    let (syncing, snapping) = (try ControlConnection(server), try ControlConnection(server))

    try server.freeze()
    defer { server.thaw() }
    syncing.send(#"{"request":"sync"}"#)
    snapping.send(#"{"request":"snapshot","name":"still","backdrop":true}"#)
    for round in 0..<5 {
      for request in Self.requests {
        let start = ContinuousClock.now
        let reply = connection.ask(request)
        #expect(ContinuousClock.now - start < Self.limit, "\(request)")
        #expect(reply?.contains("failure") == false, "round \(round): \(request)")
      }
    }
    // One round trip more, so that the daemon has seen everything.
    #expect(connection.ask(#"{"request":"list"}"#) != nil)
    #expect(!syncing.hasReply && !snapping.hasReply)

    server.thaw()
    #expect(syncing.reply() == done)
    #expect(snapping.reply()?.contains("picture") == true)
    try expectPanes(of: scene)
  }

  /// SIGTERM ends a daemon that waits for its server.
  @Test func signalEndsTheDaemonWhileTheServerIsFrozen() throws {
    let server = try XServer(width: 300, height: 200)
    let running = try TestDaemon(on: server)
    try running.ask("add", "pane", "--plain", "--geometry", "100x80+10+10")
    try running.sync()
    try server.freeze()
    defer { server.thaw() }
    #expect(try running.stop(within: Self.limit) == .exited(0))
    server.thaw()
    let next = try TestDaemon(on: server)
    try next.sync()
  }

  @Test func manyRequestsAreAnsweredWhileTheServerIsFrozen() throws {
    let scene = try CaptureScene(seed: 82, width: 400, height: 300)
    try scene.daemon.ask("add", "still", "--plain", "--geometry", "200x150+100+80", "--sigma", "9")
    try scene.daemon.sync()
    let connection = try ControlConnection(scene.server)
    try scene.server.freeze()
    defer { scene.server.thaw() }
    for i in 0..<200 {
      let geometry = "40x30+\(i * 7 % 360)+\(i * 11 % 270)"
      #expect(
        connection.ask(
          #"{"request":"add","name":"p\#(i)","style":"plain","geometry":"\#(geometry)"}"#) == done)
      #expect(
        connection.ask(#"{"request":"set","name":"p\#(i)","corner":"9","shadow":"outer-view"}"#)
          == done)
    }
    for i in 0..<200 {
      #expect(connection.ask(#"{"request":"remove","name":"p\#(i)"}"#) == done)
    }
    scene.server.thaw()
    try scene.daemon.ask(
      "add", "other", "--plain", "--geometry", "100x90+250+180", "--shadow", "outer-view")
    try scene.daemon.ask("set", "still", "--shadow", "outer-view")
    try expectPanes(of: scene)
  }

  /// The messages of the daemon do not fill the socket, so it never waits for the server.
  @Test func manyMessagesToAFrozenServerBlockNothing() throws {
    let scene = try CaptureScene(seed: 85, width: 400, height: 300)
    let names = (0..<120).map { "p\($0)" }
    func addPanes() throws {
      for (i, name) in names.enumerated() {
        let geometry = "40x30+\(i * 7 % 360)+\(i * 11 % 270)"
        try scene.daemon.ask(
          "add", name, "--plain", "--geometry", geometry, "--shadow", "outer-view")
      }
      try scene.daemon.sync()
    }
    try addPanes()
    let shown = try scene.client.screenshot()
    let connection = try ControlConnection(scene.server)
    let syncing = try (0..<50).map { _ in try ControlConnection(scene.server) }
    try scene.server.freeze()
    defer { scene.server.thaw() }
    // Each is a message of its own to the server.
    for other in syncing {
      other.send(#"{"request":"sync"}"#)
      #expect(connection.ask(#"{"request":"list"}"#) != nil)
    }
    for (i, name) in names.enumerated() {
      let start = ContinuousClock.now
      for request in [["hide"], ["hide", "show"], ["hide", "remove"], ["remove"]][i % 4] {
        #expect(connection.ask(#"{"request":"\#(request)","name":"\#(name)"}"#) == done)
      }
      #expect(ContinuousClock.now - start < Self.limit, "\(name)")
    }
    scene.server.thaw()
    for other in syncing { #expect(other.reply() == done) }
    for (i, name) in names.enumerated() where i % 4 < 2 { try scene.daemon.ask("remove", name) }
    try addPanes()
    #expect(try scene.client.screenshot().difference(from: shown) == nil)
  }

  /// The server stops when it has reported many windows, and before it reads what the daemon asks about them.
  @Test func answersToManyEventsBlockNothing() throws {
    let scene = try CaptureScene(seed: 86, width: 400, height: 300)
    try scene.add("pane", Rect(x: 60, y: 50, width: 300, height: 220))
    let connection = try ControlConnection(scene.server)
    for round in 0..<Effort.rounds(3) {
      let windows = try (0..<1500).map { i in
        try scene.client.makeWindow(
          Rect(x: i * 7 % 360, y: i * 11 % 270, width: 40, height: 30), color: 0xFF20_4060)
      }
      try scene.client.sync()
      try scene.server.freeze()
      defer { scene.server.thaw() }
      try expectAnswers(connection, "round \(round)")
      scene.server.thaw()
      for window in windows { window.destroy() }
      try scene.client.sync()
      try scene.checkEverything("round \(round)")
    }
  }

  /// The server stops when it has sent a part of a large reply.
  @Test func partOfAReplyBlocksNothing() throws {
    let server = try XServer(width: 1920, height: 1080, lacking: ["MIT-SHM"])
    let scene = try CaptureScene(seed: 87, on: server)
    let window = try scene.client.makeWindow(
      Rect(x: 0, y: 0, width: 1800, height: 1000), color: 0xFF20_4060)
    try scene.add("pane", Rect(x: 100, y: 50, width: 1500, height: 900))
    let connection = try ControlConnection(server)
    for round in 0..<Effort.rounds(6) {
      window.draw(.noise(width: 1500, height: 900, seed: UInt64(round)), x: 5 * round, y: 3 * round)
      try scene.client.sync()
      pause(.milliseconds(round))
      try server.freeze()
      defer { server.thaw() }
      try expectAnswers(connection, "round \(round)")
    }
    try scene.checkEverything("after all rounds")
  }

  private func expectAnswers(_ connection: ControlConnection, _ place: String) throws {
    for request in [#"{"request":"status"}"#, #"{"request":"list"}"#, #"{"request":"status"}"#] {
      let start = ContinuousClock.now
      #expect(connection.ask(request) != nil, "\(place)")
      try #require(ContinuousClock.now - start < Self.limit, "\(place): \(request)")
    }
  }

  /// Damage that is under way when the server stops is not lost.
  @Test func changesBeforeTheFreezeAreShownAfterIt() throws {
    let scene = try CaptureScene(seed: 83, width: 400, height: 300)
    let window = try scene.client.makeWindow(
      Rect(x: 80, y: 60, width: 200, height: 150), color: 0xFF20_4060)
    try scene.add("pane", Rect(x: 60, y: 50, width: 300, height: 220))
    let connection = try ControlConnection(scene.server)
    for round in 0..<8 {
      window.draw(.noise(width: 150, height: 100, seed: UInt64(round)), x: 5 * round, y: 3 * round)
      scene.client.flush()
      try scene.server.freeze()
      defer { scene.server.thaw() }
      #expect(connection.ask(#"{"request":"status"}"#) != nil)
      scene.server.thaw()
      try scene.checkEverything("round \(round)")
    }
  }

  /// The server attaches the memory of a pane after the daemon has given it up.
  @Test func memoryExistsUntilTheServerHasAttachedIt() throws {
    let scene = try CaptureScene(seed: 84, width: 400, height: 300)
    try scene.add("pane", Rect(x: 60, y: 50, width: 300, height: 220))
    let shown = try scene.client.screenshot()
    let connection = try ControlConnection(scene.server)
    for _ in 0..<5 {
      try scene.daemon.ask("hide", "pane")
      try scene.daemon.sync()
      try scene.server.freeze()
      defer { scene.server.thaw() }
      let before = try scene.number("frames")
      #expect(connection.ask(#"{"request":"show","name":"pane"}"#) == done)
      // From the cache.
      while try scene.number("frames") == before {}
      #expect(connection.ask(#"{"request":"hide","name":"pane"}"#) == done)
      scene.server.thaw()
      try scene.daemon.ask("show", "pane")
      try scene.daemon.sync()
      #expect(try scene.client.screenshot().difference(from: shown) == nil)
    }
    #expect(!scene.daemon.log.contains("shared memory"))
    #expect(try scene.sharesMemory())
  }

  /// The panes are those of a daemon without a frozen server.
  private func expectPanes(of scene: CaptureScene) throws {
    try scene.daemon.sync()
    let shown = try scene.client.screenshot()
    try scene.daemon.ask("remove", "still")
    try scene.daemon.ask("remove", "other")
    #expect(try scene.daemon.ask("list").contains("no panes"))
    try scene.daemon.ask(
      "add", "still", "--plain", "--geometry", "200x150+100+80", "--sigma", "9",
      "--shadow", scene.seed == 81 ? "none" : "outer-view")
    try scene.daemon.ask(
      "add", "other", "--plain", "--geometry", "100x90+250+180", "--shadow", "outer-view")
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: shown) == nil)
  }
}
