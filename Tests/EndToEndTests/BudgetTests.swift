import Glibc
import Linux
import Raster
import TestSupport
import Testing

/// The share of a processor that the daemon uses at most.
@Suite(.serialized, .waiting) struct BudgetTests {
  /// The share that the daemon uses while all pixels behind a pane change all the time; and what `status` says.
  private func share(_ arguments: [String]) throws -> (share: Double, status: String) {
    let server = try XServer(width: 800, height: 600)
    let client = try TestClient(server)
    let pictures = [1, 2].map { Bitmap.noise(width: 800, height: 600, seed: $0) }
    let window = try client.makeWindow(
      Rect(x: 0, y: 0, width: 800, height: 600), picture: pictures[0])
    let daemon = try TestDaemon(on: server, ["--rate", "200"] + arguments)
    try daemon.ask("add", "pane", "--plain", "--sigma", "5", "--geometry", "800x600+0+0")
    try daemon.sync()
    let clock = ContinuousClock()
    func change(for length: Duration) throws {
      let end = clock.now + length
      var i = 0
      while clock.now < end {
        window.draw(pictures[i % 2])
        try client.sync()
        pause(.milliseconds(5))
        i += 1
      }
    }
    try change(for: .seconds(1.5))
    let (start, before) = (clock.now, try daemon.process.usage().cpuSeconds)
    try change(for: .seconds(3))
    let used = try daemon.process.usage().cpuSeconds - before
    return (used / ((clock.now - start) / .seconds(1)), try daemon.ask("status"))
  }

  @Test(.enabled(if: !Sanitizer.isActive)) func rateFallsUntilTheBudgetSuffices() throws {
    let free = try share([])
    #expect(free.status.contains("200 frames/s\n"))
    // Other programs may leave little to the daemon.
    let percent = max(1, Int(50 * free.share))
    try #require(free.share > 0.02)
    let limited = try share(["--cpu-budget", "\(percent)%"])
    #expect(limited.share < 0.014 * Double(percent))
    #expect(limited.status.contains("of 200 frames/s, because of cpu-budget \(percent)%"))
    // With a budget that suffices nothing changes.
    let rich = try share(["--cpu-budget", "1600%"])
    #expect(rich.status.contains("200 frames/s, cpu-budget 1600%"))
  }

  @Test func wrongBudgetIsNamed() throws {
    let server = try XServer(width: 64, height: 64)
    for text in ["0%", "1601", "nothing", "-3%", "nan"] {
      let outcome = try server.run(ProgramPaths.backdropd, ["--cpu-budget=\(text)"])
      #expect(outcome.status == .exited(64))
      #expect(outcome.err.contains("cpu-budget") && outcome.err.contains(text), "\(outcome.err)")
    }
  }

  /// Power supplies in the form of the kernel.
  @Test func batteryIsRecognised() throws {
    let folder = try TemporaryDirectory()
    func supply(_ name: String, _ values: [String: String]) throws {
      mkdir(folder.path + "/" + name)
      for (key, value) in values {
        try writeText(value + "\n", to: "\(folder.path)/\(name)/\(key)")
      }
    }
    #expect(!isOnBattery(folder.path + "/none"))
    #expect(!isOnBattery(folder.path))
    try supply("hid", ["type": "Battery", "status": "Discharging", "scope": "Device"])
    #expect(!isOnBattery(folder.path))
    try supply("BAT0", ["type": "Battery", "status": "Discharging"])
    #expect(isOnBattery(folder.path))
    try supply("AC", ["type": "Mains", "online": "1"])
    #expect(!isOnBattery(folder.path))
    try supply("AC", ["type": "Mains", "online": "0"])
    #expect(isOnBattery(folder.path))
    try supply("BAT0", ["type": "Battery", "status": "Full"])
    #expect(!isOnBattery(folder.path))
  }

  private func mkdir(_ path: String) { unsafe _ = Glibc.mkdir(path, 0o755) }
}
