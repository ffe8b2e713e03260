import Glibc
import Raster
import TestSupport
import Testing

/// An idle daemon uses no CPU time, and memory does not grow with work.
@Suite(.serialized, .waiting) struct DaemonQuietTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 640, height: 480)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 640, height: 480, seed: 1))
    daemon = try TestDaemon(on: server)
  }

  /// The number of wake-ups of the daemon within a second.
  private func wakeUpsInASecond() throws -> Int {
    try daemon.process.usage(within: .seconds(1)).sleepCount
  }

  /// Returns when the daemon sleeps.
  private func settle() throws {
    try daemon.sync()
    try daemon.waitUntilAsleep()
  }

  @Test func idleDaemonIsNotWoken() throws {
    let picture = Bitmap.noise(width: 200, height: 150, seed: 2)
    _ = try client.makeWindow(Rect(x: 50, y: 50, width: 200, height: 150), picture: picture)
    try client.sync()
    for i in 0..<8 {
      try daemon.ask("add", "pane\(i)", "--geometry", "200x150+\(30 * i)+\(20 * i)")
    }
    try daemon.ask("hide", "pane3")
    let idle = try ControlConnection(server)
    #expect(idle.ask(#"{"request":"sync"}"#) == done)
    let halfWritten = try ControlConnection(server)
    halfWritten.send(Array(#"{"request":"#.utf8))
    try settle()
    #expect(try wakeUpsInASecond() == 0)
  }

  @Test func invisibleChangesDoNotWakeTheDaemon() throws {
    try daemon.ask("add", "panel", "--plain", "--geometry", "100x80+10+10", "--sigma", "5")
    let window = try client.makeWindow(
      Rect(x: 400, y: 300, width: 100, height: 100), color: 0xffff_ffff)
    try client.sync()
    try settle()
    let frames = number("frames", in: try daemon.ask("status", "--json"))
    try settle()
    let before = try daemon.process.usage().sleepCount
    for i in 0..<50 {
      window.draw(.noise(width: 50, height: 50, seed: UInt64(i)))
      try client.sync()
    }
    pause(.milliseconds(200))
    #expect(try daemon.process.usage().sleepCount == before)
    #expect(number("frames", in: try daemon.ask("status", "--json")) == frames)
  }

  @Test func disconnectedClientIsForgotten() throws {
    try daemon.ask("add", "panel", "--plain", "--geometry", "100x80+10+10")
    for _ in 0..<100 {
      let connection = try ControlConnection(server)
      connection.send(#"{"request":"status"}"#)
    }
    try settle()
    #expect(try wakeUpsInASecond() == 0)
  }

  @Test(.enabled(if: !Sanitizer.isActive)) func memoryDoesNotGrowWithAddedAndRemovedPanes() throws {
    let connection = try ControlConnection(server)
    func round(_ count: Int) {
      for i in 0..<count {
        let geometry = "\(100 + i % 300)x\(80 + i % 200)+\(i % 100)+\(i % 90)"
        let sigma = i % 7 * 5
        connection.send(
          #"{"request":"add","name":"p","style":"plain","geometry":"\#(geometry)","sigma":\#(sigma)}"#
        )
        connection.send(#"{"request":"sync"}"#)
        for _ in 0..<2 { #expect(connection.reply() == done) }
        #expect(connection.ask(#"{"request":"remove","name":"p"}"#) == done)
      }
    }
    // The heap and the cache reach their sizes in the first rounds.
    round(1400)
    let before = try daemon.process.usage().residentByteCount
    round(1400)
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
    let after = try daemon.process.usage().residentByteCount
    print("resident: \(before >> 10) KiB, and \(after >> 10) KiB after 1400 more panes")
    #expect(after - before < 1 << 20)
    #expect(try server.sharedMemory().count <= 1)
  }

  @Test func fastMovingPaneEndsAtItsPlace() throws {
    let connection = try ControlConnection(server)
    let windows = try (0..<3).map { i in
      try client.makeWindow(
        Rect(x: 40 * i, y: 30 * i, width: 150, height: 120),
        picture: .noise(width: 150, height: 120, seed: UInt64(i)))
    }
    #expect(
      connection.ask(#"{"request":"add","name":"p","style":"plain","geometry":"200x150+0+0"}"#)
        == done)
    let start = ContinuousClock.now
    for i in 1...500 {
      let geometry = "\(200 + i % 40)x\(150 + i % 30)+\(i * 7 % 400)+\(i * 3 % 300)"
      connection.send(#"{"request":"set","name":"p","geometry":"\#(geometry)"}"#)
      windows[i % 3].move(x: i * 5 % 500, y: i * 11 % 400)
      if i % 10 == 0 { windows[i % 3].raise() }
      try client.sync()
    }
    for _ in 1...500 { #expect(connection.reply() == done) }
    try daemon.sync()
    print("500 moves: \(ContinuousClock.now - start)")
    // Equals a new pane at the same place.
    let moved = try client.screenshot()
    connection.send(#"{"request":"remove","name":"p"}"#)
    let last = "\(200 + 500 % 40)x\(150 + 500 % 30)+\(500 * 7 % 400)+\(500 * 3 % 300)"
    connection.send(#"{"request":"add","name":"q","style":"plain","geometry":"\#(last)"}"#)
    #expect(connection.reply() == done)
    #expect(connection.reply() == done)
    try daemon.sync()
    #expect(try client.screenshot().difference(from: moved) == nil)
    #expect(try daemon.stop() == .exited(0))
  }
}
