import Raster
import TestSupport
import Testing

/// The cache of backdrops, as users see it.
@Suite(.serialized, .waiting) struct CacheTests {
  private func rows(_ daemon: TestDaemon) throws -> [[Substring]] {
    try daemon.sync()
    return try daemon.ask("cache").split(separator: "\n").map { $0.split(separator: " ") }
  }

  @Test func cacheShowsWhatItKeepsAndCanBeCleared() throws {
    let daemon = try TestDaemon(on: XServer(width: 640, height: 480))
    #expect(try daemon.ask("cache") == "the cache is empty\n")
    try daemon.ask("add", "pane", "--plain", "--geometry", "200x100+40+60", "--sigma", "9")
    try daemon.sync()
    let shown = try rows(daemon)
    #expect(shown.count == 2 && shown[1].contains("screen") && shown[1].contains("0"))
    #expect(shown[1][3...5] == ["windows", "below", "normal"])
    #expect(shown[1][7] == shown[1][8], "all tiles are needed")
    try daemon.ask("cache", "clear")
    #expect(try rows(daemon)[1].prefix(9) == shown[1].prefix(9), "what a pane needs stays")
    try daemon.ask("hide", "pane")
    let hidden = try rows(daemon)
    #expect(hidden[1].prefix(8) == shown[1].prefix(8) && hidden[1][8] == "0")
    try daemon.ask("show", "pane")
    #expect(try rows(daemon)[1].suffix(2).first != "0", "hits")
    try daemon.ask("hide", "pane")
    try daemon.ask("cache", "clear")
    #expect(try daemon.ask("cache", "list", "--json") == "[\n\n]\n")
  }

  /// A request that changes something is performed also for a client that does not wait for the reply.
  @Test func cacheIsClearedForAClientThatLeaves() throws {
    let server = try XServer(width: 640, height: 480)
    let daemon = try TestDaemon(on: server)
    try daemon.ask("add", "pane", "--plain", "--geometry", "200x100+40+60")
    try daemon.sync()
    try daemon.ask("hide", "pane")
    #expect(try rows(daemon).count == 2)
    _ = try ControlConnection(server).send(#"{"request":"clearCache"}"#)
    #expect(try soon { try daemon.ask("cache") == "the cache is empty\n" })
  }

  @Test(arguments: [["--cache-bytes", "0"], ["--cache-count", "0"]])
  func cacheWithoutRoomKeepsNothing(options: [String]) throws {
    let daemon = try TestDaemon(on: XServer(width: 640, height: 480), ["--fresh"] + options)
    try daemon.ask("add", "pane", "--plain", "--geometry", "200x100+40+60")
    try daemon.sync()
    #expect(try rows(daemon).count == 2)
    try daemon.ask("hide", "pane")
    #expect(try daemon.ask("cache") == "the cache is empty\n")
  }

  @Test func limitIsReadWithItsUnit() throws {
    let daemon = try TestDaemon(
      on: XServer(width: 640, height: 480),
      ["--fresh", "--cache-bytes", "3M", "--cache-count", "77"])
    let status = try daemon.status()
    #expect(status.contains(#""byteLimit":3145728"#) && status.contains(#""tileLimit":77"#))
  }

  @Test(arguments: [
    ["--cache-bytes", "many"], ["--cache-bytes", "-1"], ["--cache-bytes", "2T"],
    ["--cache-bytes", "2000G"], ["--cache-bytes", "K"], ["--cache-count", "-1"],
    ["--cache-count", "99999999"], ["--rotation-fade", "-1"], ["--rotation-fade", "10001"],
    ["--rotation-fade", "nan"], ["--rotation-fade", "fast"],
  ])
  func wrongLimitIsNamed(options: [String]) throws {
    let outcome = try XServer(width: 64, height: 64).run(ProgramPaths.backdropd, options)
    #expect(outcome.status == .exited(64), "\(outcome.err)")
    #expect(outcome.err.contains(options[0].dropFirst(2)), "\(outcome.err)")
  }
}
