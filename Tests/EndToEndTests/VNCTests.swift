import Raster
import TestSupport
import Testing

/// The daemon on Xtigervnc, whose screen can be resized.
@Suite(.serialized, .waiting) struct VNCTests {
  private let scene: CaptureScene
  private let rect = Rect(x: 424, y: 320, width: 200, height: 152)

  init() throws {
    scene = try CaptureScene(
      seed: 51, on: XServer(.vnc, width: 640, height: 480), ["--fresh", "--rotation-fade", "0"])
    for _ in 0..<10 { try scene.makeWindow() }
    try scene.client.sync()
  }

  private func add(_ name: String, sigma: Double) throws {
    try scene.daemon.ask(
      "add", name, "--plain", "--geometry", "200x152-16-8", "--sigma", "\(sigma)")
    try scene.daemon.sync()
  }

  @Test(arguments: [0, 4, 12, 20.0])
  func paneShowsTheBlurredBackdrop(sigma: Double) throws {
    try add("pane", sigma: sigma)
    try scene.checkScreen("pane", at: rect, sigma: sigma, "sigma \(sigma)")
  }

  @Test func changeBehindThePaneIsShown() throws {
    try add("pane", sigma: 12)
    let window = try scene.client.makeWindow(
      Rect(x: 440, y: 340, width: 80, height: 60), color: 0xFFFF_0000)
    try scene.checkScreen("pane", at: rect, sigma: 12, "a window comes")
    let before = try scene.client.screenshot(rect)
    window.draw(.noise(width: 40, height: 40, seed: 52), x: 10, y: 5)
    try scene.client.sync()
    try scene.daemon.sync()
    #expect(try scene.client.screenshot(rect) != before)
    try scene.checkScreen("pane", at: rect, sigma: 12, "it is drawn on")
    window.move(x: 500, y: 400)
    try scene.checkScreen("pane", at: rect, sigma: 12, "it moves")
    window.destroy()
    try scene.checkScreen("pane", at: rect, sigma: 12, "it goes")
    scene.client.setWallpaper(.noise(width: 300, height: 200, seed: 53))
    try scene.checkScreen("pane", at: rect, sigma: 12, "another wallpaper")
  }

  @Test func panesFollowRandomChanges() throws {
    try scene.add("left", Rect(x: 20, y: 30, width: 300, height: 300))
    try scene.add("right", Rect(x: 340, y: 10, width: 250, height: 400), sigma: 5)
    for step in 1...5 {
      for _ in 0..<8 { try scene.act() }
      try scene.checkEverything("step \(step)")
    }
  }

  @Test func backdropEqualsTheScreenWithoutTheDaemon() throws {
    try add("pane", sigma: 12)
    for _ in 0..<8 { try scene.act() }
    try scene.client.sync()
    try scene.daemon.sync()
    let backdrop = try scene.snapshot("pane", isBackdrop: true)
    try scene.daemon.stop()
    #expect(backdrop.difference(from: try scene.client.screenshot(rect)) == nil)
  }

  @Test func panesFollowTheEdgesOfAResizedScreen() throws {
    try add("pane", sigma: 12)
    let window = try scene.client.makeWindow(
      Rect(x: 600, y: 460, width: 300, height: 300), picture: scene.somePicture(argb: false))
    for size in [(800, 600), (1024, 768), (640, 480), (1280, 720)] {
      let outcome = try scene.server.run(
        "xrandr", ["--output", "VNC-0", "--mode", "\(size.0)x\(size.1)"])
      #expect(outcome.status == .exited(0), "\(outcome.err)")
      #expect(try TestClient(scene.server).screen.size == size)
      let moved = Rect(x: size.0 - 216, y: size.1 - 160, width: 200, height: 152)
      try scene.checkScreen("pane", at: moved, sigma: 12, "\(size)")
      window.draw(.noise(width: 90, height: 90, seed: UInt64(size.0)), x: 20, y: 20)
      try scene.checkScreen("pane", at: moved, sigma: 12, "\(size), drawn on")
    }
  }
}

extension Rect {
  fileprivate var size: (Int, Int) { (width, height) }
}
