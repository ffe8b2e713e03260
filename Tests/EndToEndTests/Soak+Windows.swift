import Raster
import TestDice
import TestSupport

/// Random windows and wallpapers.
extension Soak {
  func changeWindows(_ count: Int) throws {
    for _ in 0..<count { try scene.act() }
    try syncWindows()
    if scene.chance(1, in: 6) {
      let storm = try WindowStorm(on: server, seed: scene.random.next())
      try storm.run(300, over: Rect(x: 0, y: 0, width: 500, height: 400), atOnce: 30)
    }
  }

  /// Returns when the server has executed all requests.
  ///
  /// It refuses some: a window cannot be placed above one that the window manager has moved into a frame.
  func syncWindows() throws {
    while let refusal = nextRefusal() {
      guard refusal.description.contains("X error") else { throw refusal }
    }
  }

  private func nextRefusal() -> TestFailure? {
    do { try scene.client.sync() } catch { return error }
    return nil
  }

  /// A window with a type, a state or an opacity that matters for its place above or below panes.
  func makeSpecialWindow() throws {
    let window = try scene.makeWindow(mapped: false)
    let type = "_NET_WM_WINDOW_TYPE"
    switch scene.random.roll(0...6) {
    case 0: window.setAtoms(type, ["\(type)_DESKTOP"])
    case 1: window.setAtoms(type, ["\(type)_DOCK"])
    case 2: window.setAtoms(type, ["\(type)_NOTIFICATION"])
    case 3: window.setAtoms("_NET_WM_STATE", ["_NET_WM_STATE_ABOVE"])
    case 4: window.setAtoms("_NET_WM_STATE", ["_NET_WM_STATE_FULLSCREEN"])
    case 5: window.setProperty("_NET_WM_WINDOW_OPACITY", cardinals: [0x8000_0000])
    default:
      // Wider than any screen. One that is higher too may count as a lock screen.
      window.resize(width: 2000, height: 250)
    }
    window.map()
    try syncWindows()
    if scene.chance(1, in: 2) {
      scene.client.requestState("_NET_WM_STATE_FULLSCREEN", isOn: nil, of: window)
      try syncWindows()
    }
  }

  func setSomeWallpaper() throws {
    let color = UInt32(truncatingIfNeeded: scene.random.next()) | 0xFF00_0000
    switch scene.random.roll(0...4) {
    case 0: scene.client.setRootBackground(color: color)
    case 1: scene.client.setRootBackground(tile: scene.somePicture(argb: false))
    case 2: scene.client.setWallpaper(scene.somePicture(argb: false), depth: 32)
    case 3:
      let picture = Bitmap.noise(width: 640, height: 480, seed: scene.random.next())
      scene.client.setWallpaper(picture)
    default: scene.client.freeWallpaper()
    }
    try syncWindows()
  }
}
