import Panes
import Raster
import TestDice
import Testing

@testable import X11Display

/// A server whose monitors change while they are searched.
@Suite struct MonitorSearchTests {
  @Test(arguments: 0..<200)
  func searchAgreesWithTheServerInTheEnd(seed: Int) {
    var dice = Dice(seed: seed)
    var server = MonitorServer()
    var search = MonitorSearch(isPossible: true)
    var hasChanged = false
    interleave(search.start(), using: &dice) { dice in
      server.change(&dice)
      hasChanged = true
      return search.start()
    } reply: { request in
      server.reply(to: request)
    } apply: { reply in
      let (hasEnded, next) = search.apply(reply)
      if hasEnded, !search.isSearching { hasChanged = false }
      return next
    }
    #expect(!search.isSearching && !hasChanged, "\(dice)")
    #expect(search.monitors == server.monitors, "\(dice)")
    #expect(search.inactiveNames == server.inactiveNames, "\(dice)")
  }

  @Test func nothingIsAskedWithoutTheExtension() {
    var search = MonitorSearch(isPossible: false)
    #expect(search.start() == [] && !search.isSearching && search.monitors == [])
  }

  /// Xvfb has a monitor, and a mode without a transform.
  @Test func recordedSearch() {
    var search = MonitorSearch(isPossible: true)
    #expect(search.start() == [.monitors, .resources])
    #expect(search.start() == [], "it is repeated at the end")
    let bounds = Rect(x: 0, y: 0, width: 800, height: 600)
    let monitor = MonitorReply(name: 70, isPrimary: true, bounds: bounds, outputs: [65])
    #expect(search.apply(.monitors([monitor])).requests == [])
    let (isEarly, details) = search.apply(.resources(outputs: [65], crtcs: [63]))
    #expect(!isEarly && details == [.name(70), .output(65), .crtc(63), .transform(63)])
    _ = search.apply(.name(70, "screen"))
    _ = search.apply(.output(65, OutputReply(name: "screen", crtc: 63)))
    _ = search.apply(.crtc(63, .normal))
    let (hasEnded, again) = search.apply(.transform(63, 1))
    #expect(hasEnded && again == [.monitors, .resources])
    #expect(search.monitors.map(\.name) == ["screen"] && search.monitors.map(\.bounds) == [bounds])
  }
}

/// Monitors that the server has now.
private struct MonitorServer {
  private var outputs: [UInt32: OutputReply] = [:]
  private var crtcs: [UInt32: (orientation: Orientation, scale: Double)] = [:]
  private var replies: [MonitorReply] = []

  mutating func change(_ dice: inout Dice) {
    (outputs, crtcs, replies) = ([:], [:], [])
    for i in 0..<UInt32(dice.roll(0...3)) {
      let isShown = dice.roll(0...3) > 0
      outputs[100 + i] = OutputReply(name: "output\(i)", crtc: isShown ? 200 + i : nil)
      if !isShown { continue }
      crtcs[200 + i] = (
        Orientation(quarterTurns: dice.roll(0...3), isReflected: false), Double(dice.roll(1...2))
      )
      replies.append(
        MonitorReply(
          name: 300 + i, isPrimary: i == 0,
          bounds: Rect(x: Int(i) * 100, y: 0, width: dice.roll(1...100), height: 100),
          outputs: [100 + i]))
    }
  }

  func reply(to request: RandRRequest) -> RandRReply {
    switch request {
    case .monitors: .monitors(replies)
    case .resources: .resources(outputs: outputs.keys.sorted(), crtcs: crtcs.keys.sorted())
    case .output(let id): .output(id, outputs[id])
    case .crtc(let id): .crtc(id, crtcs[id]?.orientation)
    case .transform(let id): .transform(id, crtcs[id]?.scale)
    case .name(let atom): .name(atom, "output\(atom - 300)")
    }
  }

  var monitors: [Monitor] {
    replies.map { reply in
      let crtc = outputs[reply.outputs[0]]?.crtc.flatMap { crtcs[$0] }
      return Monitor(
        name: "output\(reply.name - 300)", bounds: reply.bounds, isPrimary: reply.isPrimary,
        orientation: crtc?.orientation ?? .normal, scale: crtc?.scale ?? 1)
    }
  }

  var inactiveNames: [String] {
    outputs.keys.sorted().compactMap { outputs[$0] }.filter { $0.crtc == nil }.map(\.name)
  }
}
