import TestSupport
import Testing

/// The inputs with which `make fuzz` begins. Wrong ones would reach nothing but the first check.
@Suite(.serialized, .waiting) struct FuzzSeedTests {
  private static let seeds =
    #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Fuzz/Seeds"

  private let server: XServer
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 64, height: 48)
    daemon = try TestDaemon(on: server)
  }

  @Test func requestsArePerformed() throws {
    let connection = try ControlConnection(server)
    // 16x4 pixels, as the target has them.
    let pixels = try MemoryFile(byteCount: 4 * 64)
    let files = namesInDirectory(Self.seeds + "/requests")
    #expect(!files.isEmpty)
    for file in files {
      for line in try readText("\(Self.seeds)/requests/\(file)").split(separator: "\n") {
        let bytes = Array("\(line)\n".utf8)
        let hasPixels = line.contains("\"image\"")
        _ = hasPixels ? connection.send(bytes, attaching: [pixels.number]) : connection.send(bytes)
        let reply = connection.reply() ?? ""
        #expect(!reply.contains("\"failure\"") && !reply.isEmpty, "\(line): \(reply)")
      }
    }
  }

  @Test func configurationsAreRight() throws {
    let files = namesInDirectory(Self.seeds + "/configuration")
    #expect(!files.isEmpty)
    for file in files {
      let outcome = try daemon.ctl("config", "check", "\(Self.seeds)/configuration/\(file)")
      #expect(outcome.status == .exited(0), "\(outcome.err)")
    }
  }

  @Test func savedPanesAreRead() throws {
    try daemon.stop()
    let folder = server.environment["XDG_STATE_HOME"].map { $0 + "/backdropd" } ?? ""
    _ = try server.run("mkdir", ["-p", folder])
    let name = "backdropd-\(server.display.dropFirst()).panes"
    try writeText(try readText(Self.seeds + "/saved/panes"), to: "\(folder)/\(name)")
    let next = try TestDaemon(on: server, [])
    let list = try next.ask("list")
    for pane in ["a ", "b "] { #expect(list.contains("\n\(pane)"), "\(list)") }
  }
}
