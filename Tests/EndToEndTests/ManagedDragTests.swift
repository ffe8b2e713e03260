import Raster
import TestDice
import TestSupport
import Testing

/// A window that window managers move and resize with the pointer, and the glass behind it.
@Suite(.serialized, .waiting) struct ManagedDragTests {
  /// A window through which everything is seen, and the pointer.
  private struct Scene {
    let desktop: RealDesktop
    let window: TestWindow

    init(_ kind: RealDesktop.Kind) throws {
      desktop = try RealDesktop(kind)
      let (desktop, client) = (desktop, desktop.client)
      window = try client.makeWindow(
        Rect(x: 200, y: 140, width: 220, height: 180), color: 0, argb: true, mapped: false)
      let window = window
      client.setClass("kitty", "Kitty", of: window)
      window.refuseDecorations()
      window.map()
      try window.waitUntilMapped()
      try desktop.daemon.ask(
        "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--sigma", "8")
      #expect(try soon { try desktop.daemon.ask("behind", "list").contains("shown") })
    }

    /// Checks every pixel of the screen: the glass of what is below where the window is, and nothing of it elsewhere.
    func check(_ when: String) throws {
      var fault: String?
      // How long the compositor may take to paint: marco takes its time while it moves a window.
      var delay = 0
      let isRight = try soon {
        defer { delay += 20 }
        func settled() throws -> Bitmap {
          try desktop.daemon.sync()
          pause(.milliseconds(delay))
          return try desktop.screenshot()
        }
        let place = try window.screenBounds()
        let shown = try settled()
        try desktop.daemon.ask("hide", "glass")
        var wanted = try settled()
        try desktop.daemon.ask("show", "glass")
        let again = try settled()
        let frosted = wanted.frosted(sigma: 8)
        let glass = place.intersection(wanted.bounds)
        for y in glass.rows { for x in glass.columns { wanted[x, y] = frosted[x, y] } }
        // The dither of a pane starts at its corner.
        fault =
          shown.difference(from: wanted, tolerance: 1)
          ?? again.difference(from: shown).map { "shown again, " + $0 }
        return fault == nil
      }
      let list = try desktop.daemon.ask("behind", "list")
      #expect(isRight, "\(when): \(fault ?? "")\n\(list)")
    }
  }

  @Test(arguments: RealDesktop.Kind.all)
  func stillFramesShowTheGlassOfWhatIsBelow(kind: RealDesktop.Kind) throws {
    var dice = Dice(seed: 91)
    let scene = try Scene(kind)
    try scene.check("at first")
    for round in 0..<Effort.rounds(1) {
      for button in [1, 3] {
        let before = try scene.window.screenBounds()
        let part = before.intersection(Rect(x: 0, y: 0, width: 640, height: 480))
        let (x, y) = (part.maxX - part.width / 4, part.maxY - part.height / 4)
        try scene.desktop.point("mousemove \(x) \(y) keydown alt mousedown \(button)")
        for step in 0..<2 {
          let (dx, dy) = (dice.roll(-90...90), dice.roll(-70...70))
          for part in 1...6 {
            try scene.desktop.point("mousemove \(x + dx * part / 6) \(y + dy * part / 6)")
          }
          try scene.check("round \(round), button \(button) held, step \(step), \(dice)")
        }
        try scene.desktop.point("mouseup \(button) keyup alt")
        try scene.check("round \(round), button \(button) released, \(dice)")
        #expect(try scene.window.screenBounds() != before, "it has not followed the pointer")
      }
    }
  }
}
