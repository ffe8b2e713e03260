import TestSupport
import Testing

/// The scale of the output, from the resources of the X server.
@Suite(.serialized, .waiting) struct ResourceScaleTests {
  /// A pane in logical units follows the scale: that of the environment, or a larger one of the resources.
  @Test func paneInLogicalUnitsFollowsTheScale() throws {
    let server = try XServer(width: 800, height: 600)
    let client = try TestClient(server)
    let daemon = try TestDaemon(on: server, ["--fresh"], environment: ["GDK_SCALE": "2"])
    try daemon.ask(
      "add", "pane", "--units", "logical", "--size", "100x50", "--anchor", "bottom-right",
      "--margin", "10")
    func place() throws -> String {
      try daemon.ask("list").split(separator: "\n").last.map { "\($0)" } ?? ""
    }
    #expect(try place().contains(" 200x100+580+480 on screen "))
    client.setResources(Array("Xft.dpi: 288\n".utf8), format: 8)
    try client.sync()
    #expect(try place().contains(" 300x150+470+420 on screen "))
    client.setResources(Array("Xft.dpi: 96\n".utf8), format: 8)
    try client.sync()
    #expect(try place().contains(" 200x100+580+480 on screen "))
    try daemon.ask("set", "pane", "--size", "30x20@4x", "--reset", "units")
    #expect(try place().contains(" 120x80+670+510 on screen "))
  }

  /// The command line counts more than the configuration, and both more than the desktop.
  @Test func scaleOfAnOutputIsFollowed() throws {
    let server = try XServer(width: 800, height: 600)
    let client = try TestClient(server)
    client.setResources(Array("Xft.dpi: 192\n".utf8), format: 8)
    try client.sync()
    let file = server.runtimeDirectory + "/outputs.conf"
    func configure(_ scale: String) throws {
      try writeText(
        """
        outputs = ( { name = "other"; scale = 8; }, { name = "screen"; \(scale) } );
        panes = ( { name = "pane"; units = "logical"; geometry = "100x50+10+10"; } );
        """, to: file)
    }
    try configure("scale = 1.5;")
    var daemon = try TestDaemon(on: server, ["--fresh", "--config", file])
    func place() throws -> String {
      try daemon.ask("list").split(separator: "\n").last.map { "\($0)" } ?? ""
    }
    try daemon.sync()
    #expect(try place().contains(" 150x75+15+15 "))
    try configure("scale = 3;")
    try daemon.ask("reload")
    #expect(try place().contains(" 300x150+30+30 "))
    try configure("")
    try daemon.ask("reload")
    #expect(try place().contains(" 200x100+20+20 "))
    try daemon.stop()
    daemon = try TestDaemon(on: server, ["--fresh", "--config", file, "--outputs", "screen=4"])
    try daemon.sync()
    #expect(try place().contains(" 400x200+40+40 "))
    try daemon.stop()
    let wrong = try server.run(ProgramPaths.backdropd, ["--outputs", "screen=9"])
    #expect(wrong.status == .exited(64) && wrong.err.contains("screen=9"), "\(wrong.err)")
  }

  @Test func scaleIsReadFromTheResources() throws {
    let server = try XServer(width: 100, height: 100)
    let client = try TestClient(server)
    let daemon = try TestDaemon(on: server)
    func scale() throws -> String {
      let status = try daemon.ask("status", "--json")
      let line = status.split(separator: "\n").first { $0.contains(#""scale""#) }
      return line.map { $0.filter { $0.isNumber || $0 == "." } } ?? "none"
    }
    func scale(_ resources: String, format: UInt8 = 8) throws -> String {
      client.setResources(Array(resources.utf8), format: format)
      try client.sync()
      return try scale()
    }
    #expect(try scale() == "1")
    #expect(try scale("Xcursor.size:\t24\nXft.dpi:\t192\n") == "2")
    #expect(try scale("Xft.dpi: 120") == "1.25")
    let filling = String(repeating: "a.b:\tc\n", count: 9362)
    #expect(filling.utf8.count == 65534)
    #expect(try scale("Xft.dpi: 120\n" + filling + filling) == "1.25")
    // The property is read as far as 64 KiB, and a line that is cut there does not count.
    #expect(try scale(filling.dropLast(11) + "\nXft.dpi: 1920\n") == "1")
    #expect(try scale(String(repeating: "\0", count: 100_000)) == "1")
    #expect(try scale("Xft.dpi: 192", format: 32) == "1")
  }
}
