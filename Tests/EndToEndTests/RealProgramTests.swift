import Raster
import TestSupport
import Testing

/// Glass behind windows of programs that people use, under window managers and compositors that people use.
@Suite(.serialized) struct RealProgramTests {
  @Test(arguments: RealDesktop.Kind.all)
  func programsHaveGlass(kind: RealDesktop.Kind) throws {
    let desktop = try RealDesktop(kind)
    for program in RealProgram.all {
      do {
        try check(program, on: desktop)
      } catch {
        Issue.record("\(program.name): \(error)")
      }
    }
  }

  /// Starts a program, checks every pixel of the screen, and ends it.
  private func check(_ program: RealProgram, on desktop: RealDesktop) throws {
    for (path, text) in program.files { try desktop.makeFile(path, text) }
    try desktop.daemon.ask(
      ["behind", "add", "glass"] + program.rule + ["--sigma", "8", "--style", "plain"])
    defer { _ = try? desktop.daemon.ask("remove", "glass") }
    let child = try desktop.start(program.command)
    for step in program.steps {
      try expectSoon(desktop) {
        let step = try desktop.start(step)
        return step.wait(for: .seconds(10)) == .exited(0) ? nil : step.err + child.err
      }
    }
    try expectSoon(desktop) {
      let list = try desktop.daemon.ask("behind", "list")
      return list.contains("shown") ? nil : list + child.err
    }
    var glass: (rect: Rect, backdrop: Bitmap)?
    try expectSoon(desktop) {
      let (fault, found) = try checkScreen(of: desktop)
      glass = found
      return fault
    }
    // The backdrop is the screen without the window.
    if program.closing.isEmpty {
      try child.stop()
    } else {
      #expect(try desktop.start(program.closing).wait(for: .seconds(10)) == .exited(0))
    }
    guard let glass else { return }
    try expectSoon(desktop) {
      try desktop.screenshot().cropped(to: glass.rect).difference(from: glass.backdrop)
    }
  }

  private func expectSoon(_ desktop: RealDesktop, _ fault: () throws -> String?) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while let wrong = try fault() {
      if ContinuousClock.now > deadline { throw TestFailure(wrong) }
      try desktop.daemon.sync()
    }
  }

  /// What is wrong on the screen, nil if nothing is, and the place and the backdrop of the glass.
  private func checkScreen(
    of desktop: RealDesktop
  ) throws -> (fault: String?, glass: (rect: Rect, backdrop: Bitmap)?) {
    guard let rect = try desktop.server.listedOverlay(of: "glass")?.rect else {
      return ("no overlay", nil)
    }
    let shown = try desktop.screenshot()
    let picture = try desktop.snapshot("glass")
    let backdrop = try desktop.snapshot("glass", "--backdrop")
    // The compositor paints later.
    func screenshot(when isPainted: (Bitmap) -> Bool) throws -> Bitmap {
      var screen = shown
      _ = try soon(within: .seconds(1)) {
        screen = try desktop.screenshot()
        return isPainted(screen)
      }
      return screen
    }
    try desktop.daemon.ask("hide", "glass")
    let hidden = try screenshot { $0 != shown }
    try desktop.daemon.ask("show", "glass")
    let again = try screenshot { $0 == shown }
    if let difference = again.difference(from: shown) { return ("shown again: " + difference, nil) }
    guard (backdrop.width, backdrop.height) == (rect.width, rect.height) else {
      return ("\(backdrop.bounds), not \(rect)", nil)
    }
    var check = BlendCheck(
      shown: shown, hidden: hidden, glass: picture, backdrop: backdrop, at: rect)
    return (check.fault(), (rect, backdrop))
  }
}

/// Whether a screen shows glass through a translucent window and nowhere else.
///
/// The window lets a part t of what is below it through: then the screen with glass is t (G - B) brighter than the one
/// without it, for glass G and backdrop B, with the same t in all channels.
private struct BlendCheck {
  let shown, hidden, glass, backdrop: Bitmap
  /// The place of the glass on the screen.
  let rect: Rect
  private var translucent = 0
  private var telling = 0

  init(shown: Bitmap, hidden: Bitmap, glass: Bitmap, backdrop: Bitmap, at rect: Rect) {
    (self.shown, self.hidden, self.glass, self.backdrop) = (shown, hidden, glass, backdrop)
    self.rect = rect
  }

  /// What is wrong first; nil if nothing is.
  mutating func fault() -> String? {
    for y in 0..<shown.height {
      for x in 0..<shown.width {
        if let fault = fault(x, y) { return fault }
      }
    }
    if telling > 0, 2 * translucent > telling { return nil }
    return "glass is seen at \(translucent) of \(telling) pixels"
  }

  private mutating func fault(_ x: Int, _ y: Int) -> String? {
    let change = Self.differences(shown[x, y], hidden[x, y])
    guard rect.contains(x: x, y: y) else {
      return change == [0, 0, 0] ? nil : "outside of the glass, \(x),\(y) changes by \(change)"
    }
    let (column, row) = (x - rect.x, y - rect.y)
    let effect = Self.effect(of: glass[column, row], on: backdrop[column, row])
    let square = zip(effect, effect).map(*).reduce(0, +)
    let share = square == 0 ? 0 : zip(effect, change).map(*).reduce(0, +) / square
    let t = min(1, max(0, share))
    for (effect, change) in zip(effect, change) where abs(change - t * effect) > 3 {
      return "inside, \(x),\(y) changes by \(change), not by \(t) of \(effect)"
    }
    if square > 400 {
      telling += 1
      if t > 0.1 { translucent += 1 }
    }
    return nil
  }

  /// The differences of blue, green and red.
  private static func differences(_ one: UInt32, _ other: UInt32) -> [Double] {
    [0, 8, 16].map { Double(one >> $0 & 255) - Double(other >> $0 & 255) }
  }

  /// What a premultiplied pixel above a pixel changes.
  private static func effect(of upper: UInt32, on lower: UInt32) -> [Double] {
    let rest = 1 - Double(upper >> 24) / 255
    return [0, 8, 16].map {
      Double(upper >> $0 & 255) - (1 - rest) * Double(lower >> $0 & 255)
    }
  }
}
