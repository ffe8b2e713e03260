import Raster
import TestSupport
import Testing

/// Windows that a compositor blends, and compositors that start and end.
@Suite(.serialized, .waiting) struct CaptureCompositorTests {
  static let compositors = [
    ["picom", "--backend", "xrender", "--config", "/dev/null"], ["xcompmgr"],
  ]

  @Test(arguments: compositors)
  func backdropEqualsTheScreenOfTheCompositor(command: [String]) throws {
    let scene = try CaptureScene(seed: 31, width: 400, height: 300)
    try scene.startCompositor(command)
    scene.hasShapes = command != ["xcompmgr"]
    // The two turn an opacity of 32 bits into one of 8 differently, and picom's is taken.
    let tolerance = command == ["xcompmgr"] ? 2 : 1
    for _ in 0..<8 {
      let window = try scene.makeWindow()
      if scene.chance(1, in: 2) { scene.setSomeOpacity(window) }
    }
    try scene.add("pane", Rect(x: 90, y: 60, width: 220, height: 180))
    try scene.add("edge", Rect(x: 320, y: 0, width: 80, height: 300))
    try scene.checkEventually("at first", tolerance: tolerance)
    for step in 1...6 {
      for _ in 0..<5 {
        try scene.act()
        if scene.chance(1, in: 3), let window = scene.windows.last { scene.setSomeOpacity(window) }
      }
      try scene.checkEventually("step \(step)", tolerance: tolerance)
    }
  }

  @Test func opacityChangeOfUnwatchedWindowIsKnown() throws {
    let scene = try CaptureScene(seed: 32, width: 400, height: 300)
    try scene.startCompositor(
      ["picom", "--backend", "xrender", "--config", "/dev/null"])
    let window = try scene.client.makeWindow(
      Rect(x: 300, y: 200, width: 80, height: 80), color: 0xFFFF_0000)
    try scene.add("pane", Rect(x: 20, y: 20, width: 100, height: 100), sigma: 3)
    window.setProperty("_NET_WM_WINDOW_OPACITY", cardinals: [0x8000_0000])
    try scene.client.sync()
    try scene.daemon.sync()
    window.move(x: 30, y: 30)
    try scene.checkEventually("moved behind the pane", tolerance: 1)
    window.setProperty("_NET_WM_WINDOW_OPACITY", cardinals: [0x4000_0000])
    try scene.checkEventually("changed there", tolerance: 1)
  }

  /// The server places a window right above the one of its screen saver, if picom runs.
  @Test(arguments: compositors)
  func orderOfAWindowRaisedUnderAScreenSaverIsKnown(command: [String]) throws {
    let scene = try CaptureScene(seed: 34, width: 400, height: 300)
    let windows = try [(100, 0xFFFF_0000), (130, 0xFF00_00FF)].map { place, color in
      try scene.client.makeWindow(
        Rect(x: place, y: place, width: 80, height: 70), color: UInt32(color))
    }
    try scene.client.sync()
    try scene.startCompositor(command)
    for word in ["noblank", "activate"] { _ = try scene.server.run("xset", ["s", word]) }
    windows[0].raise()
    try scene.client.sync()
    _ = try scene.server.run("xset", ["s", "reset"])
    try scene.add("pane", Rect(x: 90, y: 60, width: 220, height: 180))
    try scene.stopCompositor()
    try scene.checkEverything("raised")
  }

  @Test(arguments: compositors)
  func panesFollowWhenACompositorStartsAndStops(command: [String]) throws {
    let scene = try CaptureScene(seed: 33, width: 400, height: 300)
    scene.hasShapes = command != ["xcompmgr"]
    for _ in 0..<8 { try scene.makeWindow() }
    try scene.add("pane", Rect(x: 90, y: 60, width: 220, height: 180))
    try scene.checkEverything("before")
    for round in 1...2 {
      try scene.startCompositor(command)
      try scene.checkEventually("round \(round), with it", tolerance: 1)
      #expect(scene.compositor?.wait(for: .zero) == nil, "it runs")
      for _ in 0..<5 { try scene.act() }
      try scene.stopCompositor()
      try scene.checkEventually("round \(round), without it")
      try scene.checkEverything("round \(round), without it, exactly")
    }
  }
}

extension CaptureScene {
  fileprivate func setSomeOpacity(_ window: TestWindow) {
    let opacity = UInt32(truncatingIfNeeded: random.next())
    window.setProperty("_NET_WM_WINDOW_OPACITY", cardinals: [opacity])
  }
}
