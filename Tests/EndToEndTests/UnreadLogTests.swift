import Glibc
import TestSupport
import Testing

/// A daemon whose log nothing reads.
@Suite(.serialized, .waiting) struct UnreadLogTests {
  @Test func unreadLogDelaysNothing() throws {
    let server = try XServer(width: 200, height: 150)
    let pipe = server.runtimeDirectory + "/log"
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    let reader = unsafe open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try #require(reader >= 0)
    defer {
      close(reader)
      unsafe unlink(pipe)
    }
    let daemon = try TestDaemon(
      on: server, program: "sh",
      ["-c", "exec '\(ProgramPaths.backdropd)' --verbose 2>'\(pipe)'"],
      recordFailure: { Issue.record("\($0)") })
    let connection = try ControlConnection(server)
    // Each refused request is a line of the log. A pipe holds about a thousand.
    for i in 0..<5000 {
      let reply = connection.ask(#"{"request":"remove","name":"p\#(i)"}"#)
      try #require(reply?.contains("failure") == true, "request \(i)")
    }
    var lines = read(reader).split(separator: "\n")
    #expect((100..<5000).contains(lines.count))
    #expect(!lines.contains { $0.contains("not logged") })
    let written = lines.count
    _ = connection.ask(#"{"request":"hide","name":"last"}"#)
    lines = read(reader).split(separator: "\n")
    // The first line says that the daemon serves the display.
    let missing = 5001 - written
    #expect(lines.first?.contains("\(missing) lines were not logged") == true, "\(lines)")
    #expect(lines.last?.contains("hide") == true)
    #expect(try daemon.stop() == .exited(0))
  }

  /// All that is in the pipe.
  private func read(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }
}
