import Engine
import Frost
import Panes
import Raster
import TestDice
import Testing

/// Glass over windows, in place of their background.
@Suite struct KeyedTargetTests {
  /// A screen with windows that have clients, and panes over them.
  private final class Windows {
    let scene: Scene
    var dice: Dice
    /// The place of each client.
    private(set) var places: [WindowID: Rect] = [:]
    private var titles: [WindowID: String] = [:]
    var areTranslucent = false
    private var fullscreen: Set<WindowID> = []

    init(seed: Int, width: Int = 120, height: Int = 90) {
      dice = Dice(seed: seed)
      scene = Scene(dice.picture(width: width, height: height))
    }

    func id(_ number: Int) -> WindowID { WindowID(number: UInt32(number)) }

    /// Puts a window at a place, and fills it with a colour if it has another size than before.
    func place(_ number: Int, _ rect: Rect, _ color: UInt32 = 0x20_3040) {
      let old = places[id(number)]
      places[id(number)] = rect
      if old?.width != rect.width || old?.height != rect.height {
        draw(number, Rect(x: 0, y: 0, width: rect.width, height: rect.height)) { _, _ in color }
      }
      report()
    }

    func draw(_ number: Int, _ rect: Rect, _ color: (Int, Int) -> UInt32) {
      guard let place = places[id(number)] else { return }
      scene.display.drawClient(
        id(number), width: place.width, height: place.height, rect, color)
    }

    func close(_ number: Int) {
      places[id(number)] = nil
      report()
    }

    func setTitle(_ number: Int, _ title: String) {
      titles[id(number)] = title
      report()
    }

    func setFullscreen(_ number: Int, _ isOn: Bool) {
      if isOn { fullscreen.insert(id(number)) } else { fullscreen.remove(id(number)) }
      report()
    }

    private func report() {
      scene.display.setTargets(
        places.sorted { $0.key.number < $1.key.number }.map { id, rect in
          TargetWindow(
            id: id,
            properties: WindowProperties(
              id: id.number + 1000, frame: id.number, windowClass: "Paper",
              title: titles[id] ?? ""), frame: rect, shape: Region(rect),
            isTranslucent: areTranslucent,
            client: TargetWindow.Client(rect: rect, isFullscreen: fullscreen.contains(id)))
        })
    }

    func add(_ edit: (inout PaneSettings) throws -> Void = { _ in }) throws {
      var settings = PaneSettings()
      settings.windowClass = "paper"
      settings.style = .plain
      settings.sigma = 4
      settings.background = .auto
      try edit(&settings)
      try scene.add(Pane("glass", settings))
    }

    var watchesNothing: Bool { scene.display.watched.values.allSatisfy(\.isEmpty) }

    /// The obstacle of each window with a pane, the lowest number first.
    func obstacles() throws -> [TargetState.Obstacle?] {
      #expect(try scene.settle())
      return try scene.targetStates().map(\.obstacle)
    }

    /// What is wrong on the screen; nil if each window has its glass and nothing else is shown.
    func fault(_ color: UInt32, settings: PaneSettings) -> String? {
      let display = scene.display
      let shown = display.order.filter { display.overlay($0.id)?.isShown == true }
      let visible = places.filter { $0.value.intersects(scene.screen) }
      if shown.count != visible.count { return "\(shown.count) overlays, not \(visible.count)" }
      for one in shown {
        guard one.isOver, let id = one.target, let place = places[id],
          let overlay = display.overlay(one.id), let client = display.clients[id]
        else { return "no window of an overlay" }
        let rect = place.intersection(scene.screen)
        if overlay.rect != rect { return "\(overlay.rect), not \(rect)" }
        let wanted = expected(place, rect, client, color, settings)
        let isRight = rect.rows.allSatisfy { y in
          rect.columns.allSatisfy { x in
            (overlay.picture[x - rect.x, y - rect.y] ^ wanted[x - rect.x, y - rect.y]) & 0xff_ffff
              == 0
          }
        }
        if !isRight { return "other pixels over window \(id.number) at \(place)" }
      }
      return nil
    }

    private func expected(
      _ place: Rect, _ rect: Rect, _ client: Bitmap, _ color: UInt32, _ settings: PaneSettings
    ) -> Bitmap {
      let (screen, backdrop) = (scene.screen, scene.display.backdrop)
      let frame = place.translated(x: -screen.x, y: -screen.y)
      let painted = PaintedPane(material: Material(sigma: settings.sigma ?? 4))
        .painted(on: backdrop, isOpaque: true, frame)
      var result = Bitmap(width: rect.width, height: rect.height)
      for y in rect.rows {
        for x in rect.columns {
          result[x - rect.x, y - rect.y] = painted[x - screen.x, y - screen.y]
        }
      }
      let grid = PixelGrid(output: client.bounds)
      _ = grid.update(with: client.pixels.span, PixelLayout(client.bounds), client.bounds)
      let visible = rect.translated(x: -place.x, y: -place.y)
      let background = ColorSample(of: grid, visible)?.background(color)
      let key = BackgroundKey(
        color, strength: 1 - (settings.backgroundOpacity ?? 0.6),
        surfaces: settings.keepPictures == false ? nil : background?.surfaces)
      var pixels = result.pixels.mutableSpan
      key.draw(visible, of: grid, visible: visible, overGlass: &pixels, PixelLayout(visible))
      return result
    }
  }

