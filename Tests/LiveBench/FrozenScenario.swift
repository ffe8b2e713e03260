import Glibc
import Raster
import TestSupport

extension Scenario {
  /// Requests while the X server does not run at all.
  static let frozen = Scenario(
    name: .frozen,
    cases: [
      Case(name: "one connection") { try measureFrozen($0, isFresh: false) },
      Case(name: "fresh connections") { try measureFrozen($0, isFresh: true) },
    ])
}

private let rounds = 30
private let replyLimit = 2000.0

private func measureFrozen(_ candidate: Candidate, isFresh: Bool) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.addPane("still", Rect(x: 100, y: 100, width: 400, height: 300), hasShadow: true)
  var trial = FrozenTrial(daemon: daemon, isFresh: isFresh)
  try trial.run()
  return trial.result
}

private struct FrozenTrial {
  let daemon: LiveDaemon<Screen>
  /// Whether each request has a connection of its own.
  let isFresh: Bool
  private var connection: ControlSocket?
  /// By the name of the step. A request without a reply counts as the limit.
  private var milliseconds: [String: [Double]] = [:]
  /// Steps without a reply, in this order. Each is left out from then on: to wait for it 30 times would
  /// only take time.
  private var silent: [String] = []
  private var recoveries: [Double] = []

  init(daemon: LiveDaemon<Screen>, isFresh: Bool) {
    self.daemon = daemon
    self.isFresh = isFresh
  }

  mutating func run() throws {
    freeze()
    for round in 0..<rounds {
      for (name, request) in steps(round) where !silent.contains(name) {
        // Longer than a frame, so that the daemon comes to what a request has made due.
        sleep(milliseconds: 25)
        let time = try timeToReply(request)
        milliseconds[name, default: []].append(time ?? replyLimit)
        if time != nil { continue }
        silent.append(name)
        // A daemon that waits for the server replies to nothing else either.
        try thaw()
        freeze()
      }
    }
    try thaw()
  }

  /// Nil if there is no reply within the limit. A fresh connection is part of the time.
  private mutating func timeToReply(_ request: BenchRequest) throws -> Double? {
    let start = now()
    if isFresh || connection == nil { connection = try daemon.connect() }
    try connection?.send(request)
    guard let line = try connection?.nextLine(withinMilliseconds: replyLimit) else {
      // Its reply may come later, and must not be taken for that of another request.
      connection = nil
      return nil
    }
    let time = millisecondsSince(start)
    if String(decoding: line, as: UTF8.self).contains("failure") {
      throw TestFailure("\(request.request): \(String(decoding: line, as: UTF8.self))")
    }
    return time
  }

  private func freeze() {
    daemon.screen.server.process.send(SIGSTOP)
    sleep(milliseconds: 50)
  }

  /// Lets the server run, and checks that the daemon does all that was asked.
  private mutating func thaw() throws {
    daemon.screen.server.process.send(SIGCONT)
    let start = now()
    try daemon.connect().sync()
    recoveries.append(millisecondsSince(start))
  }

  private func steps(_ round: Int) -> [(String, BenchRequest)] {
    let isEven = round.isMultiple(of: 2)
    var add = BenchRequest("add", "pane\(round)")
    add.geometry = "400x300+300+200"
    add.shadow = "outer-view"
    var tone = BenchRequest("set", "still")
    tone.tint = isEven ? "#C0206080" : "#20C06080"
    var geometry = BenchRequest("set", "still")
    geometry.geometry = isEven ? "500x300+420+260" : "400x300+100+100"
    let pane = [
      ("set tone", tone), ("set geometry", geometry), ("hide", BenchRequest("hide", "still")),
      ("show", BenchRequest("show", "still")),
    ]
    let all =
      [("list", BenchRequest("list")), ("status", BenchRequest("status")), ("add", add)] + pane
    // A pane that was not added cannot be removed.
    return silent.contains("add") ? all : all + [("remove", BenchRequest("remove", "pane\(round)"))]
  }

  var result: Measurement {
    var result = Measurement()
    let all = milliseconds.values.flatMap { $0 }
    let answered = Double(all.count - silent.count)
    result.add("requests with a reply", 100 * answered / Double(rounds * 8), "% of 240")
    result.add("all, median", all.median, "ms")
    result.add("all, p99", all.percentile(99), "ms")
    result.add("all, worst", all.max() ?? 0, "ms")
    for (name, times) in milliseconds.sorted(by: { $0.key < $1.key }) {
      guard let worst = times.max() else { continue }
      result.add("\(name), p99", times.percentile(99), "ms")
      result.add("\(name), worst", worst, "ms")
    }
    result.add("sync after SIGCONT, worst", recoveries.max() ?? 0, "ms")
    if !silent.isEmpty {
      result.failures.append(
        "no reply in \(Int(replyLimit)) ms, and left out from then on: "
          + silent.joined(separator: ", "))
    }
    return result
  }
}
