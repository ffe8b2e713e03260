import ArgumentParser
import Glibc
import Pictures
import Raster
import TestSupport

@main
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Demo",
    abstract: "Shows live frosted glass behind programs and on panes.",
    discussion: """
      If $WAYLAND_DISPLAY or $DISPLAY is set: on the running desktop, for 20 seconds. Else, or if that \
      cannot show glass: on a screen in memory with moving programs, for 8 seconds; a screenshot of it is \
      written.

      Ends everything that it started, also when it is interrupted. The exit status is 127 if a program \
      is missing.
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
  @Flag(help: "Instead, measure the scene of the Xvfb without blur, with backdropd and with picom.")
  var compare = false
  @Flag(help: "With --frames: picom blurs, without backdropd.")
  var picom = false
  @Flag(name: .customLong("moving-picture"), help: .hidden)
  var isMovingPicture = false

  func validate() throws {
    if frames != nil, server == .wayland { throw ValidationError("--frames needs Xvfb") }
    if picom, frames == nil { throw ValidationError("--picom needs --frames") }
  }

  func run() throws {
    Interrupts.handleSignals(endingChildren: false)
    // Failures after an interruption do not matter: Ctrl-C also ends the programs of a scene.
    do {
      try show()
    } catch let missing as MissingProgram {
      let text = Array("\(missing)\n".utf8)
      _ = unsafe write(STDERR_FILENO, text, text.count)
      throw ExitCode(127)
    } catch {
      if !Interrupts.isInterrupted { throw error }
    }
    if Interrupts.isInterrupted { throw ExitCode(130) }
  }

  private func show() throws {
    if isMovingPicture { return try MovingPicture.show() }
    if compare { return try compareWithOthers() }
    if picom { return try writeFrames(of: XvfbScene(.blurringPicom)) }
    guard let environment = try server.desktopEnvironment() else { return try showOnScene() }
    do {
      try DesktopDemo(on: DemoDisplay(environment: environment)).show()
    } catch let refusal as DisplayRefusal {
      print("\(refusal)The demo continues on a screen in memory.")
      try showOnScene()
    }
  }

  private func showOnScene() throws {
    let scene = try server.makeScene()
    let daemon = try scene.display.startDaemon()
    for arguments in scene.glass { try scene.display.ask(arguments) }
    print("Glass on a moving screen in memory, for 8 seconds.")
    let cost = try scene.display.measureCost(for: .seconds(8))
    try writeFrames(of: scene)
    if Interrupts.isInterrupted { return }
    try writePNG(straight: scene.screenshot(), to: output)
    print("picture      \(output)\n\(cost)")
    withExtendedLifetime(daemon) {}
  }

  /// Takes pictures of a scene for four seconds.
  private func writeFrames(of scene: any DemoScene) throws {
    guard let frames else { return }
    let start = ContinuousClock.now
    for i in 0..<60 where !Interrupts.isInterrupted {
      let frame = try scene.screenshot().scaled(by: 0.5)
      let name = "\(i)"
      let digits = String(repeating: "0", count: 3 - name.count) + name
      try writePNG(straight: frame, to: "\(frames)/\(digits).png")
      pause(for: start + .seconds(Double(i + 1) / 15) - .now)
    }
  }
}

/// Sleeps for a time, or until the program is interrupted.
func pause(for time: Duration) {
  let end = ContinuousClock.now + time
  while ContinuousClock.now < end, !Interrupts.isInterrupted { usleep(2_000) }
}
