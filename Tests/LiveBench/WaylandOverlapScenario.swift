import Raster
import TestSupport

extension Scenario {
  /// Three panes of 400x300 that overlap, and the same panes apart, below which all of the output changes.
  static let waylandOverlap = Scenario(
    name: .waylandOverlap, cases: [Case(measure: measureOverlap)])
}

private func measureOverlap(_ candidate: Candidate) throws -> Measurement {
  let screen = try WaylandScreen()
  let daemon = try LiveDaemon(candidate, on: screen)
  let apart = (0..<3).map { Rect(x: 100 + 600 * $0, y: 300, width: 400, height: 300) }
  let overlapping = (0..<3).map {
    Rect(x: 700 + 100 * $0, y: 300 + 75 * $0, width: 400, height: 300)
  }
  for (index, rect) in apart.enumerated() {
    try daemon.addPane("pane\(index)", rect, hasShadow: false)
  }
  func place(_ rects: [Rect]) throws {
    for (index, rect) in rects.enumerated() {
      var request = BenchRequest("set", "pane\(index)")
      request.geometry = rect.description
      try daemon.control.ask(request)
    }
  }
  let (one, other) = try daemon.compare(
    .full, { try place(apart) }, with: { try place(overlapping) })
  var result = Measurement()
  let perTen = 10 / SceneUsage.seconds
  let costs = [("apart", one.processes), ("overlapping", other.processes)].map { name, usage in
    let cost = (usage.daemonSeconds + usage.serverSeconds) * perTen
    result.add("CPU of daemon, \(name)", usage.daemonSeconds * perTen, "s/10 s")
    result.add("CPU of both, \(name)", cost, "s/10 s")
    result.add("frames presented, \(name)", Double(usage.frames) / SceneUsage.seconds, "1/s")
    return cost
  }
  result.add("CPU of both, overlapping to apart", costs[1] / costs[0], "")
  return result
}
