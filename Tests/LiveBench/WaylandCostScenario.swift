import Raster
import TestSupport

extension Scenario {
  /// Changes below one pane on a compositor. The costs are those above the compositor's without the pane, for ten
  /// seconds.
  static let waylandCost = Scenario(
    name: .waylandCost,
    cases: [
      Case(name: "idle 400x300") { try measureCost((400, 300), $0) { _ in .none } },
      Case(name: "idle 1920x1080") { try measureCost((1920, 1080), $0) { _ in .none } },
      Case(name: "box 400x300") { try measureCost((400, 300), $0) { .box(in: $0) } },
      Case(name: "box 1920x1080") { try measureCost((1920, 1080), $0) { .box(in: $0) } },
      Case(name: "full 400x300") { try measureCost((400, 300), $0) { _ in .full } },
      Case(name: "full 1920x1080") { try measureCost((1920, 1080), $0) { _ in .full } },
      Case(name: "elsewhere 400x300") {
        try measureCost((400, 300), $0) { _ in .box(in: cornerRect) }
      },
      Case(name: "wallpaper idle 1920x1080") { try measureWallpaperCost(.none, $0) },
      Case(name: "wallpaper below a box 1920x1080") {
        try measureWallpaperCost(.box(in: Rect(x: 200, y: 150, width: 400, height: 300)), $0)
      },
      Case(name: "wallpaper below a full window 1920x1080") {
        try measureWallpaperCost(.full, $0)
      },
    ])
}

/// Away from a pane in the middle and from what its blur reads.
private let cornerRect = Rect(x: 50, y: 50, width: 400, height: 300)
/// Parts with and without panes take turns, so that both have the same minutes of the machine.
private let partCount = 2
private let partSeconds = 5.0
/// Long enough for what a pane does when it is shown, and for what the daemon does once when nothing changes any more.
private let warmUpSeconds = 2.5
private let traceSeconds = 3.0

/// The cost of one way to show panes, in all its parts together.
struct SceneUsage {
  var processes = Usage()
  /// The wake-ups of the daemon.
  var wakeUps = 0
  /// The changes that the scene has drawn.
  var changes = 0

  /// The time of all parts.
  static let seconds = Double(partCount) * partSeconds
}

extension LiveDaemon<WaylandScreen> {
  /// Uses two ways to show panes in turn, with the same changes.
  func compare(
    _ change: SceneChange, _ first: () throws -> Void, with second: () throws -> Void
  ) throws -> (SceneUsage, SceneUsage) {
    var (one, other) = (SceneUsage(), SceneUsage())
    for _ in 0..<partCount {
      try first()
      try addPart(of: change, to: &one)
      try second()
      try addPart(of: change, to: &other)
    }
    return (one, other)
  }

  private func addPart(of change: SceneChange, to usage: inout SceneUsage) throws {
    try control.sync()
    try screen.scene.run(change, seconds: warmUpSeconds)
    let drawn = screen.scene.commitCount
    usage.processes += try self.usage {
      // The daemon must sleep again after the request for its status.
      sleep(milliseconds: 50)
      let before = try process.usage().sleepCount
      try screen.scene.run(change, seconds: partSeconds)
      usage.wakeUps += try process.usage().sleepCount - before
    }
    usage.changes += screen.scene.commitCount - drawn
  }

  /// The number of commits with pixels, and without, that the daemon makes while a scene changes. Its log must have the
  /// messages of libwayland.
  func loggedCommits(_ change: SceneChange, seconds: Double) throws -> (drawn: Int, other: Int) {
    let before = process.err.utf8.count
    try screen.scene.run(change, seconds: seconds)
    let lines = process.err.utf8.dropFirst(before).split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }.filter { $0.contains(" -> wl_surface@") }
    let drawn = lines.count { $0.contains(".attach(") }
    return (drawn, lines.count { $0.contains(".commit(") } - drawn)
  }
}

private func measureCost(
  _ size: (width: Int, height: Int), _ candidate: Candidate,
  _ change: (_ pane: Rect) -> SceneChange
) throws -> Measurement {
  let screen = try WaylandScreen()
  let pane = screen.middle(width: size.width, height: size.height)
  return try measureCost(of: BenchRequest(addingPaneAt: pane), change(pane), on: screen, candidate)
}

/// Behind a pane of the size of the output, below a window that changes, is the wallpaper.
private func measureWallpaperCost(
  _ change: SceneChange, _ candidate: Candidate
) throws -> Measurement {
  let screen = try WaylandScreen.withWindow()
  var request = BenchRequest(addingPaneAt: screen.bounds)
  (request.layer, request.sees) = ("desktop", "wallpaper")
  return try measureCost(of: request, change, on: screen, candidate)
}

private func measureCost(
  of request: BenchRequest, _ change: SceneChange, on screen: WaylandScreen,
  _ candidate: Candidate
) throws -> Measurement {
  if case .full = change {} else { try screen.scene.showOnePicture() }
  var result = Measurement()
  do {
    let daemon = try LiveDaemon(candidate, on: screen)
    try daemon.control.ask(request)
    try daemon.control.sync()
    let (floor, own) = try daemon.compare(
      change, { try daemon.control.ask(BenchRequest("hide", "pane")) },
      with: { try daemon.control.ask(BenchRequest("show", "pane")) })
    result.addCosts(own, above: floor)
  }
  let daemon = try LiveDaemon(
    candidate, on: screen, environment: ["WAYLAND_DEBUG": "client"])
  daemon.expectErrors()
  try daemon.control.ask(request)
  try daemon.control.sync()
  try screen.scene.run(change, seconds: warmUpSeconds)
  let commits = try daemon.loggedCommits(change, seconds: traceSeconds)
  result.add("commits with pixels", Double(commits.drawn) / traceSeconds, "1/s")
  result.add("other commits", Double(commits.other) / traceSeconds, "1/s")
  return result
}

extension BenchRequest {
  /// Adds the pane that is measured.
  fileprivate init(addingPaneAt rect: Rect) {
    self.init("add", "pane")
    geometry = rect.description
    sigma = 20
  }
}

extension Measurement {
  fileprivate mutating func addCosts(_ own: SceneUsage, above floor: SceneUsage) {
    let perTen = 10 / SceneUsage.seconds
    let (used, bare) = (own.processes, floor.processes)
    let added = used.serverSeconds - bare.serverSeconds
    add("CPU of daemon", used.daemonSeconds * perTen, "s/10 s")
    add("CPU of compositor, added", added * perTen, "s/10 s")
    add("CPU of both", (used.daemonSeconds + added) * perTen, "s/10 s")
    add("CPU of compositor without pane", bare.serverSeconds * perTen, "s/10 s")
    add("frames presented", Double(used.frames) / SceneUsage.seconds, "1/s")
    add("changes drawn by the scene", Double(own.changes) / SceneUsage.seconds, "1/s")
    add("wake-ups of daemon", Double(own.wakeUps) * perTen, "1/10 s")
    add("bytes written", Double(used.bytesWritten) * perTen / 1e6, "MB/10 s")
  }
}
