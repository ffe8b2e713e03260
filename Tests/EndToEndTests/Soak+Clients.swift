import Control
import TestDice
import TestSupport
import Testing

/// Other clients of the daemon, most of which break rules.
extension Soak {
  func disturb() throws {
    switch scene.random.roll(0...4) {
    case 0: try disconnectInTheMiddle()
    case 1: try flood()
    case 2: try occupyAllConnections()
    case 3: try sendNoise()
    default: try useCommandLine()
    }
  }

  /// Clients that send a part of a request, or a whole one, and leave before the reply.
  private func disconnectInTheMiddle() throws {
    for _ in 0..<scene.random.roll(1...12) {
      let hasty = try ControlConnection(server)
      let request = someRequest()
      try hasty.send(request, prefix: scene.random.roll(1...request.line.count))
    }
  }

  /// Clients that send many requests at once, and read some of the replies or none.
  private func flood() throws {
    let clients = try (0..<scene.random.roll(1...6)).map { _ in try ControlConnection(server) }
    let line = Array(Request.list.line) + Array(Request.status.line)
    let count = scene.random.roll(10...300)
    for client in clients { client.send(Array(repeatElement(line, count: count).joined())) }
    try askRepeatedly(5)
    for client in clients {
      for _ in 0..<scene.random.roll(0...10) {
        #expect(client.reply() != nil, "\(place): a client that floods")
      }
    }
  }

  /// More clients than the daemon serves: each new one replaces the one that was idle for the longest time.
  private func occupyAllConnections() throws {
    let clients = try (0..<70).map { _ in try ControlConnection(server) }
    for client in clients.suffix(20) {
      #expect(client.ask(#"{"request":"status"}"#) != nil, "\(place): one of many clients")
    }
    connection = try ControlConnection(server)
  }

  private func sendNoise() throws {
    let noisy = try ControlConnection(server)
    for _ in 0..<scene.random.roll(1...5) {
      let count = scene.random.roll(1...20_000)
      noisy.send((0..<count).map { _ in UInt8(truncatingIfNeeded: scene.random.next()) })
    }
  }

  /// Labels are drawn by the command line.
  private func useCommandLine() throws {
    let list = "\(server.runtimeDirectory)/panes.json"
    try writeText(
      ##"[{"name":"p0","geometry":"200x90+20+30","content":[{"label":"Label","font":"Sans 20"}]}]"##,
      to: list)
    let commands = [
      ["list"], ["status"], ["list", "--json"], ["sync"], ["apply", list, "--dry-run"],
      ["apply", list], ["set", "p0", "--label", "text", "--at", "10,10"],
      ["snapshot", "p0", "\(server.runtimeDirectory)/soak.png"],
    ]
    for _ in 0..<scene.random.roll(1...4) {
      let outcome = try scene.daemon.ctl(commands.randomElement(using: &scene.random) ?? [])
      // A pane may not exist, be hidden or be behind a lock screen.
      #expect(
        [0, 64, 69].contains { outcome.status == .exited($0) }, "\(place): \(outcome.err)")
      requestCount += 1
    }
  }
}
