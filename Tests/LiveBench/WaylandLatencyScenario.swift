import Raster
import TestSupport

extension Scenario {
  /// The time from a change that is visible on the screen, through the pane, to its glass.
  ///
  /// The compositor says when it has drawn a commit, to the client below the pane and to the daemon. That disturbs nothing.
  /// Another client that captures the screen makes a compositor draw it for its requests, at other times: the last cases have
  /// one, and the times of its pictures.
  static let waylandLatency = Scenario(
    name: .waylandLatency,
    cases: [
      Case(name: "box 400x300") { try measureLatency((400, 300), isBox: true, $0) },
      Case(name: "full 400x300") { try measureLatency((400, 300), isBox: false, $0) },
      Case(name: "box 1920x1080") { try measureLatency((1920, 1080), isBox: true, $0) },
      Case(name: "full 1920x1080") { try measureLatency((1920, 1080), isBox: false, $0) },
      Case(name: "captured full 400x300") { try measureCaptured((400, 300), $0) },
      Case(name: "captured full 1920x1080") { try measureCaptured((1920, 1080), $0) },
    ])
}

private let changeCount = 60
/// No multiple of the time of a frame, so that changes come at all times of it.
private let changeInterval = 230_700_000
/// A picture at the end of the interval takes less.
private let pictureTime = 60_000_000
private let figureName = "change on screen to glass"

private func measureLatency(
  _ size: (width: Int, height: Int), isBox: Bool, _ candidate: Candidate
) throws -> Measurement {
  let screen = try WaylandScreen()
  let box = screen.middle(width: SceneClient.boxSide, height: SceneClient.boxSide)
  if isBox { try screen.scene.showOnePicture() }
  let daemon = try LiveDaemon(
    candidate, on: screen, environment: ["WAYLAND_DEBUG": "client"])
  daemon.expectErrors()
  try daemon.addPane(
    "pane", screen.middle(width: size.width, height: size.height), hasShadow: false)
  var probe = try ScreenProbe(screen.server, part: box)
  var last: Double?
  var (shown, seen): ([UInt32], [UInt32]) = ([], [])
  var drawnAt = now()
  for index in 0...changeCount {
    let answered = CallbackLog(daemon.process.err).answers.count
    if isBox {
      screen.scene.drawBox(index.isMultiple(of: 2) ? box : .zero)
    } else {
      screen.scene.flip()
    }
    drawnAt += changeInterval
    try screen.scene.pump(throughout: drawnAt - pictureTime)
    let mean = try probe.currentMean()
    try screen.scene.pump(throughout: drawnAt)
    let answers = CallbackLog(daemon.process.err).answers
    guard let glass = answers.last, answers.count > answered,
      last.map({ abs(mean - $0) > 5 }) ?? true
    else { throw TestFailure("a change made no other glass") }
    // The first change only makes a first frame.
    if last != nil {
      shown.append(screen.scene.drawnTime)
      seen.append(glass)
    }
    last = mean
  }
  var result = Measurement()
  result.addTimes(figureName, zip(shown, seen).map { Double($1 &- $0) / 1000 })
  return result
}

private func measureCaptured(
  _ size: (width: Int, height: Int), _ candidate: Candidate
) throws -> Measurement {
  let screen = try WaylandScreen()
  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.addPane(
    "pane", screen.middle(width: size.width, height: size.height), hasShadow: false)
  let part = screen.middle(width: SceneClient.boxSide, height: SceneClient.boxSide)
  var probe = try ScreenProbe(screen.server, part: part)
  // The first change only makes a first frame.
  var last: Double?
  var times: [Double] = []
  var drawnAt = now()
  for _ in 0...changeCount {
    screen.scene.flip()
    try screen.scene.flush()
    drawnAt += changeInterval
    let frames = try probe.frames(until: drawnAt)
    if let last { times.append(try latency(of: frames, from: last)) }
    last = frames.last?.mean
    try screen.scene.pump(until: now())
  }
  var result = Measurement()
  result.addTimes(figureName, times)
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
