import Glibc
import TestSupport
import Testing

/// No other user can use a daemon, and no other process can read its pixels. The tests make processes of another user.
@Suite(.serialized, .waiting, .enabled(if: getuid() == 0, "needs root")) struct PrivacyTests {
  private let server: XServer

  init() throws { server = try XServer(width: 400, height: 300) }

  private func runAsOther(_ words: String...) throws -> ProgramOutcome {
    let all = UserManager.asOtherUser + words
    return try server.run(all[0], Array(all.dropFirst()))
  }

  @Test func otherUsersAreRejected() throws {
    let daemon = try TestDaemon(on: server, [])
    try daemon.ask("add", "one", "--plain", "--geometry", "90x80+1+2")
    let folder = server.runtimeDirectory
    // The folder of a user lets no other user in; here all the way to the socket is open.
    #expect(try runAsOther(ProgramPaths.backdropctl, "list").status != .exited(0))
    #expect(unsafe chmod(folder, 0o755) == 0 && chmod(server.controlSocket, 0o777) == 0)
    let outcome = try runAsOther(ProgramPaths.backdropctl, "list")
    #expect(outcome.status == .exited(69) && outcome.out == "", "\(outcome.err)")
    #expect(try daemon.ask("list").contains("one"))
  }

  @Test(.enabled(if: !Sanitizer.isActive, "sanitizers inspect their process"))
  func processesOfTheUserCannotReadItsMemory() throws {
    #expect(unsafe chown(server.runtimeDirectory, 65534, 65534) == 0)
    let words = UserManager.asOtherUser + [ProgramPaths.backdropd]
    let daemon = try Child(words[0], Array(words.dropFirst()), environment: server.environment)
    #expect(try soon { try runAsOther(ProgramPaths.backdropctl, "status").status == .exited(0) })
    for file in ["environ", "maps", "mem", "fd/0"] {
      let outcome = try runAsOther("head", "-c1", "/proc/\(daemon.pid)/\(file)")
      #expect(outcome.status == .exited(1) && outcome.err.contains("ermission"), "\(outcome.err)")
    }
    // The same of a process that does not deny it.
    let other = try Child(
      "setpriv", Array(UserManager.asOtherUser.dropFirst()) + ["sleep", "60"],
      environment: server.environment)
    #expect(
      try soon { try runAsOther("head", "-c1", "/proc/\(other.pid)/environ").status == .exited(0) })
  }

  @Test func filesAreForTheirUserOnly() throws {
    let daemon = try TestDaemon(on: server, [])
    try daemon.ask("add", "one", "--geometry", "200x150+1+2", "--label", "x")
    try daemon.sync()
    for name in [""] + namesInDirectory(server.stateFolder).map({ "/" + $0 }) {
      var information = stat()
      #expect(unsafe lstat(server.stateFolder + name, &information) == 0)
      #expect(information.st_mode & 0o077 == 0, "\(name)")
    }
    var information = stat()
    #expect(unsafe lstat(server.controlSocket, &information) == 0)
    #expect(information.st_mode & 0o777 == 0o600)
  }
}
