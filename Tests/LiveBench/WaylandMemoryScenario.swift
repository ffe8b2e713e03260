import TestSupport

extension Scenario {
  /// The memory that a pane of 1920x1080 needs on a compositor.
  static let waylandMemory = Scenario(name: .waylandMemory, cases: [Case(measure: measureMemory)])
}

private func measureMemory(_ candidate: Candidate) throws -> Measurement {
  let screen = try WaylandScreen()
  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.control.sync()
  let before = try daemon.process.memoryUse()
  try daemon.addPane("pane", screen.bounds, hasShadow: false)
  var result = Measurement()
  for (name, change) in [("live", SceneChange.full), ("idle", .none)] {
    try screen.scene.run(change, seconds: 3)
    let use = try daemon.process.memoryUse()
    for (kind, old, new) in [
      ("resident", before.resident, use.resident),
      ("proportional", before.proportional, use.proportional),
    ] {
      result.add("\(kind), \(name)", Double(new) / 1e6, "MB")
      result.add("\(kind), \(name), for the pane", Double(new - old) / 1e6, "MB")
    }
  }
  return result
}
