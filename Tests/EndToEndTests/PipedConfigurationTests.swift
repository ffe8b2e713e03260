import Glibc
import TestSupport
import Testing

/// The configuration is a pipe to which nothing comes.
@Suite(.serialized, .waiting) struct PipedConfigurationTests {
  @Test func silentPipeIsAnErrorAndPanesStay() throws {
    let server = try XServer(width: 64, height: 48)
    let file = server.configurationFolder + "/backdropd.conf"
    _ = try server.run("mkdir", ["-p", server.configurationFolder])
    try writeText(
      "panes = ( { name = \"a\"; style = \"plain\"; geometry = \"9x9+0+0\"; } );", to: file)
    let daemon = try TestDaemon(on: server, [])
    try daemon.sync()
    #expect(unsafe mkfifo(file + "-pipe", 0o600) == 0)
    let writer = unsafe open(file + "-pipe", O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    #expect(unsafe rename(file + "-pipe", file) == 0)
    let reload = try server.run(ProgramPaths.backdropctl, ["reload"], timeout: .seconds(30))
    #expect(reload.status == .exited(66) && reload.err.contains("nothing came for 5 s"))
    // The daemon has its own one.
    #expect(try soon { try daemon.ask("status", "--json").contains("nothing came for 5 s") })
    #expect(try daemon.ask("list", "--json").contains(#""a""#))
  }
}
