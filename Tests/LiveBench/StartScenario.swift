import Raster
import TestSupport

extension Scenario {
  /// The start of the daemon, and the memory that it needs.
  static let start = Scenario(name: .start, cases: [Case(measure: measureStart)])
}

private func measureStart(_ candidate: Candidate) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  var times: [Double] = []
  var kilobytes: [Double] = []
  for _ in 0..<20 {
    let start = now()
    let daemon = try LiveDaemon(candidate, on: screen)
    try daemon.addPane("pane", Rect(x: 100, y: 100, width: 400, height: 300), hasShadow: false)
    times.append(millisecondsSince(start))
    kilobytes.append(Double(try daemon.privateKilobytes()))
  }
  var result = Measurement()
  result.addTimes("exec to first pane", times)
  result.add("resident memory, not shared", kilobytes.median / 1024, "MiB")
  return result
}
