import Raster
import TestDice
import TestSupport
import Testing

/// Glass over the client in the frame of a window manager.
@Suite(.serialized, .waiting) struct KeyedFrameTests {
  private static let background: UInt32 = 0xf4_f2f0

  /// A window with a frame, and below it one that changes.
  private struct Scene {
    let desktop: RealDesktop
    /// The screen without both windows.
    let wallpaper: Bitmap
    let below: TestWindow
    let belowPlace = Rect(x: 60, y: 50, width: 320, height: 260)
    var picture = Bitmap(width: 0, height: 0)
    let window: TestWindow
    var dice = Dice(seed: 92)

    init(_ kind: RealDesktop.Kind) throws {
      desktop = try RealDesktop(kind)
      let (desktop, client) = (desktop, desktop.client)
      wallpaper = try desktop.screenshot()
      below = try client.makeWindow(belowPlace, color: 0xff00_0000, overrideRedirect: true)
      below.lower()
      window = try client.makeWindow(
        Rect(x: 200, y: 140, width: 240, height: 190), picture: Self.page(), mapped: false)
      let window = window
      client.setClass("paper", "Paper", of: window)
      window.map()
      try window.waitUntilMapped()
      try drawBelow()
      try desktop.daemon.ask([
        "behind", "add", "glass", "--class", "paper", "--style", "plain", "--sigma", "8",
        "--background", "auto", "--no-keep-pictures",
      ])
      #expect(try soon { try desktop.daemon.ask("behind", "list").contains("keyed") })
    }

    /// The background with lines of text.
    static func page() -> Bitmap {
      var dice = Dice(seed: 93)
      var page = Bitmap(width: 240, height: 190, filledWith: 0xff00_0000 | background)
      for y in 0..<190 where y % 12 > 6 {
        for x in 0..<240 where dice.roll(0...3) == 0 {
          page[x, y] = 0xff00_0000 | UInt32(dice.roll(0...0xff_ffff))
        }
      }
      return page
    }

    /// Draws something else in the window below.
    mutating func drawBelow() throws {
      picture = Bitmap.noise(width: belowPlace.width, height: belowPlace.height, using: &dice)
      let hue: UInt32 = [0xffff_4040, 0xff40_ff40, 0xff40_40ff, 0xffff_ff40][dice.roll(0...3)]
      for i in picture.pixels.indices { picture.pixels[i] &= hue }
      below.setBackground(picture)
      try desktop.client.sync()
    }

    /// Checks every pixel of the screen.
    func check(_ when: String) throws {
      var fault: String?
      // How long the compositor may take to paint: marco takes its time while it moves a window.
      var delay = 0
      var screen = wallpaper
      for y in belowPlace.rows {
        for x in belowPlace.columns {
          screen[x, y] = picture[x - belowPlace.x, y - belowPlace.y] | 0xff00_0000
        }
      }
      let frosted = screen.frosted(sigma: 8)
      let isRight = try soon {
        defer { delay += 20 }
        // A manager that starts places its windows below those that it does not manage.
        below.lower()
        func settled() throws -> Bitmap {
          try desktop.daemon.sync()
          pause(.milliseconds(delay))
          return try desktop.screenshot()
        }
        let place = try window.screenBounds().intersection(wallpaper.bounds)
        let shown = try settled()
        try desktop.daemon.ask("hide", "glass")
        var wanted = try settled()
        try desktop.daemon.ask("show", "glass")
        let again = try settled()
        for y in place.rows {
          for x in place.columns {
            wanted[x, y] = keyed(wanted[x, y], over: frosted[x, y], background, 0.6)
          }
        }
        fault =
          shown.difference(from: wanted, tolerance: 1)
          ?? again.difference(from: shown).map { "shown again, " + $0 }
        return fault == nil
      }
      let list = try desktop.daemon.ask("behind", "list")
      #expect(isRight, "\(when): \(fault ?? "")\n\(list)")
    }
  }

  @Test(arguments: RealDesktop.Kind.plain + RealDesktop.Kind.all)
  func stillFramesShowTheFormula(kind: RealDesktop.Kind) throws {
    var scene = try Scene(kind)
    try scene.check("at first")
    for button in [1, 3] {
      let before = try scene.window.screenBounds()
      let part = before.intersection(scene.wallpaper.bounds)
      let (x, y) = (part.maxX - part.width / 4, part.maxY - part.height / 4)
      try scene.desktop.point("mousemove \(x) \(y) keydown alt mousedown \(button)")
      for step in 0..<2 {
        let (dx, dy) = (scene.dice.roll(-90...90), scene.dice.roll(-70...70))
        for part in 1...6 {
          try scene.desktop.point("mousemove \(x + dx * part / 6) \(y + dy * part / 6)")
        }
        try scene.drawBelow()
        try scene.check("button \(button) held, step \(step)")
      }
      try scene.desktop.point("mouseup \(button) keyup alt")
      try scene.check("button \(button) released")
      #expect(try scene.window.screenBounds() != before, "it has not followed the pointer")
    }
  }

  /// The window gets another frame.
  @Test func windowManagerThatIsReplacedKeepsTheGlass() throws {
    let scene = try Scene(RealDesktop.Kind.plain[0])
    try scene.check("at first")
    let next = try scene.desktop.start(["openbox", "--replace", "--config-file", "~/openbox.xml"])
    try scene.check("replaced: \(next.err)")
    try scene.desktop.point(
      "mousemove 300 200 keydown alt mousedown 1 mousemove 340 230 mouseup 1 keyup alt")
    try scene.check("moved")
  }
}