  @Test func glassReplacesTheBackground() throws {
    let windows = Windows(seed: 1)
    windows.place(1, Rect(x: 10, y: 12, width: 60, height: 50))
    windows.draw(1, Rect(x: 5, y: 5, width: 20, height: 3)) { x, _ in UInt32(x * 9) << 8 }
    try windows.add()
    #expect(try windows.scene.settle())
    let settings = PaneSettings()
    #expect(windows.fault(0x20_3040, settings: settings) == nil)
    #expect(windows.scene.display.watched[.client(windows.id(1))]?.area == 3000)
    #expect(try windows.obstacles() == [nil])
    windows.draw(1, Rect(x: 5, y: 25, width: 9, height: 9)) { x, y in UInt32(x * y * 77) }
    #expect(try windows.scene.settle())
    #expect(windows.fault(0x20_3040, settings: settings) == nil, "the window has changed")
    windows.scene.display.draw(Rect(x: 0, y: 0, width: 50, height: 40)) { x, y in
      0xff00_0000 | UInt32(x * 5 + y * 512)
    }
    #expect(try windows.scene.settle())
    #expect(windows.fault(0x20_3040, settings: settings) == nil, "what is below has changed")
    windows.place(1, Rect(x: -20, y: 50, width: 60, height: 50))
    #expect(try windows.scene.settle())
    #expect(windows.fault(0x20_3040, settings: settings) == nil, "partly outside of the screen")
    try windows.scene.remove("glass")
    #expect(try windows.scene.settle())
    #expect(windows.watchesNothing)
  }

  @Test(arguments: 0..<60) func anySequenceShowsTheFormula(seed: Int) throws {
    let windows = Windows(seed: 100 + seed)
    let color: UInt32 = 0x20_3040
    var settings = PaneSettings()
    settings.keepPictures = windows.dice.roll(0...2) == 0
    try windows.add {
      // The colours of surfaces are those at the last look.
      $0.background = .color(color)
      $0.keepPictures = false
    }
    settings.keepPictures = false
    let display = windows.scene.display
    for round in 0..<8 {
      display.answersAtOnce = windows.dice.roll(0...2) > 0
      display.capturesAtStart = windows.dice.roll(0...1) == 0
      display.setDirectOverlays(windows.dice.roll(0...1) == 0)
      display.pixelsPerCall = windows.dice.roll(0...1) == 0 ? .max : windows.dice.roll(50...2000)
      windows.scene.slowness = .milliseconds([0, 0, 1, 5][windows.dice.roll(0...3)])
      for _ in 0..<windows.dice.roll(1...8) {
        try act(windows, color)
        if windows.dice.roll(0...2) == 0 {
          windows.scene.wait(.milliseconds(windows.dice.roll(0...30)))
        }
        if windows.dice.roll(0...1) == 0 { try windows.scene.step() }
      }
      (display.answersAtOnce, display.unreadableCount) = (true, 0)
      display.releaseBuffers()
      #expect(try windows.scene.settle())
      let fault = windows.fault(color, settings: settings)
      #expect(fault == nil, "\(windows.dice), round \(round)")
      let calls = display.calls
      windows.scene.wait(.seconds(30))
      #expect(try windows.scene.settle())
      #expect(display.calls == calls, "\(windows.dice): idle")
    }
  }

  private func act(_ windows: Windows, _ color: UInt32) throws {
    let number = windows.dice.roll(1...3)
    let around = Rect(x: -30, y: -30, width: 180, height: 150)
    switch windows.dice.roll(0...9) {
    case 0, 1: windows.place(number, windows.dice.rect(in: around), color)
    case 2:
      guard let old = windows.places[windows.id(number)] else { return }
      windows.place(
        number, old.translated(x: windows.dice.roll(-20...20), y: windows.dice.roll(-20...20)))
    case 3: windows.close(number)
    case 4: windows.scene.display.expose("glass", windows.dice.rect(in: windows.scene.screen))
    case 5: windows.scene.display.destroy("glass")
    case 6:
      windows.scene.display.draw(windows.dice.rect(in: windows.scene.screen)) { x, y in
        0xff00_0000 | UInt32(x &* 31 &+ y &* 1717)
      }
    case 7: windows.scene.display.unreadableCount = windows.dice.roll(0...3)
    default:
      guard let place = windows.places[windows.id(number)] else { return }
      let all = Rect(x: 0, y: 0, width: place.width, height: place.height)
      let shade = UInt32(windows.dice.roll(0...0xff_ffff))
      windows.draw(number, windows.dice.rect(in: all)) { x, y in
        (x + y) % 3 == 0 ? color : shade
      }
    }
  }

  // MARK: Where the glass is

