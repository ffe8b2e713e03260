import Raster
import TestSupport

extension Scenario {
  /// A pane that is hidden and shown over a desktop where nothing changes.
  static let show = Scenario(name: .show, cases: [Case(measure: measureShow)])
}

private let showCount = 50

private func measureShow(_ candidate: Candidate) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  let daemon = try LiveDaemon(candidate, on: screen)
  let rect = Rect(x: 560, y: 240, width: 800, height: 600)
  try daemon.addPane("pane", rect, corner: 24, hasShadow: true)
  // The pane must not look like the desktop at the pixel that is watched.
  var tint = BenchRequest("set", "pane")
  tint.tint = "#C02060C0"
  try daemon.control.ask(tint)
  try daemon.control.sync()

  var times: [Double] = []
  let usage = try daemon.usage {
    for _ in 0..<showCount { times.append(try timeToShow(daemon, rect)) }
  }
  var result = Measurement()
  result.addTimes("show to screen", times)
  result.add("bytes read", Double(usage.bytesRead) / Double(showCount) / 1000, "kB/show")
  result.add("frames presented", Double(usage.frames) / Double(showCount), "1/show")
  let cpu = (usage.daemonSeconds + usage.serverSeconds) / Double(showCount)
  result.add("CPU of both", cpu * 1000, "ms/show")
  return result
}

/// Hides the pane, and returns the milliseconds from the request that shows it to its pixels.
private func timeToShow(_ daemon: LiveDaemon<Screen>, _ rect: Rect) throws -> Double {
  let (x, y) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
  let shown = try daemon.screen.client.screenPixel(x: x, y: y)
  try daemon.control.ask(BenchRequest("hide", "pane"))
  try daemon.control.sync()
  // Longer than a frame: the limit of frames a second must not delay the next one.
  sleep(milliseconds: 30)
  let hidden = try daemon.screen.client.screenPixel(x: x, y: y)
  guard hidden != shown else { throw TestFailure("a hidden pane stays on the screen") }
  let start = now()
  try daemon.control.send(BenchRequest("show", "pane"))
  let time = try daemon.screen.waitForChange(x: x, y: y, from: hidden, since: start)
  try daemon.control.reply(to: "show")
  try daemon.control.sync()
  return time
}
