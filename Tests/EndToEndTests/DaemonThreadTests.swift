import Raster
import TestSupport
import Testing

/// The threads of the daemon. `make sanitize-all` runs them under the thread sanitizer.
@Suite(.serialized, .waiting) struct DaemonThreadTests {
  private let server: XServer
  private let client: TestClient

  init() throws {
    server = try XServer(width: 3840, height: 2160)
    client = try TestClient(server)
  }

  @Test func largePaneLooksTheSameWithAnyNumberOfThreads() throws {
    let pictures = try [1, 2].map { threads in
      let daemon = try TestDaemon(on: server, ["--fresh", "--threads", "\(threads)"])
      let windows = try changeScreen(behind: "3840x2160+0+0", of: daemon)
      let picture = try client.screenshot()
      #expect(try daemon.stop() == .exited(0), "\(daemon.log)")
      windows.forEach { $0.destroy() }
      return picture
    }
    #expect(pictures[0].difference(from: pictures[1]) == nil)
  }

  /// A sanitizer has threads of its own.
  @Test(.enabled(if: !Sanitizer.isActive)) func onlyLargePaneStartsThreads() throws {
    let daemon = try TestDaemon(on: server, ["--threads", "2"])
    try changeScreen(behind: "400x300+40+40", of: daemon)
    #expect(threadCount(of: daemon) == 1)
    try daemon.ask("remove", "pane")
    try changeScreen(behind: "3840x2160+0+0", of: daemon)
    #expect(threadCount(of: daemon) == 2)
    #expect(try daemon.stop() == .exited(0), "\(daemon.log)")
  }

  /// Shows a pane and changes everything behind it, several times. Returns the windows behind it.
  @discardableResult
  private func changeScreen(
    behind geometry: String, of daemon: TestDaemon
  ) throws -> [TestWindow] {
    try daemon.ask(
      "add", "pane", "--plain", "--geometry", geometry, "--sigma", "20", "--saturation", "1.8",
      "--corner", "40", "--shadow", "outer-view")
    try daemon.sync()
    return try [1, 2, 3, 4].map { (seed: UInt64) in
      let window = try client.makeWindow(
        client.screen, picture: .noise(width: 256, height: 200, seed: seed))
      try client.sync()
      try daemon.sync()
      return window
    }
  }

  private func threadCount(of daemon: TestDaemon) -> Int {
    namesInDirectory("/proc/\(daemon.process.pid)/task").count
  }
}
