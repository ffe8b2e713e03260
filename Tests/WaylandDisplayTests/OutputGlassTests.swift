import Engine
import Panes
import Raster
import TestSupport
import Testing

@testable import WaylandDisplay

/// Live glass on outputs of any rotation and scale.
@Suite(.serialized) struct OutputGlassTests {
  /// Shows a pane, changes what is behind it, and compares it with the glass of the same screen without it.
  private func expectGlass(
    _ command: [String], output: Rect, _ scene: WaylandScene, seed: UInt64,
    _ captured: CapturedCompositor
  ) throws {
    try scene.server.setOutput(command)
    try scene.waitForOutput(width: output.width, height: output.height)
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = 20
    // Odd edges are between logical pixels.
    let pane = Rect(x: 41, y: 33, width: output.width - 85, height: output.height - 70)
    settings.geometry = try Geometry(parsing: "\(pane)")
    try scene.add("pane", settings)
    try scene.server.changeWallpaper(Scenery.photo.picture(seed: seed))
    let shown = try scene.settledScreenshot()
    // Only of whole scales grim has the pixels of the output.
    if scene.hasWholeScale {
      #expect(try scene.server.screenshot().difference(from: shown) == nil, "\(command)")
    }
    let marks = scene.marks(in: pane)
    try scene.remove("pane")
    let bare = try scene.settledScreenshot()
    #expect(bare.bounds == Rect(x: 0, y: 0, width: output.width, height: output.height))
    let (decibels, most) = fidelity(
      of: shown.cropped(to: pane),
      to: try offlineGlass(of: bare, in: pane, sigma: 20, scene.server),
      marks: marks)
    print("\(captured), \(command): \(decibels) dB, \(most) levels")
    #expect(decibels >= 56 && most <= 2, "\(command): \(decibels) dB, \(most) levels")
    try captured.record(decibels: decibels, levels: most)
    // Around it nothing is drawn.
    for part in bare.bounds.subtracting(pane) {
      #expect(
        shown.cropped(to: part).difference(from: bare.cropped(to: part)) == nil, "\(command)")
    }
  }

  @Test(arguments: CapturedCompositor.tested)
  func glassIsRightInAllOrientations(captured: CapturedCompositor) throws {
    let scene = try WaylandScene(captured, wallpaper: Scenery.photo.picture(seed: 0))
    let turns = ["normal", "90", "180", "270"]
    for (index, turn) in (turns + turns.map { $0 == "normal" ? "flipped" : "flipped-\($0)" })
      .enumerated()
    {
      let isTurned = turn.hasSuffix("90") || turn.hasSuffix("270")
      try expectGlass(
        ["--transform", turn],
        output: Rect(x: 0, y: 0, width: isTurned ? 320 : 480, height: isTurned ? 480 : 320),
        scene, seed: UInt64(index + 1), captured)
    }
  }

  @Test(arguments: CapturedCompositor.tested)
  func glassIsRightAtAllScales(captured: CapturedCompositor) throws {
    let scene = try WaylandScene(captured, wallpaper: Scenery.photo.picture(seed: 0))
    for (index, scale) in ["1", "1.25", "1.5", "1.75", "2"].enumerated() {
      try expectGlass(
        ["--scale", scale], output: Rect(x: 0, y: 0, width: 480, height: 320), scene,
        seed: UInt64(index + 1), captured)
    }
    try scene.server.setOutput(["--scale", "1.5"])
    try expectGlass(
      ["--transform", "90"], output: Rect(x: 0, y: 0, width: 320, height: 480), scene, seed: 9,
      captured)
  }

  @Test(arguments: CapturedCompositor.tested)
  func glassIsRightInAllModes(captured: CapturedCompositor) throws {
    let scene = try WaylandScene(captured, wallpaper: Scenery.photo.picture(seed: 0))
    for (index, (width, height)) in [(640, 400), (333, 257), (480, 320)].enumerated() {
      try expectGlass(
        ["--custom-mode", "\(width)x\(height)"],
        output: Rect(x: 0, y: 0, width: width, height: height), scene, seed: UInt64(index + 1),
        captured)
    }
  }
}
