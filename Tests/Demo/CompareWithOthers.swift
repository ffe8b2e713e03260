import Raster
import TestSupport

/// Measures the same scene without blur, with our glass, and with the blur of picom, and prints a table.
func compareWithOthers() throws {
  print("The scene of the demo on Xvfb: a picture at 30 Hz, a terminal that is dragged at 60 Hz.\n")
  print("| | CPU of X server, compositor and backdropd | frames of the picture |")
  print("|---|---|---|")
  for (name, compositor, hasGlass) in [
    ("no blur, xcompmgr", DemoCompositor.xcompmgr, false),
    ("backdropd, xcompmgr", .xcompmgr, true),
    ("picom with XRender blur of 10 pixels", .blurringPicom, false),
  ] {
    let cost = try measure(compositor, hasGlass: hasGlass)
    if Interrupts.isInterrupted { return }
    print("| \(name) | \(cost.text) |")
  }
}

/// The cost of a scene, and the number of its visible frames.
private struct SceneCost {
  let coreShare, framesPerSecond: Double

  var text: String {
    "\(rounded(100 * coreShare, digits: 0)) % of a core | \(rounded(framesPerSecond, digits: 1)) a second"
  }
}

private func measure(_ compositor: DemoCompositor, hasGlass: Bool) throws -> SceneCost {
  // Nothing makes the page glass without backdropd.
  let scene = try XvfbScene(compositor, hasPage: false)
  let daemon = try hasGlass ? scene.display.startDaemon() : nil
  if hasGlass {
    for arguments in scene.glass { try scene.display.ask(arguments) }
    try scene.display.ask(["sync"])
  }
  pause(for: .seconds(1))
  let processes = scene.painters + (daemon.map { [$0] } ?? [])
  func seconds() throws -> Double {
    try processes.map { try cpuSeconds(ofProcess: Int($0.pid)) }.reduce(0, +)
  }
  let (start, before) = (ContinuousClock.now, try seconds())
  pause(for: .seconds(10))
  let share = try (seconds() - before) / ((ContinuousClock.now - start) / .seconds(1))
  return SceneCost(coreShare: share, framesPerSecond: try countFrames(of: scene))
}

/// How many frames of the picture are seen in a second, on a row that the terminal does not reach. It is read every other
/// millisecond.
private func countFrames(of scene: XvfbScene) throws -> Double {
  let row = Rect(x: 340, y: 1000, width: 1240, height: 1)
  let start = ContinuousClock.now
  var count = 0
  var last = try scene.client.screenshot(row)
  var time = start
  while time - start < .seconds(10), !Interrupts.isInterrupted {
    let next = try scene.client.screenshot(row)
    if next.pixels != last.pixels { count += 1 }
    last = next
    pause(for: .milliseconds(2))
    time = .now
  }
  return Double(count) / ((time - start) / .seconds(1))
}
