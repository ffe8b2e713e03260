import ArgumentParser
import Control
import Glibc

struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows two panes of live frosted glass.",
    discussion: """
      With $DISPLAY set: on the running desktop, for 20 seconds. Without: on a screen in memory \
      with a wallpaper and programs that move, for 8 seconds; a screenshot of it is written.

      Ends all that it has started, also when it is interrupted.
      """)

  @Option(help: "Where the screenshot of the screen in memory is written.")
  var output = "demo.png"

  func run() throws {
    do {
      let interrupts = try DemoInterrupts()
      if let display = environmentVariable("DISPLAY"), !display.isEmpty {
        try showOnDesktop(display, interrupts)
      } else {
        try showOnScene(interrupts)
      }
    } catch let interruption as Interruption {
      interruption.obey()
    }
  }

  private func showOnDesktop(_ name: String, _ interrupts: borrowing DemoInterrupts) throws {
    let display = DemoDisplay(name: name, environment: try ownEnvironment())
    // A daemon that serves the user already is used and stays; one of ours ends with this.
    let daemon = try display.hasDaemon ? nil : display.startDaemon(interrupts)
    defer { for pane in DemoPane.onDesktop { _ = try? display.ask(.remove(name: pane.name)) } }
    for pane in DemoPane.onDesktop {
      _ = try display.ask(.add(name: pane.name, pane.change()))
    }
    print("Two panes for 20 seconds: move windows behind them.")
    let cost = try measure(display, seconds: 20, interrupts)
    print(cost)
    _ = consume daemon
  }

  private func showOnScene(_ interrupts: borrowing DemoInterrupts) throws {
    // Fails now, not after the show, when there is no place for the picture.
    let output = try OutputFile(path: output)
    let scene = try DemoScene(interrupts)
    let daemon = try scene.display.startDaemon(interrupts)
    for pane in DemoPane.onScene {
      _ = try scene.display.ask(.add(name: pane.name, pane.change()))
    }
    print("Two panes over a moving screen in memory, for 8 seconds.")
    let cost = try measure(scene.display, seconds: 8, interrupts)
    try output.write(png: scene.screenshot(interrupts), isOpaque: true)
    print("picture      \(absolutePath(self.output))")
    print(cost)
    _ = consume daemon
  }

  private func measure(
    _ display: DemoDisplay, seconds: Double, _ interrupts: borrowing DemoInterrupts
  ) throws -> DemoCost {
    _ = try display.ask(.sync)
    let before = DemoReading(try display.status())
    try interrupts.pause(seconds: seconds)
    return DemoCost(from: before, to: DemoReading(try display.status()))
  }
}

private func absolutePath(_ path: String) -> String {
  guard let resolved = unsafe realpath(path, nil) else { return path }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}
