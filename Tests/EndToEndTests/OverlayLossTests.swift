import Glibc
import Raster
import TestSupport
import Testing

/// Other clients destroy, unmap, move, resize, reparent and lower the windows of panes.
@Suite(.serialized, .waiting) struct OverlayLossTests {
  /// An action of another client on a window of a pane.
  enum Attack: CaseIterable {
    case destroy, unmap, move, resize, reparent

    /// The verb in the log.
    var verb: String {
      switch self {
      case .move: "moved"
      case .resize: "resized"
      case .destroy, .unmap, .reparent: "unmapped or destroyed"
      }
    }
  }

  private let scene: CaptureScene

  init() throws {
    scene = try CaptureScene(seed: 71, width: 400, height: 300)
    for _ in 0..<5 { try scene.makeWindow() }
    for (name, geometry) in [
      ("lower", "150x110+40+30"), ("middle", "150x110+100+70"), ("upper", "150x110+160+110"),
    ] {
      let look = ["--corner", "20", "--shadow", "outer-view", "--sigma", "6"]
      try scene.daemon.ask(["add", name, "--plain", "--geometry", geometry] + look)
    }
    try scene.client.sync()
    try scene.daemon.sync()
  }

  @Test(arguments: Attack.allCases)
  func lostWindowIsMadeAgain(attack: Attack) throws {
    let before = try scene.client.screenshot()
    let frame = try scene.client.makeWindow(
      Rect(x: 390, y: 290, width: 5, height: 5), color: 0xFF00_0000, mapped: false)
    for round in 1...4 {
      try perform(attack, on: "middle", frame: frame)
      try scene.daemon.sync()
      let difference = try scene.client.screenshot().difference(from: before)
      #expect(difference == nil, "round \(round)")
      #expect(try scene.daemon.ask("list").contains("middle"))
    }
    // Once a minute for each pane.
    let lines = scene.daemon.logLines.filter { $0.text.contains("another client") }
    let text =
      "backdropd: another client \(attack.verb) the window of pane 'middle'; it is made again"
    #expect(lines.map(\.text) == [text] && lines.first?.level == 4)
  }

  /// The daemon has windows that show nothing: the owner of its selection, and windows with the wallpaper.
  @Test func helperWindowsAreMadeAgain() throws {
    let picture = Bitmap.noise(width: 400, height: 300, seed: 9)
    for round in 1...3 {
      let base = try overlay("middle").id & ~0x1F_FFFF
      for window in try scene.server.topLevelWindows()
      where window.id & ~0x1F_FFFF == base && !window.text.contains("backdropd lower")
        && !window.text.contains("backdropd middle") && !window.text.contains("backdropd upper")
      {
        scene.client.foreignWindow(window.id).destroy()
      }
      try scene.client.sync()
      try scene.daemon.sync()
      scene.client.setWallpaper(round % 2 == 0 ? .noise(width: 400, height: 300, seed: 8) : picture)
      try scene.client.sync()
      try scene.daemon.sync()
      let shown = try scene.client.screenshot()
      for name in ["lower", "middle", "upper"] { try scene.daemon.ask("hide", name) }
      for name in ["lower", "middle", "upper"] { try scene.daemon.ask("show", name) }
      try scene.daemon.sync()
      #expect(try scene.client.screenshot().difference(from: shown) == nil, "round \(round)")
      // It still is the only daemon.
      let second = try scene.server.run(ProgramPaths.backdropd)
      #expect(second.status == .exited(69))
    }
  }

  @Test func loweredWindowIsRaisedAgain() throws {
    let before = try scene.client.screenshot()
    for name in ["upper", "lower", "middle"] {
      try overlay(name).lower()
      try scene.client.sync()
      try scene.daemon.sync()
      #expect(try scene.client.screenshot().difference(from: before) == nil)
    }
    #expect(!scene.daemon.log.contains("another client"))
  }

  @Test func hiddenPaneStaysHiddenAfterALoss() throws {
    try scene.daemon.ask("hide", "middle")
    try scene.daemon.sync()
    let hidden = try scene.client.screenshot()
    try scene.daemon.ask("show", "middle")
    try scene.daemon.sync()
    let window = try overlay("middle")
    // The daemon finds both at once.
    scene.daemon.process.send(SIGSTOP)
    window.destroy()
    try scene.client.sync()
    let connection = try ControlConnection(scene.server)
    connection.send(#"{"request":"hide","name":"middle"}"#)
    scene.daemon.process.send(SIGCONT)
    #expect(connection.reply() == done)
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: hidden) == nil)
    try scene.daemon.ask("show", "middle")
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: hidden) != nil)
  }

  @Test(arguments: [72, 73, 74] as [UInt64])
  func randomLossesAreRepaired(seed: UInt64) throws {
    scene.reseed(seed)
    let frame = try scene.client.makeWindow(
      Rect(x: 390, y: 290, width: 5, height: 5), color: 0xFF00_0000, mapped: false)
    for _ in 1...12 {
      let attack = try #require(Attack.allCases.randomElement(using: &scene.random))
      let name = try #require(["lower", "middle", "upper"].randomElement(using: &scene.random))
      try perform(attack, on: name, frame: frame)
      try scene.act()
      try scene.act()
      if scene.chance(1, in: 2) { try perform(attack, on: name, frame: frame) }
    }
    try scene.client.sync()
    try scene.daemon.sync()
    let repaired = try scene.client.screenshot()
    for name in ["lower", "middle", "upper"] { try scene.daemon.ask("hide", name) }
    for name in ["upper", "middle", "lower"] { try scene.daemon.ask("show", name) }
    try scene.daemon.sync()
    let difference = try scene.client.screenshot().difference(from: repaired)
    #expect(difference == nil, "seed \(seed)")
  }

  private func overlay(_ name: String) throws -> TestWindow {
    scene.client.foreignWindow(try #require(try scene.server.overlay(of: name)))
  }

  /// Does nothing if the pane has no window at this moment.
  private func perform(_ attack: Attack, on name: String, frame: TestWindow) throws {
    guard let id = try scene.server.overlay(of: name) else { return }
    let window = scene.client.foreignWindow(id)
    switch attack {
    case .destroy: window.destroy()
    case .unmap: window.unmap()
    case .move: window.move(x: 3, y: 200)
    case .resize: window.resize(width: 80, height: 300)
    case .reparent: window.reparent(into: frame)
    }
    // The daemon may have destroyed the window itself meanwhile.
    _ = try? scene.client.sync()
  }
}
