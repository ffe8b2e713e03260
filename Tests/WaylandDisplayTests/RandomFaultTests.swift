import Engine
import FakeCompositor
import Frost
import Panes
import Raster
import TestDice
import TestSupport
import Testing

@testable import WaylandDisplay

/// After any faults of a compositor, panes are as on a fresh start.
@Suite struct RandomFaultTests {
  private static let pictures = (0..<6).map { seed in
    Scenery.allCases[seed % 3].picture(width: 200, height: 200, seed: UInt64(seed))
  }

  @Test(arguments: faultSeeds(or: 0..<Effort.rounds(50)))
  func panesAreRightAfterAnyFaults(seed: Int) throws {
    var dice = Dice(seed: seed)
    let compositor = try FakeCompositor()
    let faults = RandomFaults(of: compositor, showing: Self.pictures, seed: seed)
    let scene = try FakeScene(compositor)
    scene.reconnects = true
    faults.begin()
    do {
      for number in 0..<dice.roll(1...3) {
        let pane = try Self.pane("pane\(number)", &dice)
        // Its output may be away.
        scene.edit { $0.restore([pane]) }
      }
      let start = scene.now
      for _ in 0..<dice.roll(5...30) {
        try act(on: scene, &dice)
        faults.strike()
        try scene.run(for: .milliseconds(dice.roll(0...60)))
      }
      let seconds = (scene.now - start) / .seconds(1)
      #expect(Double(faults.requestCount) < 1000 + 3000 * seconds, "seed \(seed)")
      try expectRecovery(scene, faults)
    } catch {
      let panes = scene.engine.panes.map { "\($0.name): \($0.layer), sees \($0.sees)" }
      Issue.record("seed \(seed): \(error); \(panes); \(faults.log)")
    }
  }

  /// Ends the faults, and expects panes as on a fresh start, a scene that sleeps, and no objects or memory that are left.
  private func expectRecovery(_ scene: FakeScene, _ faults: RandomFaults) throws {
    faults.end()
    for pane in scene.engine.panes { try scene.edit { try $0.setShown(pane.name, true) } }
    try scene.run(for: .seconds(11))
    try scene.sync()
    let fresh = try scene.fresh()
    if let difference = difference(of: scene, from: fresh) { throw TestFailure(difference) }
    try scene.run(for: OverlaySurface.spareTime + .seconds(1))
    let (requests, iterations) = (faults.requestCount, scene.iterations)
    try scene.run(for: .seconds(30))
    guard faults.requestCount == requests, scene.iterations < iterations + 10 else {
      throw TestFailure(
        "\(faults.requestCount - requests) requests and \(scene.iterations - iterations) iterations"
      )
    }
    try expectSameObjects(scene, fresh)
    // The next change is followed at once.
    for (index, output) in scene.compositor.outputs.enumerated() {
      output.setPicture(Self.pictures[index])
    }
    try scene.run(for: .seconds(1))
    if let difference = difference(of: scene, from: try scene.fresh()) {
      throw TestFailure("after another change \(difference)")
    }
    for pane in scene.engine.panes {
      for scene in [scene, fresh] { try scene.edit { try $0.remove(pane.name) } }
    }
    try scene.run(for: .seconds(1))
    try fresh.run(for: .seconds(1))
    try expectSameObjects(scene, fresh)
    let mapped = try scene.mappedPools()
    if mapped > 0 { throw TestFailure("\(mapped) pools are mapped without panes") }
  }

  /// The first difference from a fresh start; nil if there is none. Below translucent parts of other panes a pixel is known less
  /// exactly, and of wallpaper a change by less than a leak of the smallest share may not be told.
  private func difference(of scene: FakeScene, from fresh: FakeScene) -> String? {
    let layers = Set(scene.engine.panes.map { $0.layer < .normal ? .belowDocks : $0.layer })
    let seesWallpaper = scene.engine.panes.contains { $0.layer < .normal || $0.sees == .wallpaper }
    return layers.count > 1
      ? scene.difference(from: fresh, decibels: 43, levels: 14, around: seesWallpaper ? 31 : 0)
      : scene.difference(from: fresh, decibels: 46, around: seesWallpaper ? 31 : 0)
  }

  private func expectSameObjects(_ scene: FakeScene, _ fresh: FakeScene) throws {
    var (counts, others) = (scene.objectCounts, fresh.objectCounts)
    // An overlay has up to three buffers, an output one for its captures.
    let limit = 3 * (counts["wl_surface"] ?? 0) + (counts["wl_output"] ?? 0)
    let buffers = (counts.removeValue(forKey: "wl_buffer"), others.removeValue(forKey: "wl_buffer"))
    if buffers.0 ?? 0 > limit { throw TestFailure("there are \(buffers.0 ?? 0) buffers") }
    for name in Set(counts.keys).union(others.keys) where counts[name] != others[name] {
      throw TestFailure("\(counts[name] ?? 0) objects \(name), not \(others[name] ?? 0)")
    }
  }

  private func act(on scene: FakeScene, _ dice: inout Dice) throws {
    guard let pane = scene.engine.panes.randomElement(using: &dice) else { return }
    switch dice.roll(0...9) {
    case 0: try scene.edit { try $0.setShown(pane.name, Bool.random(using: &dice)) }
    case 1:
      let settings = try Self.pane(pane.name, &dice).settings
      // A refusal is right.
      scene.edit { try? $0.change(pane.name, PaneChange(settings)) }
    case 2:
      try scene.edit { engine in
        try engine.remove(pane.name)
        engine.restore([pane])
      }
    default: break
    }
  }

  private static func pane(_ name: String, _ dice: inout Dice) throws -> Pane {
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = Double(dice.roll(6...20))
    settings.output = [.primary, .all, .named("one"), .named("two")][dice.roll(0...3)]
    settings.stackingLayer = [.desktop, .belowDocks, .normal, .top][dice.roll(0...3)]
    settings.sees = dice.roll(0...3) == 0 ? .wallpaper : .windows
    settings.geometry = Geometry(
      width: dice.roll(20...150), height: dice.roll(20...100), x: .fromStart(dice.roll(-20...80)),
      y: .fromStart(dice.roll(-20...60)))
    switch dice.roll(0...3) {
    case 0: settings.corner = try Corner(parsing: "8")
    case 1: settings.shadow = .outerView
    default: break
    }
    return try Pane(name, settings)
  }
}

extension FakeScene {
  /// The number of objects of each interface that clients have.
  var objectCounts: [String: Int] {
    compositor.clients.reduce(into: [:]) { counts, client in
      counts.merge(client.counts, uniquingKeysWith: +)
    }
  }

  /// The number of the files of pixels that are mapped or open in this process.
  func mappedPools() throws -> Int {
    let maps = try readText("/proc/self/maps")
    let inodes = maps.split(separator: "\n").filter { $0.contains("memfd:pixels") }
      .compactMap { line in
        line.split(separator: " ", omittingEmptySubsequences: true).dropFirst(4).first
          .flatMap { UInt64($0) }
      }
    return Set(inodes).intersection(compositor.poolInodes).count
  }
}
