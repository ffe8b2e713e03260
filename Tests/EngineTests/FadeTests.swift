import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// The pictures of a fade: on a backdrop that does not change, each is the mean of the first and the last one, with
/// the weight of smoothstep.
@Suite struct FadeTests {
  /// A picture of the screen, and the time at which it was shown.
  private typealias Frame = (time: Duration, screen: Bitmap)

  /// Any change of a look, with any other panes below and above, with and without blending by the display.
  @Test(arguments: 0..<24)
  func framesAreMeansOfFirstAndLast(seed: Int) throws {
    var dice = Dice(seed: 1200 + seed)
    let scene = Scene(dice.backdrop(width: 150, height: 110))
    scene.display.setBlending(seed % 3 == 0)
    // Otherwise an X server loses the pixels of lower panes below others, until the next frame draws them again.
    scene.display.setDirectOverlays(false)
    for name in ["lower", "fading", "upper"] {
      try scene.add(Pane(name, dice.look(at: dice.place())))
    }
    _ = try scene.settle()
    for round in 0..<4 {
      // The first frame is at once.
      scene.wait(.seconds(1))
      let before = scene.screenshot
      let fade = try Fade(milliseconds: dice.number(120...400))
      try dice.changeSomething(of: "fading", in: scene, fade)
      let frames = try frames(of: scene)
      #expect(scene.fault() == nil, "\(dice)")
      let worst = Self.distance(of: frames, before, fade)
      // Each picture is rounded, the mean of two or three is, and so is what is composed of it and lower panes.
      #expect(worst <= 2.5, "\(dice): \(worst) in round \(round)")
    }
  }

  /// A fade that another one interrupts continues from its picture.
  @Test(arguments: 0..<12)
  func interruptedFadesContinue(seed: Int) throws {
    var dice = Dice(seed: 1300 + seed)
    let scene = Scene(dice.backdrop(width: 150, height: 110))
    try scene.add(Pane("fading", dice.look(at: dice.place())))
    _ = try scene.settle()
    for _ in 0..<6 {
      try dice.changeSomething(of: "fading", in: scene, Fade(milliseconds: 400))
      for _ in 0..<dice.roll(0...30) {
        try scene.step()
        scene.wait(Scene.interval)
      }
    }
    try scene.step()
    let middle = scene.screenshot
    try dice.changeSomething(of: "fading", in: scene, Fade(milliseconds: 200))
    let frames = try frames(of: scene)
    let first = try #require(frames.first)
    let jump = Self.distance(first.screen, first.screen, middle, 1)
    // Only three looks of many interrupted fades stay, but none of the others is visible to a quarter.
    #expect(jump <= 64, "\(dice): \(jump)")
    #expect(scene.fault() == nil, "\(dice)")
  }

  /// Two looks that interrupt each other at any time never jump.
  @Test func toggledPaneNeverJumps() throws {
    var dice = Dice(seed: 1400)
    let scene = Scene(dice.backdrop(width: 150, height: 110))
    try scene.add("fading", Rect(x: 20, y: 10, width: 100, height: 80), sigma: 30)
    _ = try scene.settle()
    var last = scene.screenshot
    for _ in 0..<30 {
      try scene.setShown("fading", dice.roll(0...1) == 0, fade: Fade(milliseconds: 300))
      for _ in 0..<dice.roll(1...12) {
        try scene.step()
        let screen = scene.screenshot
        let jump = Self.distance(screen, screen, last, 1)
        let bound: Double = 255 * 1.5 / 30 + 2
        #expect(jump <= bound, "\(dice): \(jump)")
        last = screen
        scene.wait(Scene.interval)
      }
    }
  }

  /// A blur appears over text, where most of the change of a growing sigma is in its first pixel; and a label is
  /// inverted, because dark glass replaces light glass.
  @Test func stepsAreEven() throws {
    var dice = Dice(seed: 1500)
    let scene = Scene(.text(width: 150, height: 110, using: &dice))
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = geometry(Rect(x: 10, y: 10, width: 120, height: 90))
    settings.material = try MaterialChoice(parsing: "extra-light")
    settings.corner = Corner(radius: 20, curve: .continuous)
    settings.contents = [
      PaneContent(
        source: .label(text: "label", font: "Sans"), place: .center, vibrancy: .label,
        picture: Bitmap(width: 60, height: 14, filledWith: 0xff00_0000))
    ]
    let fade = try Fade(milliseconds: 1000)
    try scene.add(Pane("fading", settings), fade: fade)
    try expectEvenSteps(of: frames(of: scene))
    try scene.change("fading", fade: fade) { settings in
      settings.material = try? MaterialChoice(parsing: "thick-dark")
      settings.corner = Corner(radius: 0)
      settings.shadow = Shadow(
        offsetX: 0, offsetY: 4, radius: 9, opacity: 0.5, color: Color(white: 0, alpha: 1))
      settings.border = Border(width: 2, color: Color(white: 1, alpha: 0.6))
    }
    try expectEvenSteps(of: frames(of: scene))
    try scene.setShown("fading", false, fade: fade)
    try expectEvenSteps(of: frames(of: scene))
  }

