import Raster
import TestSupport

extension Scenario {
  /// A drawer of 1920x540 that opens and closes over a desktop where nothing else changes.
  static let drawer = Scenario(
    name: .drawer,
    cases: [
      Case(name: "sharp") { try measureDrawer($0, corner: nil, shadow: nil) },
      Case(name: "corners and shadow") {
        try measureDrawer($0, corner: "24", shadow: "outer-view")
      },
    ])
}

private let travelCount = 20

private func measureDrawer(
  _ candidate: Candidate, corner: String?, shadow: String?
) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  let daemon = try LiveDaemon(candidate, on: screen)
  var add = BenchRequest("add", "drawer")
  (add.size, add.edge, add.peek) = ("100%x540", "top", 50)
  add.corner = corner ?? add.corner
  add.shadow = shadow ?? add.shadow
  try daemon.control.ask(add)
  try daemon.control.sync()

  let usage = try daemon.usage {
    for _ in 0..<travelCount {
      var toggle = BenchRequest("drawer", "drawer")
      toggle.action = "toggle"
      try daemon.control.ask(toggle)
      // Longer than the fall with its bounces.
      sleep(milliseconds: 1000)
    }
  }
  var result = Measurement()
  let frames = Double(usage.frames)
  result.add("frames", frames / Double(travelCount), "1/travel")
  result.add("CPU of daemon", usage.daemonSeconds / frames * 1000, "ms/frame")
  result.add("CPU of X server", usage.serverSeconds / frames * 1000, "ms/frame")
  return result
}
