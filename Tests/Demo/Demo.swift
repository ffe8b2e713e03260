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
      If $DISPLAY is set: on the running desktop, for 20 seconds. Else: on a screen in memory with a \
      wallpaper and moving programs, for 8 seconds; a screenshot of it is written.

      Ends everything that it started, also when it is interrupted.
      """)

  @Option(help: "The PNG file for the screenshot of the screen in memory.")
  var output = "demo.png"
  @Option(help: "A folder for pictures of every fifteenth of a second, half as large.")
  var frames: String?

  func run() throws {
    Interrupts.noteSignals(endingChildren: false)
    if let display = unsafe getenv("DISPLAY"), unsafe display.pointee != 0 {
      try showOnDesktop()
    } else {
      try showOnScene()
    }
    if Interrupts.isInterrupted { throw ExitCode(130) }
  }

  private func showOnDesktop() throws {
    let display = try DemoDisplay(environment: ownEnvironment())
    // A daemon that serves the user stays; one that is started here ends with this function.
    let daemon = try display.hasDaemon ? nil : display.startDaemon()
    defer { for pane in DemoPane.onDesktop { _ = try? display.ask(["remove", pane.name]) } }
    for pane in DemoPane.onDesktop { try display.ask(pane.arguments) }
    print("Three panes for 20 seconds: move windows behind them.")
    print(try display.measureCost(for: .seconds(20)))
    withExtendedLifetime(daemon) {}
  }

  private func showOnScene() throws {
    let scene = try DemoScene()
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
private func writeFrames(of scene: DemoScene, to folder: String) throws {
  let start = ContinuousClock.now
  for i in 0..<90 where !Interrupts.isInterrupted {
    let frame = try scene.screenshot().scaled(by: 0.5)
    let name = "\(i)"
    let digits = String(repeating: "0", count: 3 - name.count) + name
    try writePNG(straight: frame, to: "\(folder)/\(digits).png")
    pause(for: start + .seconds(Double(i + 1) / 15) - .now)
  }
}

/// The environment of this process.
private func ownEnvironment() throws -> [String: String] {
  var environment: [String: String] = [:]
  for entry in try readBytes("/proc/self/environ").split(separator: 0) {
    let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1)
    guard parts.count == 2 else { continue }
    environment[String(decoding: parts[0], as: UTF8.self)] = String(
      decoding: parts[1], as: UTF8.self)
  }
  return environment
}

/// Sleeps for a time, or until the program is interrupted.
func pause(for time: Duration) {
  let end = ContinuousClock.now + time
  while ContinuousClock.now < end, !Interrupts.isInterrupted { usleep(20_000) }
}
