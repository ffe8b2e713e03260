import Glibc
import Raster
import TestSupport

extension Scenario {
  /// A pane that is moved at 60 Hz over a desktop where nothing else changes.
  static let move = Scenario(name: .move, cases: [Case(measure: measureMove)])
}

/// The number of positions, 10 seconds at 60 Hz.
let moveCount = 600

private func measureMove(_ candidate: Candidate) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  let daemon = try LiveDaemon(candidate, on: screen)
  let rects = positions(of: (width: 800, height: 600), on: screen.bounds)
  try daemon.addPane("pane", rects[moveCount - 1], corner: 24, hasShadow: true)
  let usage = try daemon.usage { try move("pane", along: rects, daemon.control) }

  var result = Measurement()
  result.add("CPU of daemon", usage.daemonSeconds, "s/600")
  result.add("CPU of X server", usage.serverSeconds, "s/600")
  result.add("CPU of both", usage.daemonSeconds + usage.serverSeconds, "s/600")
  // Without the shadow, which is shown too.
  let shownBytes = 4 * usage.frames * rects[0].area
  let share = 100 * Double(usage.bytesRead) / Double(max(1, shownBytes))
  result.add("bytes read, of those shown", share, "%")
  result.add("frames presented", Double(usage.frames), "")
  return result
}

/// Each reply is read half a second later: a daemon that is slow for a moment must not slow down the schedule, and
/// unread replies must not fill the socket, because then the daemon waits for the client.
private func move(_ name: String, along rects: [Rect], _ control: ControlSocket) throws {
  let delay = 30
  try repeatOnSchedule(rects.count, perSecond: 60) { index in
    var request = BenchRequest("set", name)
    request.geometry = rects[index].description
    try control.send(request)
    if index >= delay { try control.reply(to: "set") }
  }
  for _ in rects.suffix(delay) { try control.reply(to: "set") }
  try control.sync()
}

/// Positions of equal distance, about 4 pixels, on an ellipse about the centre of the screen.
func positions(of size: (width: Int, height: Int), on screen: Rect) -> [Rect] {
  let (a, b) = (500.0, 220.0)
  let fine = (0...100_000).map { index in
    let angle = 2 * Double.pi * Double(index) / 100_000
    return (x: a * cos(angle), y: b * sin(angle))
  }
  var lengths = [0.0]
  for (one, next) in zip(fine, fine.dropFirst()) {
    lengths.append(lengths[lengths.count - 1] + hypot(next.x - one.x, next.y - one.y))
  }
  var index = 0
  return (1...moveCount).map { step in
    let wanted = lengths[lengths.count - 1] * Double(step) / Double(moveCount)
    while index + 1 < lengths.count, lengths[index] < wanted { index += 1 }
    return Rect(
      x: screen.width / 2 + Int(fine[index].x.rounded()) - size.width / 2,
      y: screen.height / 2 + Int(fine[index].y.rounded()) - size.height / 2,
      width: size.width, height: size.height)
  }
}
