import Engine
import Frost
import Panes
import Raster
import TestDice
import Testing

/// The cross-fade of panes after a change of their output.
@Suite struct OutputFadeTests {
  private static let fade = Fade.rotation
  private var dice = Dice(seed: 1700)
  private let scene: Scene
  private let wide, tall: Bitmap

  init() {
    wide = dice.backdrop(width: 200, height: 150)
    tall = dice.backdrop(width: 150, height: 200)
    scene = Scene(wide, rotationFade: Self.fade)
  }

  private var picture: Bitmap? { scene.display.overlay(named: "pane")?.picture }
  private var rect: Rect? { scene.display.overlay(named: "pane")?.state?.rect }

  /// A sharp pane, of which each pixel is glass.
  private func add(_ edit: (inout PaneSettings) -> Void) throws {
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = 4
    edit(&settings)
    try scene.add(Pane("pane", settings))
    #expect(try scene.settle())
  }

  private func rotate(_ turns: Int) {
    scene.display.resize(
      to: turns % 2 == 0 ? wide : tall, orientation: Orientation(quarterTurns: turns))
  }

  /// Rotates when no frame has begun recently, so that the next one begins at once.
  private func rotateAtRest(_ turns: Int) {
    scene.wait(.seconds(1))
    rotate(turns)
  }

  /// The pictures of the pane and their times until nothing changes.
  private func frames() throws -> [(time: Duration, picture: Bitmap)] {
    var frames: [(time: Duration, picture: Bitmap)] = []
    for _ in 0..<200 {
      try scene.step()
      frames.append((scene.now, try #require(picture)))
      guard let deadline = scene.deadline else { break }
      scene.wait(max(.zero, deadline - scene.now))
    }
    return frames
  }

  /// The largest difference of two pictures in any channel.
  private func distance(_ one: Bitmap, _ other: Bitmap) -> Int {
    zip(one.pixels, other.pixels).lazy.map { one, other in
      stride(from: UInt32(0), to: 24, by: 8).map {
        abs(Int(one >> $0 & 0xff) - Int(other >> $0 & 0xff))
      }.max() ?? 0
    }.max() ?? 0
  }

  /// The pane is at its new place in the first frame, each frame is the mean of the old and the new glass, and the last
  /// one is exact.
  @Test func newGlassReplacesTheOldOne() throws {
    try add { $0.geometry = try? Geometry(parsing: "60x50-5-7") }
    let old = try #require(picture)
    rotateAtRest(1)
    let frames = try frames()
    let (first, last) = (try #require(frames.first), try #require(frames.last))
    #expect(rect == Rect(x: 85, y: 143, width: 60, height: 50))
    #expect(distance(first.picture, old) <= 1)
    #expect(last.time - first.time == Self.fade.duration && !scene.isFading)
    #expect(scene.fault() == nil)
    for frame in frames {
      let part = (frame.time - first.time) / Self.fade.duration
      var mean = old
      let layout = PixelLayout(mean.bounds)
      var pixels = mean.pixels.mutableSpan
      mix(
        layout.bounds, of: last.picture.pixels.span, layout, weight: part * part * (3 - 2 * part),
        into: &pixels, layout)
      #expect(distance(frame.picture, mean) <= 1, "\(part)")
    }
    scene.wait(.seconds(1))
    let calls = scene.display.calls
    try scene.step()
    #expect(scene.display.calls == calls && scene.deadline == nil)
  }

  /// A pane whose size follows the output stretches its old glass.
  @Test func oldGlassIsStretched() throws {
    try add {
      $0.size = try? PaneSize(parsing: "50%x50%")
      $0.anchor = .center
    }
    let old = try #require(picture)
    rotateAtRest(1)
    try scene.step()
    #expect(rect == Rect(x: 37, y: 50, width: 75, height: 100))
    let stretched = FormerGlass(old, of: old.bounds, frame: old.bounds)
      .moved(to: Rect(x: 37, y: 50, width: 75, height: 100), part: try #require(rect))
    #expect(distance(try #require(picture), stretched.picture) <= 1)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  /// Rotations at any time of a fade never cause a jump of the glass.
  @Test mutating func interruptedFadesContinue() throws {
    try add { $0.geometry = try? Geometry(parsing: "60x50-5-7") }
    var last = try #require(picture)
    for turn in 1...30 {
      rotate(turn)
      for _ in 0..<dice.roll(1...25) {
        try scene.step()
        let next = try #require(picture)
        // The steepest change of smoothstep is 1.5.
        let bound = 255 * 1.5 * (Scene.interval / Self.fade.duration) + 2
        #expect(Double(distance(next, last)) <= bound, "\(dice): turn \(turn)")
        last = next
        scene.wait(Scene.interval)
      }
    }
    #expect(try scene.settle())
    #expect(scene.fault() == nil, "\(dice)")
  }

  /// A pane that was there before needs no capture for its first frame, even if it has corners and a shadow.
  @Test func paneRotatedBackIsAtItsPlaceBeforeACapture() throws {
    try add {
      $0.geometry = try? Geometry(parsing: "60x50-15-17")
      $0.corner = Corner(radius: 9)
      $0.shadow = Shadow.outerView
    }
    let place = rect
    rotateAtRest(1)
    #expect(try scene.settle())
    scene.display.answersAtOnce = false
    rotateAtRest(0)
    try scene.step()
    #expect(rect == place)
    scene.display.answersAtOnce = true
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  /// Any panes, with fades of their own, hidden and shown in the middle, over a backdrop that changes.
  @Test(arguments: 0..<12)
  func randomPanesEndExact(seed: Int) throws {
    var dice = Dice(seed: 1710 + seed)
    scene.display.setBlending(seed % 2 == 0)
    for name in ["lower", "middle", "upper"] {
      try scene.add(Pane(name, dice.look(at: dice.place())))
    }
    for turn in 1...12 {
      rotate(dice.roll(0...3))
      for _ in 0..<dice.roll(0...12) {
        try scene.step()
        scene.wait(Scene.interval)
      }
      let name = ["lower", "middle", "upper"][dice.roll(0...2)]
      let fade = try Fade(milliseconds: dice.number(0...200))
      switch dice.roll(0...3) {
      case 0: try scene.setShown(name, dice.roll(0...1) == 0, fade: fade)
      case 1: try scene.change(name, fade: fade) { $0.sigma = dice.number(2...20) }
      case 2: scene.display.draw(dice.rect(in: scene.screen)) { x, y in UInt32(x * y * turn) }
      default: break
      }
    }
    #expect(try scene.settle())
    #expect(scene.fault() == nil, "\(dice)")
  }

  /// Only a change of its own output is a reason for a fade.
  @Test func otherOutputsCauseNoFade() throws {
    let left = Output(name: "left", bounds: Rect(x: 0, y: 0, width: 120, height: 150))
    let right = Output(name: "right", bounds: Rect(x: 120, y: 0, width: 80, height: 150))
    scene.display.setOutputs([left, right])
    try scene.step()
    try add {
      $0.output = .named("left")
      $0.geometry = try? Geometry(parsing: "60x50-5-7")
    }
    scene.display.setOutputs([left])
    try scene.step()
    #expect(!scene.isFading)
    scene.display.setOutputs([right])
    try scene.step()
    #expect(!scene.isFading && scene.display.overlay(named: "pane")?.isShown == false)
    scene.display.setOutputs([left, right])
    try scene.step()
    #expect(!scene.isFading, "a pane that waited for its output has no former glass")
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }
}