  private func expectEvenSteps(of frames: [Frame]) {
    let steps = zip(frames, frames.dropFirst()).map { Self.meanDistance($0.screen, $1.screen) }
    let mean = steps.reduce(0, +) / Double(steps.count)
    #expect(steps.count >= 100 && mean > 0.1)
    #expect(steps.allSatisfy { $0 <= 1.8 * mean }, "\(steps.max() ?? 0) of \(mean)")
  }

  // MARK: Frames

  /// Steps from frame to frame until the engine is idle.
  private func frames(of scene: Scene) throws -> [Frame] {
    try scene.step()
    var frames: [Frame] = [(scene.now, scene.screenshot)]
    for _ in 0..<1000 {
      guard let deadline = scene.deadline else { return frames }
      scene.wait(max(.zero, deadline - scene.now))
      try scene.step()
      frames.append((scene.now, scene.screenshot))
    }
    Issue.record("the transition does not end")
    return frames
  }

  /// The largest distance of a channel of a frame from the mean of the picture before and the last one.
  private static func distance(of frames: [Frame], _ before: Bitmap, _ fade: Fade) -> Double {
    guard let first = frames.first, let last = frames.last else { return .infinity }
    return frames.reduce(0) { worst, frame in
      let part = min(1, (frame.time - first.time) / fade.duration)
      let weight = part * part * (3 - 2 * part)
      return max(worst, distance(frame.screen, before, last.screen, weight))
    }
  }

  /// The largest distance of a channel from the mean of two pictures; `weight` is that of the second one.
  private static func distance(
    _ screen: Bitmap, _ one: Bitmap, _ other: Bitmap, _ weight: Double
  ) -> Double {
    screen.pixels.indices.reduce(0) { worst, i in
      [0, 8, 16].reduce(worst) { worst, shift in
        func level(_ picture: Bitmap) -> Double { Double(picture.pixels[i] >> shift & 255) }
        let mean = level(one) * (1 - weight) + level(other) * weight
        return max(worst, abs(level(screen) - mean))
      }
    }
  }

  private static func meanDistance(_ one: Bitmap, _ other: Bitmap) -> Double {
    var sum = 0
    for (pixel, other) in zip(one.pixels, other.pixels) {
      for shift: UInt32 in [0, 8, 16] {
        sum += abs(Int(pixel >> shift & 255) - Int(other >> shift & 255))
      }
    }
    return Double(sum) / Double(3 * one.pixels.count)
  }
}

extension Scene {
  /// The visible screen: the backdrop and all overlays.
  var screenshot: Bitmap {
    var screen = display.backdrop(below: .normal)
    for entry in display.order {
      guard let overlay = display.overlay(entry.id), overlay.isShown, let state = overlay.state
      else {
        continue
      }
      let bounds = self.screen
      var pixels = screen.pixels.mutableSpan
      let target = state.rect.intersection(bounds)
      if state.hasAlpha {
        compose(
          target, of: overlay.picture.pixels.span, PixelLayout(state.rect), onto: &pixels,
          PixelLayout(bounds))
      } else {
        copyPixels(
          of: target, from: overlay.picture.pixels.span, PixelLayout(state.rect), to: &pixels,
          PixelLayout(bounds))
      }
    }
    return screen
  }
}

extension Dice {
  fileprivate mutating func changeSomething(of name: String, in scene: Scene, _ fade: Fade) throws {
    if roll(0...2) == 0 {
      let isShown = scene.panes.first { $0.name == name }?.isShown == true
      return try scene.setShown(name, !isShown, fade: fade)
    }
    var change = PaneChange(look())
    change.settings.corner = roll(0...1) == 0 ? Corner(radius: number(0...9)) : nil
    change.reset = resets().subtracting(["layer", "sees", "scheme"])
    if let pane = scene.panes.first(where: { $0.name == name }) {
      change.settings.contents = change.settings.contents?.filter { content in
        (try? PaneContent.check([content], on: pane.placement.fixedSize ?? (1, 1))) != nil
      }
    }
    try scene.change(name, change, fade: fade)
  }
}
