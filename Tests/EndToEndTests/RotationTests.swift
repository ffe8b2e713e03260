import Raster
import TestSupport
import Testing

/// The daemon on Xephyr, whose screen is a window of another server and can be rotated.
@Suite(.serialized, .waiting) struct RotationTests {
  private let server: XServer

  init() throws {
    server = try XServer(.nested(in: XServer(width: 800, height: 800)), width: 640, height: 480)
  }

  private func rotate(_ orientation: String) throws {
    let outcome = try server.run("xrandr", ["-o", orientation])
    #expect(outcome.status == .exited(0), "\(outcome.err)")
  }

  private func makeScene(seed: UInt64, fade: Int = 0) throws -> CaptureScene {
    let scene = try CaptureScene(seed: seed, on: server, ["--fresh", "--rotation-fade", "\(fade)"])
    for _ in 0..<10 { try scene.makeWindow() }
    try scene.client.sync()
    return scene
  }

  @Test func panesFollowTheRotationOfTheScreen() throws {
    let scene = try makeScene(seed: 61)
    try scene.daemon.ask("add", "pane", "--plain", "--geometry", "200x152-16-8", "--sigma", "12")
    let window = try scene.client.makeWindow(
      Rect(x: 300, y: 300, width: 300, height: 300), picture: scene.somePicture(argb: false))
    let screens = [
      ("normal", 640, 480), ("left", 480, 640), ("inverted", 640, 480), ("right", 480, 640),
      ("normal", 640, 480),
    ]
    for (orientation, width, height) in screens {
      try rotate(orientation)
      #expect(try TestClient(server).screen == Rect(x: 0, y: 0, width: width, height: height))
      let rect = Rect(x: width - 216, y: height - 160, width: 200, height: 152)
      try scene.checkScreen("pane", at: rect, sigma: 12, orientation)
      window.draw(.noise(width: 90, height: 90, seed: UInt64(width)), x: 20, y: 20)
      window.move(x: width - 250, y: height - 200)
      try scene.checkScreen("pane", at: rect, sigma: 12, "\(orientation), a window moves")
    }
  }

  /// After a sync the pane is at its new place with its old glass, which disappears within the fade.
  @Test func glassOfARotatedScreenFades() throws {
    let scene = try makeScene(seed: 63, fade: 10_000)
    try scene.daemon.ask("add", "pane", "--plain", "--geometry", "200x152-16-8", "--sigma", "12")
    try scene.daemon.sync()
    let before = try scene.snapshot("pane")
    var start = ContinuousClock.now
    /// The levels of the fade since its start, by smoothstep, and what is rounded.
    func tolerance() -> Int {
      let share = min(1, (ContinuousClock.now - start) / .seconds(10))
      return 3 + Int(255 * share * share * (3 - 2 * share))
    }
    try rotate("left")
    try scene.daemon.sync()
    let shown = try TestClient(server).screenshot()
      .cropped(to: Rect(x: 264, y: 480, width: 200, height: 152))
    let first = tolerance()
    #expect(shown.difference(from: before, tolerance: first) == nil)
    start = ContinuousClock.now
    try rotate("normal")
    try scene.daemon.sync()
    let back = try scene.snapshot("pane")
    // The former fade went on until this one began.
    #expect(back.difference(from: before, tolerance: first + tolerance()) == nil)
  }

  @Test func fadeOfARotationEndsExact() throws {
    let scene = try makeScene(seed: 64, fade: 1000)
    try scene.daemon.ask("add", "pane", "--plain", "--geometry", "200x152-16-8", "--sigma", "12")
    try scene.daemon.sync()
    let frames = try scene.number("frames")
    try rotate("left")
    try scene.daemon.sync()
    #expect(try soon { try scene.number("frames") > frames + 5 })
    try scene.daemon.waitUntilAsleep()
    try scene.checkScreen(
      "pane", at: Rect(x: 264, y: 480, width: 200, height: 152), sigma: 12, "after the fade")
  }

  @Test(arguments: ["left", "inverted"])
  func panesFollowRandomChangesOnARotatedScreen(orientation: String) throws {
    try rotate(orientation)
    let scene = try makeScene(seed: 62)
    try scene.add("upper", Rect(x: 20, y: 30, width: 300, height: 200))
    try scene.add("lower", Rect(x: 140, y: 250, width: 340, height: 230), sigma: 5)
    for step in 1...5 {
      for _ in 0..<8 { try scene.act() }
      try scene.checkEverything("step \(step)")
    }
  }
}
