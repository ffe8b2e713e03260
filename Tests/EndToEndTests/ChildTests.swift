import Glibc
import Raster
import TestSupport
import Testing

/// Programs start, their output is read, and they end with their owner.
@Suite(.serialized, .waiting) struct ChildTests {
  private let environment = ["PATH": "/usr/bin:/bin"]

  @Test func outputAndExitStatusAreKept() throws {
    let script = "echo $((6 * 7)); echo oops >&2; exit 3"
    let outcome = try Child.run("sh", ["-c", script], environment: environment)
    #expect(outcome.status == .exited(3))
    #expect(outcome.out == "42\n")
    #expect(outcome.err == "oops\n")
  }

  @Test func longOutputDoesNotBlockTheProgram() throws {
    let outcome = try Child.run("seq", ["200000"], environment: environment)
    #expect(outcome.status == .exited(0))
    #expect(outcome.out.utf8.count == 1_288_895)
  }

  @Test func missingProgramIsNamed() {
    let failure = #expect(throws: TestFailure.self) {
      _ = try Child("no-such-program", environment: environment)
    }
    #expect(failure?.description == "cannot start no-such-program: No such file or directory")
  }

  @Test func programThatIgnoresSIGTERMIsKilled() throws {
    // Stopped, so that SIGTERM cannot arrive before the trap is set.
    let deaf = try Child(
      "sh", ["-c", "trap '' TERM; kill -STOP $$; exec sleep 1000"], environment: environment)
    #expect(deaf.wait(for: .milliseconds(20)) == nil)
    #expect(throws: TestFailure.self) { try deaf.stop(within: .milliseconds(20)) }
    #expect(deaf.wait(for: .seconds(10)) == .signalled(SIGKILL))
  }

  @Test(arguments: [false, true])
  func serverAndItsFilesEndWithTheOwner(isKilled: Bool) throws {
    var pid: Int32 = 0
    var paths: [String] = []
    do {
      let server = try XServer(width: 64, height: 64)
      pid = server.process.pid
      paths = [server.runtimeDirectory, "/tmp/.X11-unix/X\(server.display.dropFirst())"]
      #expect(kill(pid, 0) == 0)
      for path in paths { #expect(unsafe access(path, F_OK) == 0) }
      if isKilled {
        server.process.kill()
        #expect(server.process.wait(for: .seconds(10)) == .signalled(SIGKILL))
      } else {
        // A frozen one ends, too.
        try server.freeze()
      }
    }
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
    #expect(unsafe access(paths[0], F_OK) == -1)
    // Another test may have started a server of this number.
    #expect(unsafe access(paths[1], F_OK) == -1 || isListening(at: paths[1]))
  }

  /// A service of a message bus is such a program.
  @Test func programThatOutlivesItsOwnerEndsBeforeTheDirectoryIsRemoved() throws {
    var path = ""
    var pid: Int32 = 0
    do {
      let directory = try TemporaryDirectory()
      path = directory.path
      let script = "setsid sh -c 'echo $$; while :; do mkdir -p $HOME/a/b; done' & wait"
      let program = try Child(
        "bash", ["-c", script], environment: ["PATH": "/usr/bin:/bin", "HOME": path])
      #expect(soon { program.out.hasSuffix("\n") })
      pid = try #require(Int32(program.out.dropLast()))
      program.kill()
      #expect(soon { namesInDirectory(path) == ["a"] })
      #expect(kill(pid, 0) == 0)
    }
    #expect(soon { kill(pid, 0) == -1 && errno == ESRCH })
    #expect(unsafe access(path, F_OK) == -1)
  }

  @Test func processUsageGrowsWithWork() throws {
    let busy = try Child("sh", ["-c", "while :; do :; done"], environment: environment)
    while try busy.usage().cpuSeconds < 0.05 {}
    #expect(try busy.usage().residentByteCount > 100_000)
    busy.terminate()
    #expect(busy.wait(for: .seconds(10)) == .signalled(SIGTERM))
  }

  @Test func programsUnderTestExist() {
    #expect(unsafe access(ProgramPaths.backdropd, X_OK) == 0)
    #expect(unsafe access(ProgramPaths.backdropctl, X_OK) == 0)
  }

  @Test func writtenPNGIsReadUnchanged() throws {
    let server = try XServer(width: 64, height: 64)
    let path = server.runtimeDirectory + "/picture.png"
    let picture = Bitmap.noise(width: 33, height: 17, seed: 8)
    try writePNG(straight: picture, to: path)
    #expect(try readPNG(path).difference(from: picture) == nil)
    #expect(throws: TestFailure.self) { try readPNG(path + ".missing") }
  }
}
