import Raster
import TestSupport
import Testing

/// The backdrop of panes, without a window manager and without a compositor.
@Suite(.serialized, .waiting) struct CaptureTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func backdropEqualsTheScreenWithoutPanes(seed: UInt64) throws {
    let scene = try CaptureScene(seed: seed)
    scene.panesAreOnTop = seed % 2 == 0
    for _ in 0..<10 { try scene.makeWindow() }
    try scene.client.sync()
    let bare = try scene.client.screenshot()
    try scene.add("middle", Rect(x: 200, y: 150, width: 240, height: 180))
    try scene.add("corner", Rect(x: 0, y: 0, width: 130, height: 97), sigma: 20)
    try scene.add("edge", Rect(x: 340, y: 260, width: 300, height: 220), sigma: 5)
    for pane in scene.panes {
      let backdrop = try scene.snapshot(pane.name, isBackdrop: true)
      #expect(
        backdrop.difference(from: bare.cropped(to: pane.rect)) == nil, "seed \(seed), \(pane)")
    }
    for step in 1...5 {
      for _ in 0..<8 { try scene.act() }
      try scene.checkEverything("step \(step)")
    }
  }

  @Test(arguments: [7, 8] as [UInt64])
  func singleChangesAreFollowed(seed: UInt64) throws {
    let scene = try CaptureScene(seed: seed, width: 320, height: 240)
    scene.panesAreOnTop = seed % 2 == 0
    for _ in 0..<6 { try scene.makeWindow() }
    try scene.add("whole", Rect(x: 0, y: 0, width: 320, height: 240))
    for step in 1...60 {
      try scene.act()
      try scene.client.sync()
      try scene.daemon.sync()
      // Each change is drawn; only every tenth is checked, for the time that a check needs.
      if step % 10 == 0 { try scene.checkEverything("step \(step)") }
    }
  }

  @Test func newWindowIsBehindAllPanes() throws {
    let scene = try CaptureScene(seed: 9, width: 320, height: 240)
    try scene.add("left", Rect(x: 10, y: 10, width: 100, height: 100))
    try scene.add("right", Rect(x: 200, y: 10, width: 100, height: 100))
    for x in [210, 20, 220] {
      _ = try scene.client.makeWindow(Rect(x: x, y: 30, width: 40, height: 40), color: 0xFFFF_0000)
      try scene.checkEverything("a window at \(x)")
    }
  }

  @Test func overlappingPanesKeepTheirOrderWhenWindowsAreRaised() throws {
    let scene = try CaptureScene(seed: 10, width: 320, height: 240)
    try scene.add("lower", Rect(x: 20, y: 20, width: 160, height: 160))
    try scene.add("upper", Rect(x: 100, y: 60, width: 160, height: 160))
    let left = try scene.client.makeWindow(
      Rect(x: 30, y: 30, width: 40, height: 40), color: 0xFFFF_0000)
    let right = try scene.client.makeWindow(
      Rect(x: 200, y: 100, width: 40, height: 40), color: 0xFF00_FF00)
    for step in 0..<9 {
      (step % 3 == 0 ? right : left).raise()
      try scene.client.sync()
      try scene.daemon.sync()
    }
    try scene.checkEverything("many raises")
    try scene.daemon.ask("hide", "lower")
    try scene.daemon.ask("show", "lower")
    try scene.daemon.sync()
    let shared = Rect(x: 100, y: 60, width: 80, height: 120)
    let seen = try scene.client.screenshot(shared)
    let upper = try scene.snapshot("upper").cropped(to: Rect(x: 0, y: 0, width: 80, height: 120))
    #expect(seen.difference(from: upper) == nil)
  }

  @Test func onlyWindowsVisibleBehindAPaneAreRedirected() throws {
    let scene = try CaptureScene(seed: 11, width: 320, height: 240)
    let make = { (rect: Rect) in try scene.client.makeWindow(rect, color: 0xFF20_4060) }
    _ = try make(Rect(x: 20, y: 20, width: 50, height: 50))
    let cover = try make(Rect(x: 10, y: 10, width: 80, height: 80))
    _ = try make(Rect(x: 260, y: 180, width: 50, height: 50))
    try scene.client.sync()
    #expect(try scene.number("redirectedWindows") == 0)
    try scene.add("pane", Rect(x: 0, y: 0, width: 100, height: 100), sigma: 3)
    #expect(try scene.number("redirectedWindows") == 1)
    cover.move(x: 200, y: 100)
    try scene.client.sync()
    try scene.daemon.sync()
    #expect(try scene.number("redirectedWindows") == 1)
    cover.move(x: 60, y: 10)
    try scene.checkEverything("side by side")
    #expect(try scene.number("redirectedWindows") == 2)
    try scene.setShown(false)
    #expect(try scene.number("redirectedWindows") == 0)
  }

  @Test func windowTooLargeForTheProtocolIsLeftOut() throws {
    let scene = try CaptureScene(seed: 12, width: 320, height: 240)
    _ = try scene.client.makeWindow(
      Rect(x: -32700, y: 20, width: 65000, height: 30), color: 0xFF20_4060)
    try scene.client.sync()
    try scene.add("pane", Rect(x: 10, y: 10, width: 200, height: 200))
    _ = try scene.client.makeWindow(Rect(x: 40, y: 20, width: 90, height: 90), color: 0xFFFF_0000)
    try scene.client.sync()
    try scene.daemon.sync()
    let backdrop = try scene.snapshot("pane", isBackdrop: true)
    #expect(backdrop[50, 50] == 0xFFFF_0000)
  }
}
