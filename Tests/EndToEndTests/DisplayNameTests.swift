import TestSupport
import Testing

/// The names of a screen mean one daemon; each screen has its own.
@Suite(.serialized, .waiting) struct DisplayNameTests {
  @Test func namesOfAScreenReachOneDaemon() throws {
    let server = try XServer(width: 300, height: 200)
    let names = [server.display, "\(server.display).0", "unix\(server.display)"]
    for name in names {
      let daemon = try TestDaemon(on: server, ["--fresh", "--display", name])
      try daemon.ask("add", "pane", "--plain", "--geometry", "100x80+10+10")
      for other in names {
        #expect(try daemon.ask("list", "--display", other).contains("pane"), "\(name), \(other)")
        let second = try server.run(ProgramPaths.backdropd, ["--display", other])
        #expect(second.status == .exited(69), "\(second.err)")
      }
      try daemon.stop()
    }
  }

  @Test func screensHaveTheirOwnDaemons() throws {
    let server = try XServer(width: 300, height: 200, options: ["-screen", "1", "200x150x24"])
    let first = try TestDaemon(on: server)
    let name = "\(server.display).1"
    let second = try TestDaemon(on: server, ["--display", name])
    try second.ask("add", "pane", "--plain", "--geometry", "100x80+10+10", "--display", name)
    try second.ask("sync", "--display", name)
    #expect(try second.ask("status", "--display", name).contains("200x150"))
    #expect(try first.ask("status").contains("300x200"))
    #expect(try !first.ask("list").contains("100x80"))
    try second.stop()
    try first.ask("sync")
  }
}
