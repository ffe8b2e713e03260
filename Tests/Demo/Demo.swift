import ArgumentParser
import Glibc
import Pictures
import Raster
import TestSupport

@main
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Demo",
    abstract: "Shows panes of live frosted glass: a clock, a notification and a dock.",
    discussion: """
      If $WAYLAND_DISPLAY or $DISPLAY is set: on the running desktop, for 20 seconds. Else, or if that \
      cannot show glass: on a screen in memory with a wallpaper and moving programs, for 8 seconds; a \
      screenshot of it is written.

      Ends everything that it started, also when it is interrupted.
      """)

  @Option(
    help: """
      x11, wayland: the desktop of this kind, or else Xvfb or sway in memory. auto: the desktop that \
      backdropd chooses, or else Xvfb.
      """)
  var server = DemoServer.auto
  @Option(help: "The PNG file for the screenshot of the screen in memory.")
  var output = "demo.png"
  @Option(help: "A folder for pictures of every fifteenth of a second of an Xvfb, half as large.")
  var frames: String?

  func validate() throws {
    if frames != nil, server == .wayland { throw ValidationError("--frames needs Xvfb") }
  }

  func run() throws {
    Interrupts.noteSignals(endingChildren: false)
    // What fails after an interruption is not of interest: Ctrl-C also ends the programs of a scene.
    do { try show() } catch { if !Interrupts.isInterrupted { throw error } }
    if Interrupts.isInterrupted { throw ExitCode(130) }
  }

  private func show() throws {
    guard let environment = try server.desktopEnvironment() else { return try showOnScene() }
    do {
      try show(on: DemoDisplay(environment: environment))
    } catch let refusal as DisplayRefusal {
      print("\(refusal)The demo continues on a screen in memory.")
      try showOnScene()
    }
  }

  private func show(on display: DemoDisplay) throws {
    // A daemon that serves the user stays; one that is started here ends with this function, after its panes: it would
    // keep them for the next one.
    let daemon = try display.hasDaemon ? nil : display.startDaemon()
    defer {
      for pane in DemoPane.onDesktop { _ = try? display.ask(["remove", pane.name]) }
      withExtendedLifetime(daemon) {}
    }
    for pane in DemoPane.onDesktop { try display.ask(pane.arguments) }
    print("Three panes for 20 seconds: move windows behind them.")
    print(try display.measureCost(for: .seconds(20)))
  }

  private func showOnScene() throws {
    let scene = try server.makeScene()
    let daemon = try scene.display.startDaemon()
    for pane in DemoPane.onScene { try scene.display.ask(pane.arguments) }
    print("Three panes over a moving screen in memory, for 8 seconds.")
    let cost = try scene.display.measureCost(for: .seconds(8))
    if let frames { try writeFrames(of: scene, to: frames) }
    if Interrupts.isInterrupted { return }
    try writePNG(straight: scene.screenshot(), to: output)
    print("picture      \(output)\n\(cost)")
    withExtendedLifetime(daemon) {}
  }
}

/// Takes pictures of a scene for six seconds.
private func writeFrames(of scene: any DemoScene, to folder: String) throws {
  let start = ContinuousClock.now
  for i in 0..<90 where !Interrupts.isInterrupted {
    let frame = try scene.screenshot().scaled(by: 0.5)
    let name = "\(i)"
    let digits = String(repeating: "0", count: 3 - name.count) + name
    try writePNG(straight: frame, to: "\(folder)/\(digits).png")
    pause(for: start + .seconds(Double(i + 1) / 15) - .now)
  }
}

/// Sleeps for a time, or until the program is interrupted.
func pause(for time: Duration) {
  let end = ContinuousClock.now + time
  while ContinuousClock.now < end, !Interrupts.isInterrupted { usleep(20_000) }
}
