import Raster
import TestSupport

extension Scenario {
  /// A pane over all of a 3840x2160 screen whose every pixel changes at 60 Hz.
  static let uhd = Scenario(
    name: .uhd,
    cases: [Case { try measureUHD($0, options: []) }]
      + ["1", "2"].map { threads in
        Case(name: "--threads \(threads)") { candidate in
          guard candidate.knows("--threads") else { return Measurement() }
          return try measureUHD(candidate, options: ["--threads", threads])
        }
      })
}

private let seconds = 5.0
/// With two pictures, a daemon that shows every second frame would see the same one each time, and
/// present nothing.
private let pictureCount = 5

private func measureUHD(_ candidate: Candidate, options: [String]) throws -> Measurement {
  let screen = try Screen(width: 3840, height: 2160)
  let window = try screen.makeBackground()
  let pictures = screen.makePictures(pictureCount)
  try screen.client.sync()
  func redraw() throws {
    try repeatOnSchedule(Int(60 * seconds), perSecond: 60) { index in
      window.draw(pictures[index % pictureCount])
      screen.client.flush()
    }
    try screen.client.sync()
  }

  let server = try CPUClock(of: screen.server.process)
  let before = server.seconds()
  try redraw()
  let bare = server.seconds() - before

  let daemon = try LiveDaemon(candidate, on: screen, options: options)
  try daemon.addPane("pane", screen.bounds, hasShadow: false)
  let usage = try daemon.usage(of: redraw)
  var result = Measurement()
  result.add("frames presented", Double(usage.frames) / (usage.wallMilliseconds / 1000), "1/s")
  result.add("CPU of daemon", usage.daemonSeconds / seconds, "cores")
  result.add("CPU of X server, added", (usage.serverSeconds - bare) / seconds, "cores")
  result.add(
    "CPU of both", (usage.daemonSeconds + usage.serverSeconds - bare) / seconds, "cores")
  result.add("CPU of X server without daemon", bare / seconds, "cores")
  result.add(
    "capture to present", usage.frameMilliseconds / Double(max(1, usage.frames)), "ms/frame")
  result.addTimes("change to pane", try latencies(daemon, window))
  return result
}

/// Changes the colour behind the idle pane and looks at its middle.
private func latencies(_ daemon: LiveDaemon<Screen>, _ window: TestWindow) throws -> [Double] {
  let screen = daemon.screen
  let (x, y) = (screen.bounds.width / 2, screen.bounds.height / 2)
  return try (0..<40).map { index in
    try daemon.control.sync()
    sleep(milliseconds: 50)
    let before = try screen.client.screenPixel(x: x, y: y)
    window.fill(screen.bounds, color: index.isMultiple(of: 2) ? 0xFF20_2020 : 0xFFE0_E0E0)
    screen.client.flush()
    return try screen.waitForChange(x: x, y: y, from: before, since: now())
  }
}
