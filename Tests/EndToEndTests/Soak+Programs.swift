import Raster
import TestDice
import TestSupport
import Testing

/// Changes of the screen, and programs that matter for all windows: compositors, window managers, lock screens.
extension Soak {
  private static let compositors = [
    ["picom", "--backend", "xrender", "--config", "/dev/null"], ["xcompmgr"], ["xcompmgr", "-a"],
  ]

  func toggleCompositor() throws {
    if compositor != nil { return try stopCompositor() }
    let command = Self.compositors.randomElement(using: &scene.random) ?? []
    compositor = try server.start(command[0], Array(command.dropFirst()))
    // Not always: the daemon may be asked while a compositor starts.
    if scene.chance(1, in: 2) { _ = try soon(within: .seconds(10)) { try hasCompositor() } }
  }

  func stopCompositor() throws {
    try compositor?.stop()
    compositor = nil
    #expect(try soon { try !hasCompositor() }, "\(place): the compositor ends")
  }

  private func hasCompositor() throws -> Bool { try scene.client.hasSelection("_NET_WM_CM_S0") }

  func toggleManager() throws {
    if manager != nil { return try stopManager() }
    // With an invalid file it shows a dialog.
    let configuration = "\(server.runtimeDirectory)/openbox.xml"
    try writeText("<openbox_config/>", to: configuration)
    manager = try server.start("openbox", ["--config-file", configuration])
    if scene.chance(1, in: 2) {
      _ = try soon(within: .seconds(10)) { try scene.client.hasSelection("WM_S0") }
    }
  }

  func stopManager() throws {
    try manager?.stop()
    manager = nil
    #expect(try soon { try !scene.client.hasSelection("WM_S0") }, "\(place): openbox ends")
  }

  // MARK: Screen

  func changeScreen() throws {
    let size = screen.sizes.randomElement(using: &scene.random) ?? screen.sizes[0]
    try screen.resize(server, to: size)
    if scene.chance(1, in: 2) { try syncWindows() }
  }

  // MARK: Lock screens

  /// Locks the screen, uses the daemon, and unlocks it.
  func lockScreen() throws {
    switch scene.random.roll(0...2) {
    case 0: try lockWithWindow()
    case 1: try lockWithProgram()
    default: try lockWithScreenSaver()
    }
    #expect(try soon { try !scene.daemon.isLocked() }, "\(place): unlocked")
  }

  private func lockWithWindow() throws {
    let bounds = try TestClient(server).screen
    let window = try scene.client.makeWindow(bounds, color: 0xFF10_2030, overrideRedirect: true)
    scene.client.setClass("locker", "Locker", of: window)
    try window.grabKeyboard()
    try syncWindows()
    #expect(try soon { try scene.daemon.isLocked() }, "\(place): locked by a window")
    try useWhileLocked()
    window.releaseKeyboard()
    window.destroy()
    try syncWindows()
  }

  private func lockWithProgram() throws {
    let locker = try server.start("i3lock", ["-n", "-u", "-c", "102030"])
    #expect(try soon { try scene.daemon.isLocked() }, "\(place): i3lock: \(locker.err)")
    try useWhileLocked()
    try locker.stop()
  }

  private func lockWithScreenSaver() throws {
    // Without a window it would show nothing.
    for word in ["noblank", "activate"] { _ = try server.run("xset", ["s", word]) }
    #expect(try soon { try scene.daemon.isLocked() }, "\(place): locked by the screen saver")
    try useWhileLocked()
    _ = try server.run("xset", ["s", "reset"])
  }

  private func useWhileLocked() throws {
    try changeWindows(3)
    try askRepeatedly(10)
  }

  // MARK: Frozen server

  /// The server executes nothing while requests are answered.
  func freezeServer() throws {
    try server.freeze()
    defer { server.thaw() }
    try askRepeatedly(scene.random.roll(1...20), waiting: false)
  }
}