  @Test func windowWithoutEvenBackgroundIsLeftAlone() throws {
    let windows = Windows(seed: 2)
    windows.place(1, Rect(x: 10, y: 12, width: 60, height: 50))
    func drawPhoto() {
      windows.draw(1, Rect(x: 0, y: 0, width: 60, height: 50)) { _, _ in
        UInt32(truncatingIfNeeded: windows.dice.next()) & 0xff_ffff
      }
    }
    drawPhoto()
    try windows.add()
    #expect(try windows.obstacles() == [.uneven])
    #expect(windows.watchesNothing)
    #expect(windows.scene.deadline == nil, "it was looked at several times")
    windows.draw(1, Rect(x: 0, y: 0, width: 60, height: 50)) { _, _ in 0x20_3040 }
    windows.setTitle(1, "a page")
    #expect(try windows.obstacles() == [nil])
    #expect(windows.fault(0x20_3040, settings: PaneSettings()) == nil)
    drawPhoto()
    #expect(try windows.obstacles() == [.uneven], "the page was replaced by a photo")
    windows.draw(1, Rect(x: 0, y: 0, width: 60, height: 50)) { _, _ in 0xff_ffff }
    windows.setTitle(1, "another page")
    #expect(try windows.obstacles() == [nil])
    #expect(windows.fault(0xff_ffff, settings: PaneSettings()) == nil)
  }

  /// With `auto`, glass is beneath a translucent window while something blends that.
  @Test func glassIsWhereItIsVisible() throws {
    let windows = Windows(seed: 8)
    windows.areTranslucent = true
    windows.scene.display.setBlending(true)
    windows.place(1, Rect(x: 10, y: 12, width: 60, height: 50))
    try windows.add()
    for _ in 0..<2 {
      #expect(try windows.obstacles() == [nil])
      #expect(windows.scene.display.order.map(\.isOver) == [false])
      #expect(windows.scene.display.watched[.client(windows.id(1))]?.isEmpty != false)
      windows.scene.display.setBlending(false)
      #expect(try windows.obstacles() == [nil])
      #expect(windows.fault(0x20_3040, settings: PaneSettings()) == nil)
      windows.scene.display.setBlending(true)
    }
  }

  /// A program may draw something else first. Another background counts when most of the window has it.
  @Test func otherBackgroundIsFound() throws {
    let windows = Windows(seed: 3)
    windows.place(1, Rect(x: 10, y: 12, width: 60, height: 50), 0)
    try windows.add()
    #expect(try windows.scene.settle())
    #expect(windows.fault(0, settings: PaneSettings()) == nil)
    windows.draw(1, Rect(x: 0, y: 0, width: 60, height: 20)) { _, _ in 0xff_ffff }
    #expect(try windows.scene.settle())
    #expect(windows.fault(0, settings: PaneSettings()) == nil, "a selection of two fifths")
    windows.draw(1, Rect(x: 0, y: 0, width: 60, height: 45)) { _, _ in 0xff_ffff }
    #expect(try windows.scene.settle())
    #expect(windows.fault(0xff_ffff, settings: PaneSettings()) == nil)
  }

  /// The overlay of a window that ends is used for the next window, which has another background.
  @Test func nextWindowHasItsOwnBackground() throws {
    let windows = Windows(seed: 7)
    windows.place(1, Rect(x: 10, y: 12, width: 60, height: 50))
    try windows.add()
    #expect(try windows.scene.settle())
    windows.close(1)
    windows.place(2, Rect(x: 20, y: 22, width: 60, height: 50), 0xff_ffff)
    #expect(try windows.scene.settle())
    #expect(windows.fault(0xff_ffff, settings: PaneSettings()) == nil)
  }

  @Test func fullscreenWindowIsLeftAlone() throws {
    let windows = Windows(seed: 4)
    windows.place(1, Rect(x: 10, y: 12, width: 60, height: 50))
    try windows.add()
    #expect(try windows.obstacles() == [nil])
    windows.setFullscreen(1, true)
    #expect(try windows.obstacles() == [.fullscreen])
    windows.setFullscreen(1, false)
    #expect(try windows.obstacles() == [nil])
  }

  @Test func settingsChangeWhatIsShown() throws {
    let windows = Windows(seed: 5)
    windows.place(1, Rect(x: 10, y: 12, width: 60, height: 50))
    try windows.add()
    #expect(try windows.scene.settle())
    var settings = PaneSettings()
    settings.backgroundOpacity = 0.2
    try windows.scene.change("glass") { $0.backgroundOpacity = 0.2 }
    #expect(try windows.scene.settle())
    #expect(windows.fault(0x20_3040, settings: settings) == nil)
    settings.keepPictures = false
    try windows.scene.change("glass") { $0.keepPictures = false }
    #expect(try windows.scene.settle())
    #expect(windows.fault(0x20_3040, settings: settings) == nil)
    try windows.scene.change("glass") { $0.background = .color(0x10_2030) }
    #expect(try windows.scene.settle())
    #expect(windows.fault(0x10_2030, settings: settings) == nil)
    try windows.scene.change("glass") { $0.background = BackgroundChoice.none }
    #expect(try windows.obstacles() == [.noCompositor])
  }
}
