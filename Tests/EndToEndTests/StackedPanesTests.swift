import Raster
import TestSupport
import Testing

/// Overlapping panes with shadows and corners, which the daemon blends itself without a compositor.
@Suite(.serialized, .waiting) struct StackedPanesTests {
  @Test(arguments: [111, 112, 113] as [UInt64])
  func stackedPanesEqualTheModel(seed: UInt64) throws {
    let scene = try CaptureScene(seed: seed, width: 400, height: 300)
    for _ in 0..<6 { try scene.makeWindow() }
    var stack: [String] = []
    for i in 0..<8 {
      let name = "p\(i)"
      try scene.daemon.ask(["add", name] + scene.someLook())
      stack.append(name)
    }
    for step in 0...4 {
      try scene.checkStack(stack, "step \(step)")
      let changed = try #require(stack.randomElement(using: &scene.random))
      try scene.daemon.ask(["set", changed] + scene.someLook())
      for _ in 0..<3 { try scene.act() }
      if step == 2 { try scene.daemon.ask("hide", stack.removeFirst()) }
    }
  }

  /// A frame of more than two megapixels uses several threads.
  @Test func threadsGiveEqualPixels() throws {
    var screens: [[Bitmap]] = []
    for threads in [1, 2] {
      let server = try XServer(width: 3840, height: 2160)
      let client = try TestClient(server)
      client.setWallpaper(.noise(width: 960, height: 540, seed: 121))
      let window = try client.makeWindow(
        Rect(x: 300, y: 200, width: 2900, height: 1700),
        picture: .noise(width: 61, height: 97, seed: 122))
      try client.sync()
      let daemon = try TestDaemon(on: server, ["--threads", "\(threads)"])
      try daemon.ask(
        "add", "pane", "--plain", "--geometry", "3840x2160+0+0", "--sigma", "20", "--saturation",
        "1.8",
        "--noise", "0.02", "--blend", "overlay:#808080C0", "--label", "threads")
      try daemon.sync()
      var shown = [try client.screenshot()]
      window.move(x: 500, y: 77)
      try client.sync()
      try daemon.sync()
      shown.append(try client.screenshot())
      screens.append(shown)
      #expect(shown[0] != shown[1])
    }
    for (one, two) in zip(screens[0], screens[1]) { #expect(two.difference(from: one) == nil) }
  }
}

extension CaptureScene {
  /// Options of a pane: random, except that its blur is small, so that the backdrop can be seen in it.
  fileprivate func someLook() -> [String] {
    let (width, height) = (random.roll(60...160), random.roll(60...120))
    let (x, y) = (random.roll(-30...330), random.roll(-30...250))
    let corner = random.roll(0...30)
    let color = String(random.roll(0...0xFFFFFF) | 0x1000000, radix: 16).dropFirst()
    let tint = ["#00000000", "#\(color)80", "#\(color)FF"][random.roll(0...2)]
    return [
      "--geometry", "\(width)x\(height)+\(x)+\(y)", "--corner", "\(corner)", "--sigma",
      "\(random.roll(2...9))", "--tint", tint, "--shadow",
      ["none", "outer-view", "5,-6 20 #000000C0"][random.roll(0...2)], "--border",
      ["none", "2 #FFFFFF80"][random.roll(0...1)],
    ]
  }

  /// The screen is the backdrop with the picture of each pane blended over it, from the lowest to the highest.
  fileprivate func checkStack(_ stack: [String], _ when: String) throws {
    try client.sync()
    try daemon.sync()
    let shown = try client.screenshot()
    var layers: [(picture: Bitmap, rect: Rect)] = []
    for name in stack {
      guard let id = try server.overlay(of: name) else {
        throw TestFailure("seed \(seed), \(when): pane \(name) has no window")
      }
      layers.append((try snapshot(name), try client.foreignWindow(id).screenBounds()))
    }
    for name in stack { try daemon.ask("hide", name) }
    try daemon.sync()
    var model = try client.screenshot()
    for name in stack { try daemon.ask("show", name) }
    try daemon.sync()
    #expect(
      try client.screenshot().difference(from: shown) == nil, "seed \(seed), \(when): shown again")
    for (picture, rect) in layers {
      #expect(picture.width == rect.width && picture.height == rect.height)
      model.blend(picture, at: rect)
    }
    #expect(shown.difference(from: model, tolerance: 1) == nil, "seed \(seed), \(when)")
  }
}

extension Bitmap {
  /// Blends a premultiplied picture over the part at `rect`.
  fileprivate mutating func blend(_ picture: Bitmap, at rect: Rect) {
    for y in 0..<rect.height {
      for x in 0..<rect.width {
        let (above, below) = (picture[x, y], self[rect.x + x, rect.y + y])
        let rest = 255 - above >> 24
        var pixel: UInt32 = 0xFF00_0000
        for shift: UInt32 in [0, 8, 16] {
          let level = (above >> shift & 255) + ((below >> shift & 255) * rest + 127) / 255
          pixel |= min(255, level) << shift
        }
        self[rect.x + x, rect.y + y] = pixel
      }
    }
  }
}
