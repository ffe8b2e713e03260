import Raster
import TestSupport
import Testing

/// The number of captures, and of the pixels in them.
@Suite(.serialized, .waiting) struct CaptureCountTests {
  private let scene: CaptureScene

  init() throws {
    scene = try CaptureScene(seed: 101)
    for _ in 0..<6 { try scene.makeWindow() }
    try scene.client.sync()
    try scene.waitForStart()
  }

  /// The increase of a number of the status by `body` and the frames that it causes.
  private func increase(of key: String, by body: () throws -> Void) throws -> Int {
    try scene.daemon.sync()
    let before = try scene.number(key)
    try body()
    try scene.client.sync()
    try scene.daemon.sync()
    return try scene.number(key) - before
  }

  /// Another pane keeps the pixels watched.
  @Test func paneShownAgainCausesNoCapture() throws {
    try scene.add("outer", Rect(x: 0, y: 0, width: 300, height: 250))
    // With the same sigma its pixels would be those of the pane below.
    try scene.add("inner", Rect(x: 100, y: 80, width: 120, height: 90), sigma: 13)
    let shown = try scene.client.screenshot()
    try scene.daemon.ask("hide", "inner")
    try scene.daemon.sync()
    let hidden = try scene.client.screenshot()
    #expect(hidden != shown)
    let before = try scene.number("captures")
    for isShown in [true, false, true, false, true] {
      try scene.daemon.ask(isShown ? "show" : "hide", "inner")
      try scene.daemon.sync()
      let difference = try scene.client.screenshot().difference(from: isShown ? shown : hidden)
      #expect(difference == nil)
    }
    #expect(try scene.number("captures") == before)
    try scene.checkEverything("shown again")
  }

  /// Nothing keeps the pixels watched, so they are captured once. There is no window: the server would report one
  /// that is redirected again as damaged, later.
  @Test func paneShownAgainIsCapturedOnce() throws {
    let scene = try CaptureScene(seed: 103, width: 400, height: 300)
    try scene.waitForStart()
    try scene.add("pane", Rect(x: 60, y: 50, width: 200, height: 150))
    let shown = try scene.client.screenshot()
    for _ in 0..<5 {
      let before = try (scene.number("captures"), scene.number("unchangedFrames"))
      try scene.daemon.ask("hide", "pane")
      try scene.daemon.sync()
      try scene.daemon.ask("show", "pane")
      try scene.daemon.sync()
      #expect(try scene.number("captures") - before.0 == 1)
      #expect(try scene.client.screenshot().difference(from: shown) == nil)
    }
  }

  /// The server reports a window that is redirected again as damaged, some time later.
  @Test func paneShownAgainOverWindowsIsCapturedAtMostTwice() throws {
    try scene.add("pane", Rect(x: 60, y: 50, width: 300, height: 220))
    let shown = try scene.client.screenshot()
    for _ in 0..<5 {
      let captures = try increase(of: "captures") {
        try scene.daemon.ask("hide", "pane")
        try scene.daemon.sync()
        try scene.daemon.ask("show", "pane")
      }
      #expect((1...2).contains(captures))
      #expect(try scene.client.screenshot().difference(from: shown) == nil)
    }
    try scene.checkEverything("shown again")
  }

  @Test func changeBehindAHiddenPaneIsShown() throws {
    let rect = Rect(x: 60, y: 50, width: 400, height: 300)
    try scene.add("pane", rect)
    let captures = try increase(of: "captures") {
      try scene.daemon.ask("hide", "pane")
      try scene.daemon.sync()
      _ = try scene.client.makeWindow(
        Rect(x: 200, y: 150, width: 20, height: 20), color: 0xFFFF_0000)
      try scene.client.sync()
      try scene.daemon.sync()
      try scene.daemon.ask("show", "pane")
    }
    #expect(captures > 0)
    try scene.checkEverything("shown again")
  }

