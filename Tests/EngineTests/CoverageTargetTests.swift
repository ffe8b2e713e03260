import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// Glass beneath windows that leave parts of themselves free.
@Suite struct CoverageTargetTests {
  private let scene: Scene
  private let id = WindowID(number: 1)

  init() throws {
    var dice = Dice(seed: 3)
    scene = Scene(dice.picture(width: 120, height: 90))
    scene.display.setBlending(true)
    try scene.step()
    var settings = PaneSettings()
    settings.windowClass = "paper"
    settings.style = .plain
    settings.sigma = 4
    try scene.add(Pane("glass", settings))
  }

  private func report(_ rect: Rect, backgroundAlpha: UInt8?) {
    scene.display.setTargets([
      TargetWindow(
        id: id, properties: WindowProperties(id: 1001, frame: 1, windowClass: "Paper"),
        frame: rect, shape: Region(rect), isTranslucent: true,
        client: TargetWindow.Client(rect: rect, hasAlpha: true, backgroundAlpha: backgroundAlpha))
    ])
  }

  private func draw(_ place: Rect, _ rect: Rect, _ pixel: (Int, Int) -> UInt32) {
    scene.display.drawClient(id, width: place.width, height: place.height, rect, pixel)
  }

  private var overlay: HeadlessDisplay.Overlay? {
    scene.display.order.last.flatMap { scene.display.overlay($0.id) }
  }

  /// What is wrong; nil if the glass is that of the window, as much of it as the window has alpha.
  private func fault(at place: Rect, full: UInt8?) -> String? {
    let rect = place.intersection(scene.screen)
    guard let overlay, overlay.isShown, overlay.rect == rect else { return "no overlay at \(rect)" }
    let painted = PaintedPane(material: Material(sigma: 4)).painted(
      on: scene.display.backdrop, isOpaque: true, place)
    let client = scene.display.clients[id]
    for y in rect.rows {
      for x in rect.columns {
        var wanted = Bitmap(width: 1, height: 1)
        wanted[0, 0] = painted[x, y] | 0xff00_0000
        if let full, let client {
          let grid = PixelGrid(output: Rect(x: 0, y: 0, width: 1, height: 1))
          let own = [client[x - place.x, y - place.y]]
          _ = grid.update(with: own.span, PixelLayout(grid.output), grid.output)
          var pixels = wanted.pixels.mutableSpan
          WindowCoverage(full: full).limit(
            grid.output, of: grid, glass: &pixels, PixelLayout(grid.output))
        }
        let shown = overlay.picture[x - rect.x, y - rect.y]
        if shown != wanted[0, 0] { return "\(x), \(y): \(shown), not \(wanted[0, 0])" }
      }
    }
    return nil
  }

  /// Only the alpha of the pixels changes, not their colours.
  @Test(arguments: 0..<40) func glassFollowsTheAlphaOfTheWindow(seed: Int) throws {
    var dice = Dice(seed: seed)
    var place = Rect(x: 20, y: 10, width: 60, height: 50)
    var full = UInt8(dice.roll(1...255))
    draw(place, Rect(x: 0, y: 0, width: 60, height: 50)) { x, _ in x < 9 ? 0 : 0xff00_0000 }
    report(place, backgroundAlpha: full)
    for step in 0..<8 {
      switch dice.roll(0...3) {
      case 0:
        place = Rect(x: dice.roll(-30...90), y: dice.roll(-20...70), width: 60, height: 50)
      case 1: full = UInt8(dice.roll(1...255))
      default:
        let part = Rect(x: dice.roll(0...40), y: dice.roll(0...30), width: 20, height: 20)
        let salt = dice.roll(1...100)
        draw(place, part) { x, y in UInt32((x * y * salt) & 255) << 24 }
      }
      report(place, backgroundAlpha: full)
      #expect(try scene.settle())
      #expect(fault(at: place, full: full) == nil, "step \(step), \(dice)")
    }
    report(place, backgroundAlpha: nil)
    #expect(try scene.settle())
    #expect(fault(at: place, full: nil) == nil, "all of it is covered")
    #expect(scene.display.watched[.client(id)]?.isEmpty != false, "its pixels do not matter")
  }
}
