import Glibc
import Raster
import TestSupport
import Testing

/// The demo, a program for developers, on screens in memory.
@Suite(.waiting) struct DemoTests {
  /// The environment of this process, without a display.
  private let environment: [String: String] = {
    var environment = ["LC_ALL": "C.UTF-8"]
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"]
    {
      if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
    }
    return environment
  }()

  /// With a sanitizer the daemon is too slow for a moving screen of this size on a compositor, which answers only frames.
  @Test(arguments: Sanitizer.isActive ? ["auto"] : ["auto", "wayland"]) func demoWritesAScreenshot(
    server: String
  ) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/demo.png"
    let demo = try Child(
      ProgramPaths.demo, ["--server", server, "--output", path], environment: environment)
    var processes: Set<Int32> = []
    let deadline = ContinuousClock.now + .seconds(60)
    while demo.wait(for: .milliseconds(200)) == nil, ContinuousClock.now < deadline {
      processes.formUnion(descendants(of: demo.pid))
    }
    #expect(demo.wait(for: .zero) == .exited(0), "\(demo.err)")
    #expect(demo.out.contains("frames") && demo.out.contains(path), "\(demo.out)")
    let picture = try readPNG(path)
    #expect(picture.bounds == Rect(x: 0, y: 0, width: 1920, height: 1080))
    // The clock and the dock, or the panel, are lighter than what is at their sides, and the notification is darker.
    let (lightX, darkX, barY) = server == "wayland" ? (1254, 1320, 1000) : (1500, 1570, 1016)
    for (inside, outside) in [
      (picture.brightness(x: 100, y: 200), picture.brightness(x: 40, y: 200)),
      (picture.brightness(x: lightX, y: barY), picture.brightness(x: darkX, y: barY)),
      (picture.brightness(x: 1900, y: 150), picture.brightness(x: 1844, y: 150)),
    ] {
      #expect(inside > outside + 15)
    }
    #expect(processes.count >= 5)
    #expect(soon { processes.allSatisfy { kill($0, 0) != 0 } })
  }

  /// All processes of the group get the signal, as by Ctrl-C.
  @Test func interruptedDemoLeavesNoPanesOnTheDesktop() throws {
    let wallpaper = Bitmap.noise(width: 1280, height: 600, seed: 1)
    let server = try WaylandServer(wallpaper: wallpaper)
    let demo = try server.start("setsid", [ProgramPaths.demo, "--server", "wayland"])
    func panes() throws -> Int {
      try server.run(ProgramPaths.backdropctl, ["list"]).out.split(separator: "\n")
        .count { $0.contains("demo-") }
    }
    #expect(try soon { try panes() == 3 })
    kill(-demo.pid, SIGINT)
    #expect(demo.wait(for: .seconds(30)) == .exited(130), "\(demo.err)")
    #expect(try server.screenshot().difference(from: wallpaper) == nil)
    // It would show panes that the last one kept.
    let daemon = try TestDaemon(on: server, [])
    #expect(try panes() == 0)
    #expect(try daemon.stop() == .exited(0))
  }

  /// Without a compositor both terminals have glass in place of their background.
  @Test func demoOnTheDesktopEndsItsPrograms() throws {
    let server = try XServer(width: 1280, height: 800)
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: 1280, height: 800, seed: 2))
    try client.sync()
    let daemon = try TestDaemon(on: server)
    let wallpaper = try client.screenshot()
    let demo = try server.start("setsid", [ProgramPaths.demo])
    #expect(soon { demo.out.contains("Terminals with glass") })
    #expect(
      try soon {
        try daemon.ask("behind", "list").split(separator: "\n").count { $0.contains("keyed") } == 2
      })
    let lines = try daemon.ask("list", "--wide").split(separator: "\n").filter {
      $0.contains("demo-")
    }
    #expect(lines.count == 5)
    kill(-demo.pid, SIGINT)
    #expect(demo.wait(for: .seconds(30)) == .exited(130), "\(demo.err)")
    #expect(try daemon.ask("list").contains("demo-") == false)
    #expect(
      try soon {
        try daemon.sync()
        return try client.screenshot().difference(from: wallpaper) == nil
      })
  }

  @Test func demoNamesWhatIsMissing() throws {
    let server = try WaylandServer(.weston, wallpaper: Bitmap(width: 300, height: 200))
    let demo = try Child.run(
      ProgramPaths.demo, ["--server", "wayland"],
      environment: server.environment.merging(["PATH": server.runtimeDirectory]) { $1 })
    #expect(demo.status == .exited(127))
    #expect(demo.out.contains("zwlr_layer_shell_v1"), "\(demo.out)")
    #expect(demo.err.contains("no 'sway': install the package sway"), "\(demo.err)")
  }

  @Test func interruptedDemoEndsItsProcesses() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/demo.png"
    let demo = try Child(ProgramPaths.demo, ["--output", path], environment: environment)
    var processes: Set<Int32> = []
    // The server, the daemon and some programs.
    #expect(
      soon {
        processes.formUnion(descendants(of: demo.pid))
        return processes.count >= 5
      })
    demo.terminate()
    #expect(demo.wait(for: .seconds(30)) == .exited(130), "\(demo.err)")
    #expect(soon { processes.allSatisfy { kill($0, 0) != 0 } })
    #expect(namesInDirectory(directory.path).isEmpty)
  }
}

extension Bitmap {
  /// The mean of the colours of 8x8 pixels.
  fileprivate func brightness(x: Int, y: Int) -> Int {
    let square = cropped(to: Rect(x: x, y: y, width: 8, height: 8)).pixels
    let sum = square.reduce(0) { sum, pixel in
      sum + [0, 8, 16].reduce(0) { $0 + Int(pixel >> UInt32($1) & 0xFF) }
    }
    return sum / (3 * square.count)
  }
}
