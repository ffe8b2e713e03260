import Raster
import TestSupport
import Testing

/// Glass behind windows of programs that people use, under window managers and compositors that people use.
@Suite(.serialized, .waiting) struct RealProgramTests {
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

  /// The first fault on the screen, nil if there is none, and the place and the backdrop of the glass.
  private func checkScreen(
    of desktop: RealDesktop
  ) throws -> (fault: String?, glass: (rect: Rect, backdrop: Bitmap)?) {
    guard let rect = try desktop.server.listedOverlay(of: "glass")?.rect else {
      return ("no overlay", nil)
    }
    let shown = try desktop.screenshot()
    let picture = try desktop.daemon.snapshot("glass")
    let backdrop = try desktop.daemon.snapshot("glass", isBackdrop: true)
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
