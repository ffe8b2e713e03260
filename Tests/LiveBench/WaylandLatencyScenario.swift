import Raster
import TestSupport

extension Scenario {
  /// The time from a change that is visible on the screen, through the pane, to its glass.
  static let waylandLatency = Scenario(
    name: .waylandLatency,
    cases: [
      Case(name: "box 400x300") { try measureLatency((400, 300), isBox: true, $0) },
      Case(name: "full 400x300") { try measureLatency((400, 300), isBox: false, $0) },
      Case(name: "box 1920x1080") { try measureLatency((1920, 1080), isBox: true, $0) },
      Case(name: "full 1920x1080") { try measureLatency((1920, 1080), isBox: false, $0) },
    ])
}

private let changeCount = 60
/// No multiple of the time of a frame, so that changes come at all times of it.
private let changeInterval = 230_700_000

private func measureLatency(
  _ size: (width: Int, height: Int), isBox: Bool, _ candidate: Candidate
) throws -> Measurement {
  let screen = try WaylandScreen()
  let pane = screen.middle(width: size.width, height: size.height)
  let box = screen.middle(width: SceneClient.boxSide, height: SceneClient.boxSide)
  if isBox { try screen.scene.showOnePicture() }
  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.addPane("pane", pane, hasShadow: false)
  var probe = try ScreenProbe(screen.server, part: box)
  // The first change only makes a first frame.
  var last: Double?
  var times: [Double] = []
  var drawnAt = now()
  for index in 0...changeCount {
    if isBox {
      screen.scene.drawBox(index.isMultiple(of: 2) ? box : .zero)
    } else {
      screen.scene.flip()
    }
    try screen.scene.flush()
    drawnAt += changeInterval
    let frames = try probe.frames(until: drawnAt)
    if let last { times.append(try latency(of: frames, from: last)) }
    last = frames.last?.mean
    try screen.scene.pump(until: now())
  }
  var result = Measurement()
  result.addTimes("change on screen to glass", times)
  return result
}

/// Milliseconds from the first frame with a change to the first one that is nearly as the last. Through a pane less than a
/// tenth of a change is visible, so the first frame is not one with new glass.
private func latency(of frames: [ScreenProbe.Frame], from old: Double) throws -> Double {
  guard let new = frames.last?.mean, abs(new - old) > 5 else {
    throw TestFailure("a change made no other glass: \(frames)")
  }
  let change = abs(new - old)
  guard let first = frames.first(where: { abs($0.mean - old) > change / 50 }),
    let glass = frames.first(where: { abs($0.mean - new) < change / 10 })
  else { throw TestFailure("a change cannot be seen: \(frames)") }
  return Double(glass.time - first.time) / 1e6
}
