import Raster
import TestSupport
import Testing

/// Commands that ask a display themselves end if it does not answer.
@Suite(.serialized, .waiting) final class SilentDisplayTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// More than a command waits for a display, and more than a busy machine adds to it.
  private static let limit = Duration.seconds(30)

  @Test func commandsGiveUpAFrozenServer() throws {
    let server = try XServer(width: 64, height: 48)
    let daemon = try TestDaemon(on: server)
    try daemon.sync()
    try server.freeze()
    defer { server.thaw() }
    // All at once, because each waits.
    let commands = try [
      ["shot", folder.path + "/x.png"], ["pick"], ["pick", "--window", "1"],
      ["add", "a", "--select", "--plain"], ["add", "b", "--window"],
    ].map { try server.start(ProgramPaths.backdropctl, $0) }
    for command in commands {
      #expect(command.wait(for: Self.limit) == .exited(69), "\(command.err)")
      #expect(
        command.err.contains("display \(server.display) does not answer"), "\(command.err)")
    }
    #expect(namesInDirectory(folder.path).isEmpty)
  }

  /// `list` and `status` name the programs of the desktop in their advice, if the server tells them.
  @Test func obstacleIsToldWhileTheServerIsFrozen() throws {
    let server = try XServer(width: 64, height: 48)
    let client = try TestClient(server)
    let window = try client.makeWindow(
      Rect(x: 0, y: 0, width: 40, height: 30), color: 0x8000_0000, argb: true)
    client.setClass("term", "Term", of: window)
    try client.sync()
    let daemon = try TestDaemon(on: server)
    try daemon.ask("behind", "add", "glass", "--class", "Term", "--background", "none")
    try daemon.sync()
    try server.freeze()
    defer { server.thaw() }
    let list = try server.start(ProgramPaths.backdropctl, ["list"])
    #expect(list.wait(for: Self.limit) == .exited(0))
    #expect(list.err.contains("the glass of 'glass' is not shown"), "\(list.err)")
  }

  @Test func shotGivesUpASilentCompositor() throws {
    let socket = try SilentSocket(in: folder.path)
    let server = try XServer(width: 64, height: 48)
    let picture = folder.path + "/x.png"
    func shot(_ environment: [String: String]) throws -> Child {
      try Child(
        ProgramPaths.backdropctl, ["shot", picture],
        environment: environment.merging(["WAYLAND_DISPLAY": socket.path]) { $1 })
    }
    let path = server.environment.filter { $0.key == "PATH" }
    let (alone, besideServer) = (try shot(path), try shot(server.environment))
    #expect(alone.wait(for: Self.limit) == .exited(69))
    #expect(alone.err.contains("display \(socket.path) does not answer"), "\(alone.err)")
    #expect(besideServer.wait(for: Self.limit) == .exited(0), "\(besideServer.err)")
    #expect(try readPNG(picture).bounds == Rect(x: 0, y: 0, width: 64, height: 48))
  }
}
