import Engine
import Frost
import Panes
import Raster
import TestDice
import Testing

/// Transitions of panes that appear, change and disappear.
@Suite struct TransitionTests {
  private let scene = Scene(width: 160, height: 120)
  private let rect = Rect(x: 30, y: 20, width: 60, height: 50)

  private func fade(_ milliseconds: Double) throws -> Fade {
    try Fade(milliseconds: milliseconds)
  }

  private var picture: Bitmap? { scene.display.overlay(named: "panel")?.picture }

  /// Steps from frame to frame until the engine is idle. Returns the picture of each frame.
  private func frames() throws -> [Bitmap] {
    var frames: [Bitmap] = []
    try scene.step()
    if let picture { frames.append(picture) }
    for _ in 0..<1000 {
      guard let deadline = scene.deadline else { return frames }
      scene.wait(max(.zero, deadline - scene.now))
      try scene.step()
      if let picture { frames.append(picture) }
    }
    Issue.record("the transition does not end")
    return frames
  }

  /// The largest difference of a channel of a pixel.
  private func change(_ one: Bitmap, _ other: Bitmap) -> Int {
    zip(one.pixels, other.pixels).reduce(0) { largest, pair in
      [0, 8, 16].reduce(largest) {
        max($0, abs(Int(pair.0 >> $1 & 255) - Int(pair.1 >> $1 & 255)))
      }
    }
  }

  private func tint(_ settings: inout PaneSettings) {
    (settings.sigma, settings.saturation) = (14, 1.8)
    settings.tint = Color(red: 1, green: 1, blue: 1, alpha: 0.6)
  }

  @Test func fadeInStartsAsBackdropAndEndsExact() throws {
    try scene.add("panel", rect, sigma: 9, fade: fade(800))
    let frames = try frames()
    // One frame at the start and one every ten milliseconds, the last one at the end.
    #expect(frames.count == 81)
    let backdrop = try scene.backdrop(of: "panel")
    #expect(change(frames[0], backdrop) == 0)
    #expect(scene.fault() == nil)
    #expect(!scene.isFading)
  }

  @Test func fadeOutEndsClearAndHidden() throws {
    try scene.add("panel", rect, sigma: 9)
    _ = try frames()
    try scene.setShown("panel", false, fade: fade(100))
    #expect(scene.panes.first?.isShown == false)
    try scene.step()
    #expect(scene.display.overlay(named: "panel")?.isShown == true)
    let frames = try frames()
    #expect(scene.display.overlay(named: "panel")?.isShown == false)
    #expect(scene.fault() == nil)
    #expect(frames.count > 8)
    scene.wait(.seconds(1))
    let before = scene.display.calls
    try scene.step()
    #expect(scene.display.calls == before && scene.deadline == nil)
  }

  /// A change without a fade ends a transition at once, even if it changes nothing else; applying the same panes
  /// does not.
  @Test func changeWithoutFadeEndsTransition() throws {
    try scene.add("panel", rect, sigma: 9)
    _ = try frames()
    try scene.setShown("panel", false, fade: fade(1000))
    try scene.step()
    _ = try scene.apply(scene.panes)
    #expect(scene.isFading)
    try scene.setShown("panel", false)
    #expect(!scene.isFading)
    try scene.step()
    #expect(scene.display.overlay(named: "panel")?.isShown == false)
  }

  @Test func materialTransitionHasSmallStepsAndEndsExact() throws {
    try scene.add("panel", rect, sigma: 9)
    let before = try #require(try frames().last)
    try scene.change("panel", fade: fade(300), tint)
    let frames = try frames()
    #expect(frames.first == before)
    #expect(scene.fault() == nil)
    let whole = change(before, try #require(frames.last))
    #expect(whole > 60)
    let steps = zip(frames, frames.dropFirst()).map { change($0, $1) }
    #expect(steps.allSatisfy { $0 <= whole / 8 + 2 }, "\(steps) of \(whole)")
  }

  /// An interrupted transition continues from its current state.
  @Test func transitionCanBeInterrupted() throws {
    try scene.add("panel", rect, sigma: 9, fade: fade(200))
    for _ in 0..<10 {
      try scene.step()
      scene.wait(Scene.interval)
    }
    let middle = try #require(picture)
    try scene.setShown("panel", false, fade: fade(200))
    try scene.step()
    #expect(change(middle, try #require(picture)) <= 8)
    scene.wait(.milliseconds(50))
    try scene.step()
    try scene.setShown("panel", true, fade: fade(50))
    _ = try frames()
    #expect(scene.fault() == nil)
    try scene.change("panel", fade: fade(500), tint)
    try scene.step()
    scene.wait(.milliseconds(100))
    try scene.step()
    // A change without a fade is complete at once.
    try scene.change("panel") { $0.sigma = 3 }
    scene.wait(Scene.interval)
    try scene.step()
    #expect(!scene.isFading && scene.fault() == nil)
  }

  @Test func damageIsShownDuringTransition() throws {
    try scene.add("panel", rect, sigma: 4, fade: fade(200))
    for i in 0..<30 {
      scene.display.draw(Rect(x: 30 + i, y: 30, width: 12, height: 12)) { _, _ in
        0xffff_0000 | UInt32(i)
      }
      try scene.step()
      scene.wait(Scene.interval)
    }
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test(arguments: [-1, 10_001, .nan, .infinity])
  func fadeOutOfRangeIsReported(milliseconds: Double) {
    #expect {
      try Fade(milliseconds: milliseconds)
    } throws: {
      "\($0)".hasPrefix("fade: \(milliseconds)")
    }
  }
}