  @Test func movedPaneCapturesOnlyNewPixels() throws {
    try scene.daemon.ask(
      "add", "pane", "--plain", "--geometry", "300x200+40+60", "--sigma", "20", "--corner", "20",
      "--shadow",
      "outer-view")
    try scene.daemon.sync()
    var total = 0
    for step in 1...30 {
      total += try increase(of: "capturedPixels") {
        try scene.daemon.ask("set", "pane", "--geometry", "300x200+\(40 + 4 * step)+\(60 + step)")
      }
    }
    // Each move shows a margin of 4 columns and 1 row. Blur and shadow around them reach some 70 pixels; they
    // are read in whole cells.
    let shown = 30 * 300 * 200
    print("30 moves of a pane: \(total) pixels captured, \(100 * total / shown) % of those shown")
    #expect(total < shown / 10)
    let moved = try scene.client.screenshot()
    try scene.daemon.ask("remove", "pane")
    try scene.daemon.ask(
      "add", "pane", "--plain", "--geometry", "300x200+160+90", "--sigma", "20", "--corner", "20",
      "--shadow",
      "outer-view")
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: moved) == nil)
    // A move back shows what is known.
    let back = try increase(of: "capturedPixels") {
      try scene.daemon.ask("set", "pane", "--geometry", "300x200+156+89")
    }
    #expect(back < shown / 30 / 5)
  }

  /// The server reports windows that become visible as damaged.
  @Test func paneMovesOverWatchedPixelsWithoutACapture() throws {
    try scene.add("outer", Rect(x: 0, y: 0, width: 500, height: 400))
    try scene.add("inner", Rect(x: 100, y: 80, width: 120, height: 90))
    let captures = try increase(of: "captures") {
      for step in 1...40 {
        let (x, y) = (100 + 5 * step, 80 + 3 * step)
        try scene.daemon.ask("set", "inner", "--geometry", "120x90+\(x)+\(y)")
        if step % 4 == 0 { try scene.daemon.sync() }
      }
    }
    #expect(captures == 0)
    let moved = try scene.client.screenshot()
    try scene.daemon.ask("hide", "inner")
    try scene.daemon.ask("hide", "outer")
    try scene.daemon.sync()
    try scene.daemon.ask("show", "outer")
    try scene.daemon.ask("show", "inner")
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: moved) == nil)
  }

  /// The requests of a client that draws and those of a pane that moves reach the server in random order.
  @Test func drawingWhileAPaneMovesIsCaptured() throws {
    let windows = try (0..<12).map { i in
      try scene.client.makeWindow(
        Rect(x: 40 + i % 4 * 110, y: 30 + i / 4 * 90, width: 70, height: 50), color: 0xFF80_4020)
    }
    try scene.daemon.ask(
      "add", "pane", "--plain", "--geometry", "200x140+100+80", "--sigma", "9", "--corner", "20",
      "--shadow",
      "outer-view")
    var (x, y) = (100, 80)
    for round in 0..<12 {
      for step in 0..<30 {
        x = min(max(0, x + scene.random.roll(-20...20)), 300)
        y = min(max(0, y + scene.random.roll(-20...20)), 200)
        try scene.daemon.ask("set", "pane", "--geometry", "200x140+\(x)+\(y)")
        for _ in 0..<scene.random.roll(0...8) {
          windows[scene.random.roll(0...11)].draw(
            .noise(width: 24, height: 18, seed: UInt64(round * 1000 + step)),
            x: scene.random.roll(0...50), y: scene.random.roll(0...40))
        }
        scene.client.flush()
      }
      try scene.client.sync()
      try scene.daemon.sync()
      let moved = try scene.client.screenshot()
      try scene.daemon.ask("hide", "pane")
      try scene.daemon.sync()
      try scene.daemon.ask("show", "pane")
      try scene.daemon.sync()
      let difference = try scene.client.screenshot().difference(from: moved)
      #expect(difference == nil, "seed \(scene.seed), round \(round)")
    }
  }

  @Test func captureCountIsIndependentOfThePaneCount() throws {
    let window = try scene.client.makeWindow(scene.client.screen, color: 0xFF20_4060)
    window.lower()
    var counts: [Int] = []
    var paneCount = 0
    for wanted in [1, 10, 40] {
      while paneCount < wanted {
        let (x, y) = (20 + paneCount % 8 * 75, 20 + paneCount / 8 * 90)
        try scene.daemon.ask([
          "add", "p\(paneCount)", "--geometry", "70x60+\(x)+\(y)", "--shadow", "outer-view",
        ])
        paneCount += 1
      }
      counts.append(
        try increase(of: "captures") {
          for i in 0..<20 {
            window.fill(scene.client.screen, color: UInt32(i * 0x0A0B0C + wanted))
            try scene.client.sync()
            try scene.daemon.sync()
          }
        })
    }
    print("captures of 20 changes behind 1, 10 and 40 panes: \(counts)")
    // One for each change.
    #expect(counts.allSatisfy { (20...24).contains($0) })
  }

  // MARK: Invisible damage

  @Test func damageBeyondThePanesCausesNoCapture() throws {
    try scene.daemon.ask("add", "pane", "--plain", "--geometry", "100x80+10+10", "--sigma", "5")
    let window = try scene.client.makeWindow(
      Rect(x: 400, y: 300, width: 100, height: 100), color: 0xFFFF_FFFF)
    let captures = try increase(of: "captures") {
      for i in 0..<20 {
        window.draw(.noise(width: 50, height: 50, seed: UInt64(i)))
        try scene.client.sync()
        try scene.daemon.sync()
      }
      window.move(x: 450, y: 310)
      window.destroy()
    }
    #expect(captures == 0)
  }

  @Test func damageInACoveredWindowCausesNoCapture() throws {
    let covered = try scene.client.makeWindow(
      Rect(x: 60, y: 60, width: 100, height: 100), color: 0xFFFF_FFFF)
    let cover = try scene.client.makeWindow(
      Rect(x: 0, y: 0, width: 500, height: 400), color: 0xFF40_8020)
    try scene.add("pane", Rect(x: 20, y: 20, width: 200, height: 200), sigma: 6)
    func drawInCovered(_ count: Int) throws {
      for i in 0..<count {
        covered.draw(.noise(width: 80, height: 80, seed: UInt64(i)), x: i, y: i)
        try scene.client.sync()
        try scene.daemon.sync()
      }
    }
    // The server reports a window that was just redirected as damaged, some time later.
    try drawInCovered(3)
    #expect(try increase(of: "captures") { try drawInCovered(20) } == 0)
    covered.move(x: 70, y: 80)
    cover.unmap()
    try scene.checkEverything("uncovered")
  }

  /// A screen locker is above the panes.
  @Test func damageAboveThePanesCausesNoCapture() throws {
    try scene.add("pane", Rect(x: 20, y: 20, width: 200, height: 200), sigma: 6)
    let locker = try scene.client.makeWindow(
      scene.client.screen, color: 0xFF00_0000, overrideRedirect: true)
    let captures = try increase(of: "captures") {
      for i in 0..<20 {
        locker.draw(.noise(width: 80, height: 80, seed: UInt64(i)), x: 30 + i, y: 30 + i)
        try scene.client.sync()
        try scene.daemon.sync()
      }
    }
    #expect(captures == 0)
    locker.destroy()
    try scene.checkEverything("unlocked")
  }
}
