import Raster
import TestSupport

extension Scenario {
  /// A window of 800x600 that is dragged at 60 Hz behind a pane over all of a 1920x1080 screen.
  static let drag = Scenario(name: .drag, cases: [Case(measure: measureDrag)])
}

private func measureDrag(_ candidate: Candidate) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  let places = positions(of: (width: 800, height: 600), on: screen.bounds)
  let window = try screen.client.makeWindow(
    places[moveCount - 1], picture: .detailed(width: 800, height: 600, seed: 77))
  try screen.client.sync()
  func drag() throws {
    try repeatOnSchedule(moveCount, perSecond: 60) { index in
      window.move(x: places[index].x, y: places[index].y)
      screen.client.flush()
    }
    try screen.client.sync()
  }

  let clock = try CPUClock(of: screen.server.process)
  let start = clock.seconds()
  try drag()
  let bare = clock.seconds() - start

  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.addPane("pane", screen.bounds, hasShadow: false)
  let usage = try daemon.usage(of: drag)
  var result = Measurement()
  result.add("frames presented", Double(usage.frames), "")
  result.add("CPU of daemon", usage.daemonSeconds, "s/600")
  result.add("CPU of X server, added", usage.serverSeconds - bare, "s/600")
  result.add("CPU of both", usage.daemonSeconds + usage.serverSeconds - bare, "s/600")
  result.add("bytes read", Double(usage.bytesRead) / Double(max(1, usage.frames)) / 1e6, "MB/frame")
  return result
}
