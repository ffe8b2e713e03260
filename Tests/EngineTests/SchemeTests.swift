import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// The schemes of adaptive panes.
@Suite struct SchemeTests {
  private let white: UInt32 = 0xffff_ffff, black: UInt32 = 0xff00_0000

  private func scene(_ color: UInt32) -> Scene {
    Scene(Bitmap(width: 200, height: 150, filledWith: color))
  }

  private func pane(_ name: String = "pane") throws -> Pane {
    var settings = PaneSettings()
    settings.geometry = geometry(Rect(x: 20, y: 20, width: 120, height: 90))
    return try Pane(name, settings)
  }

  private func scheme(in scene: Scene) throws -> ColorScheme {
    try scene.state(of: "pane").scheme
  }

  /// In its first frame it has the look that it keeps.
  @Test func newPaneSuitsItsBackdrop() throws {
    for (color, expected) in [(white, ColorScheme.light), (black, .dark)] {
      let scene = scene(color)
      try scene.add(pane())
      try scene.step()
      #expect(try scheme(in: scene) == expected)
      let first = scene.screenshot
      _ = try scene.settle()
      #expect(scene.fault() == nil && scene.screenshot == first)
      #expect(!scene.isFading)
    }
  }

  @Test func paneThatFadesInHasOneScheme() throws {
    let scene = scene(white)
    try scene.add(pane(), fade: Fade(milliseconds: 200))
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .light)
    #expect(scene.fault() == nil)
  }

  /// Half of the backdrop changes nothing, all of it does, in a fade.
  @Test func schemeFollowsTheWholeBackdropOnly() throws {
    let scene = scene(white)
    try scene.add(pane())
    _ = try scene.settle()
    scene.display.draw(Rect(x: 0, y: 0, width: 100, height: 150)) { _, _ in black }
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .light)
    scene.display.draw(Rect(x: 0, y: 0, width: 200, height: 150)) { _, _ in black }
    scene.wait(.seconds(1))
    try scene.step()
    #expect(!scene.isFading)
    scene.wait(.seconds(1))
    try scene.step()
    #expect(scene.isFading)
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .dark)
    #expect(scene.fault() == nil && !scene.isFading)
    // Back to less than half.
    scene.display.draw(Rect(x: 0, y: 0, width: 70, height: 150)) { _, _ in white }
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .dark)
  }

  /// A wallpaper program that starts again shows such a backdrop for a moment.
  @Test func backdropOfAMomentChangesNothing() throws {
    let scene = scene(white)
    try scene.add(pane())
    _ = try scene.settle()
    let screen = scene.screenshot
    for _ in 0..<3 {
      for color in [black, white] {
        scene.display.draw(Rect(x: 0, y: 0, width: 200, height: 150)) { _, _ in color }
        scene.wait(.milliseconds(700))
        try scene.step()
        #expect(try scheme(in: scene) == .light && !scene.isFading)
      }
    }
    _ = try scene.settle()
    #expect(scene.screenshot == screen && scene.fault() == nil)
  }

  @Test func paneThatIsShownAgainDecidesAgain() throws {
    let scene = scene(white)
    try scene.add(pane())
    _ = try scene.settle()
    try scene.setShown("pane", false)
    scene.display.draw(Rect(x: 0, y: 0, width: 120, height: 150)) { _, _ in black }
    scene.display.draw(Rect(x: 120, y: 0, width: 80, height: 150)) { _, _ in 0xff50_5050 }
    _ = try scene.settle()
    try scene.setShown("pane", true)
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .dark)
    #expect(scene.fault() == nil)
  }

  /// A display learns only then which windows are in front of the pane: the first pixels may be those of others.
  @Test func paneDecidesAgainSoonAfterItAppears() throws {
    let gray: UInt32 = 0xff90_9090
    for (wait, expected) in [(20, ColorScheme.light), (900, .dark)] {
      let scene = scene(black)
      try scene.add(pane())
      try scene.step()
      #expect(try scheme(in: scene) == .dark)
      scene.wait(.milliseconds(wait))
      try scene.step()
      scene.display.draw(Rect(x: 0, y: 0, width: 200, height: 150)) { _, _ in gray }
      try scene.step()
      #expect(try scheme(in: scene) == expected && !scene.isFading)
      _ = try scene.settle()
      #expect(try scheme(in: scene) == expected && scene.fault() == nil)
    }
  }

  @Test func desktopSchemeHasPrecedence() throws {
    let scene = scene(white)
    scene.display.setColorScheme(.dark)
    try scene.add(pane())
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .dark)
    scene.display.setColorScheme(.light)
    try scene.step()
    #expect(scene.isFading)
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .light)
    scene.display.setColorScheme(nil)
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .light)
    #expect(scene.fault() == nil)
  }

  @Test func declaredSchemeIsKept() throws {
    let scene = scene(white)
    try scene.add(pane())
    try scene.change("pane") { $0.scheme = .dark }
    _ = try scene.settle()
    #expect(scene.fault() == nil)
    let dark = scene.screenshot
    scene.display.setColorScheme(.light)
    _ = try scene.settle()
    #expect(scene.screenshot == dark)
    try scene.change("pane") { $0.scheme = .auto }
    _ = try scene.settle()
    #expect(scene.screenshot != dark && scene.fault() == nil)
  }

  /// A pane that was plain decides by its backdrop alone.
  @Test func paneThatBecomesAdaptiveSuitsItsBackdrop() throws {
    let scene = scene(0xffa0_a0a0)
    try scene.add(pane())
    try scene.change("pane") { $0.style = .plain }
    _ = try scene.settle()
    try scene.change("pane") { $0.style = .glass }
    _ = try scene.settle()
    #expect(try scheme(in: scene) == .light)
    #expect(scene.fault() == nil)
  }

  /// The backdrop is white at the left and, at the right, too light for a light pane to become dark while it stays there.
  private func dividedScene() -> Scene {
    let scene = scene(white)
    scene.display.draw(Rect(x: 60, y: 0, width: 140, height: 150)) { _, _ in 0xff50_5050 }
    return scene
  }

  private func place(_ rect: Rect, in scene: Scene) throws {
    try scene.change("pane") { $0.geometry = geometry(rect) }
    scene.wait(.seconds(1))
    _ = try scene.settle()
    _ = try scene.settle()
  }

  @Test func paneThatHasGrownDecidesAgain() throws {
    let scene = dividedScene()
    scene.display.draw(Rect(x: 50, y: 0, width: 10, height: 150)) { _, _ in 0xff50_5050 }
    try scene.add(pane())
    try place(Rect(x: 38, y: 20, width: 20, height: 20), in: scene)
    #expect(try scheme(in: scene) == .light)
    try place(Rect(x: 38, y: 20, width: 150, height: 120), in: scene)
    #expect(try scheme(in: scene) == .dark && scene.fault() == nil)
  }

  @Test func paneThatHasMovedDecidesAgain() throws {
    let scene = dividedScene()
    try scene.add(pane())
    try place(Rect(x: 0, y: 20, width: 50, height: 50), in: scene)
    #expect(try scheme(in: scene) == .light)
    try place(Rect(x: 130, y: 20, width: 50, height: 50), in: scene)
    #expect(try scheme(in: scene) == .dark && scene.fault() == nil)
  }
}
