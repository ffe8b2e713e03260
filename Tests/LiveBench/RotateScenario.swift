import Raster
import TestSupport

extension Scenario {
  /// A pane on a screen that rotates to and fro, with its glass in the cache of backdrops and without.
  static let rotate = Scenario(
    name: .rotate,
    cases: [
      Case(name: "cached") { try measureRotate($0, []) },
      Case(name: "not cached") { try measureRotate($0, ["--cache-bytes", "0"]) },
    ])
}

private let rotationCount = 40

private func measureRotate(_ candidate: Candidate, _ options: [String]) throws -> Measurement {
  let host = try XServer(width: 1920, height: 1920)
  let screen = try Screen(on: XServer(.nested(in: host), width: 1920, height: 1080))
  try screen.showStillDesktop()
  let daemon = try LiveDaemon(candidate, on: screen, options: ["--rotation-fade", "0"] + options)
  try daemon.addPane("pane", at: "800x600-0-0", hasShadow: true)
  var tint = BenchRequest("set", "pane")
  tint.tint = "#C02060C0"
  try daemon.control.ask(tint)
  try daemon.control.sync()

  let wide = try Eye(on: screen.server, x: 1520, y: 780)
  try rotate(screen.server, "left").finish()
  try daemon.control.sync()
  let tall = try Eye(on: screen.server, x: 680, y: 1620)
  var times: [Double] = []
  let usage = try daemon.usage {
    for round in 0..<rotationCount {
      let (orientation, eye) = round.isMultiple(of: 2) ? ("normal", wide) : ("left", tall)
      times.append(try eye.timeToPane(rotate(screen.server, orientation)))
      try daemon.control.sync()
      // Longer than a frame: the limit of frames a second must not delay the next one.
      sleep(milliseconds: 30)
    }
  }
  var result = Measurement()
  result.addTimes("rotation to pane", times)
  result.add("frames presented", Double(usage.frames) / Double(rotationCount), "1/rotation")
  result.add("CPU of daemon", usage.daemonSeconds / Double(rotationCount) * 1000, "ms/rotation")
  return result
}

private func rotate(_ server: XServer, _ orientation: String) throws -> Child {
  try server.start("xrandr", ["-o", orientation])
}

extension Child {
  fileprivate func finish() throws {
    guard wait(for: .seconds(10)) == .exited(0) else { throw TestFailure("\(name): \(err)") }
  }
}

/// A pixel of a pane that is on the screen in one orientation only.
private struct Eye {
  let client: TestClient
  let x, y: Int
  let color: UInt32

  /// The pane must be on the screen.
  init(on server: XServer, x: Int, y: Int) throws {
    client = try TestClient(server)
    (self.x, self.y) = (x, y)
    color = try client.screenPixel(x: x, y: y)
  }

  /// Milliseconds from when the pixel is on the screen until it shows the pane.
  func timeToPane(_ rotation: Child) throws -> Double {
    let begin = now()
    while (try? client.screenPixel(x: x, y: y)) == nil {
      if millisecondsSince(begin) > 5000 { throw TestFailure("the screen did not rotate in 5 s") }
      sleep(milliseconds: 0.1)
    }
    let start = now()
    while try client.screenPixel(x: x, y: y) != color {
      if millisecondsSince(start) > 5000 { throw TestFailure("the pane did not follow in 5 s") }
      sleep(milliseconds: 0.1)
    }
    let time = millisecondsSince(start)
    try rotation.finish()
    return time
  }
}
