import Glibc
import Raster
import TestSupport
import Testing

/// Programs start, are heard, and are never left behind.
@Suite(.serialized) struct ChildTests {
  private let environment = ["PATH": "/usr/bin:/bin"]

  @Test func whatAProgramWritesAndHowItEndsIsKept() throws {
    let script = "echo $((6 * 7)); echo oops >&2; exit 3"
    let outcome = try Child.run("sh", ["-c", script], environment: environment)
    #expect(outcome.status == .exited(3))
    #expect(outcome.out == "42\n")
    #expect(outcome.err == "oops\n")
  }

  @Test func aProgramThatWritesMoreThanAPipeHoldsDoesNotBlock() throws {
    let outcome = try Child.run("seq", ["200000"], environment: environment)
    #expect(outcome.status == .exited(0))
    #expect(outcome.out.utf8.count == 1_288_895)
  }

  @Test func aProgramThatIsMissingIsNamed() {
    let failure = #expect(throws: TestFailure.self) {
      _ = try Child("no-such-program", environment: environment)
    }
    #expect(failure?.description == "cannot start no-such-program: No such file or directory")
  }

  @Test func aProgramThatIgnoresTermIsKilled() throws {
    // It says when it is deaf, and stays so in every shell's way of waiting.
    let deaf = try Child(
      "sh", ["-c", "trap '' TERM; kill -STOP $$; exec sleep 1000"], environment: environment)
    #expect(deaf.wait(for: .milliseconds(20)) == nil)
    #expect(throws: TestFailure.self) { try deaf.stop(within: .milliseconds(20)) }
    #expect(deaf.wait(for: .seconds(10)) == .signalled(SIGKILL))
  }

  @Test func nothingIsLeftBehindByAnOwnerThatForgets() throws {
    var pid: Int32 = 0
    var directory = ""
    do {
      let server = try XServer(width: 64, height: 64)
      pid = server.process.pid
      directory = server.runtimeDirectory
      #expect(kill(pid, 0) == 0)
      #expect(unsafe access(directory, W_OK) == 0)
    }
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
    #expect(unsafe access(directory, F_OK) == -1)
  }

  @Test func usageGrowsWithWork() throws {
    let busy = try Child("sh", ["-c", "while :; do :; done"], environment: environment)
    while try busy.usage().cpuSeconds < 0.05 {}
    #expect(try busy.usage().residentByteCount > 100_000)
    busy.terminate()
    #expect(busy.wait(for: .seconds(10)) == .signalled(SIGTERM))
  }

  @Test func theProgramsUnderTestWereBuilt() {
    #expect(unsafe access(ProgramPaths.backdropd, X_OK) == 0)
    #expect(unsafe access(ProgramPaths.backdropctl, X_OK) == 0)
  }

  @Test func aPictureSurvivesThePNG() throws {
    let server = try XServer(width: 64, height: 64)
    let path = server.runtimeDirectory + "/picture.png"
    let picture = Bitmap.noise(width: 33, height: 17, seed: 8)
    try writePNG(straight: picture, to: path)
    #expect(try readPNG(path).difference(from: picture) == nil)
    #expect(throws: TestFailure.self) { try readPNG(path + ".missing") }
  }
}
