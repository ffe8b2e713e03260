import Raster
import TestSupport

extension Scenario {
  /// A small change under, and of, the lowest of many panes that lie on each other.
  static let stack = Scenario(
    name: .stack,
    cases: [50, 200].map { count in
      Case(name: "\(count) panes") { try measureStack(count, $0) }
    })
}

private let repetitions = 20

/// Panes in rows of 20, each 3 pixels to the right of the one before and each row 3 pixels below the one
/// before. So every pane's decoration lies over the decoration of nearly every other pane.
private func stackedRects(_ count: Int) -> [Rect] {
  (0..<count).map {
    Rect(x: 60 + 3 * ($0 % 20), y: 60 + 3 * ($0 / 20), width: 600, height: 400)
  }
}

private func measureStack(_ count: Int, _ candidate: Candidate) throws -> Measurement {
  let screen = try Screen(width: 1280, height: 800)
  let window = try screen.makeBackground()
  try screen.client.sync()
  let daemon = try LiveDaemon(candidate, on: screen)
  let rects = stackedRects(count)
  for (index, rect) in rects.enumerated() {
    try daemon.addPane("pane\(index)", rect, corner: 20, hasShadow: true)
  }
  let spot = Rect(x: rects[0].x, y: rects[0].y, width: 8, height: 8)
  let scene = StackScene(daemon: daemon, window: window, spot: spot)
  var result = Measurement()
  result.addTimes("change to reply of sync", try scene.timesToSync())
  result.addTimes("change to screen", try scene.timesToScreen())
  result.addTimes("tint of the lowest to reply of sync", try scene.timesToTint())
  return result
}

/// `spot` is what changes. The round corner of the lowest pane leaves its first pixels free, so that the
/// topmost window whose shadow reaches them must show the change.
private struct StackScene {
  let daemon: LiveDaemon<Screen>
  let window: TestWindow
  let spot: Rect

  func timesToSync() throws -> [Double] {
    try (0..<repetitions).map { index in
      let start = try change(to: index)
      try daemon.control.sync()
      return millisecondsSince(start)
    }
  }

  func timesToScreen() throws -> [Double] {
    try (0..<repetitions).map { index in
      let (x, y) = (spot.x + 1, spot.y + 1)
      let before = try daemon.screen.client.screenPixel(x: x, y: y)
      let start = try change(to: index)
      let time = try daemon.screen.waitForChange(x: x, y: y, from: before, since: start)
      try daemon.control.sync()
      return time
    }
  }

  func timesToTint() throws -> [Double] {
    try (0..<repetitions).map { index in
      var request = BenchRequest("set", "pane0")
      request.tint = index.isMultiple(of: 2) ? "#C0206080" : "#20C06080"
      sleep(milliseconds: 30)
      let start = now()
      try daemon.control.ask(request)
      try daemon.control.sync()
      return millisecondsSince(start)
    }
  }

  /// Returns the time of the change. It has reached the window by then, so that the daemon's next round
  /// trip comes after it.
  private func change(to index: Int) throws -> Int {
    // The limit of frames a second must not delay the next frame.
    sleep(milliseconds: 30)
    window.fill(spot, color: index.isMultiple(of: 2) ? 0xFFFF_FFFF : 0xFF00_0000)
    daemon.screen.client.flush()
    let start = now()
    try daemon.screen.client.sync()
    return start
  }
}
