import Raster
import TestSupport

extension Scenario {
  /// Glass behind translucent windows under xcompmgr, over a still desktop of 1920x1080.
  static let behind = Scenario(
    name: .behind,
    cases: [
      Case(name: "scroll in a window") { try measureBehind($0, scrollInWindow) },
      Case(name: "drag a window") { try measureBehind($0, dragWindow) },
      Case(name: "video behind a window") { try measureBehind($0, showVideo) },
      Case(name: "video, 5 windows") {
        try measureBehind($0) { try showVideo($0, behind: 5, hidden: 0) }
      },
      Case(name: "video, 5 windows of 20 seen") {
        try measureBehind($0) { try showVideo($0, behind: 5, hidden: 15) }
      },
    ])
}

/// A part of a scenario that lasts 10 seconds: what it draws first, and what it does then.
private struct BehindScene {
  let change: () throws -> Void
  /// The pixels below the windows that are new in its frames, of all frames together.
  let newPixels: Int
}

/// Measures a scene without a daemon, and with glass behind its windows.
private func measureBehind(
  _ candidate: Candidate, _ make: (Screen) throws -> BehindScene
) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  let compositor = try screen.server.start("xcompmgr")
  while try !screen.client.hasSelection("_NET_WM_CM_S0") { sleep(milliseconds: 1) }
  let scene = try make(screen)
  let compositorClock = try CPUClock(of: compositor)
  let serverClock = try CPUClock(of: screen.server.process)
  let start = (compositorClock.seconds(), serverClock.seconds())
  try scene.change()
  let bare = (compositorClock.seconds() - start.0, serverClock.seconds() - start.1)

  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.addGlass(behind: "kitty")
  // The daemon reads wallpaper that was announced when it started a second time.
  sleep(milliseconds: 1000)
  let before = (compositorClock.seconds(), try daemon.process.usage().sleepCount)
  let usage = try daemon.usage(of: scene.change)
  let compositorSeconds = compositorClock.seconds() - before.0
  let wakeUps = try daemon.process.usage().sleepCount - before.1
  withExtendedLifetime(compositor) {}

  var result = Measurement()
  result.add("CPU of daemon", usage.daemonSeconds, "s/10 s")
  result.add("CPU of X server, added", usage.serverSeconds - bare.1, "s/10 s")
  result.add("CPU of both", usage.daemonSeconds + usage.serverSeconds - bare.1, "s/10 s")
  result.add("CPU of compositor, added", compositorSeconds - bare.0, "s/10 s")
  result.add("CPU of X server without a daemon", bare.1, "s/10 s")
  result.add("frames presented", Double(usage.frames) / 10, "1/s")
  result.add("wake-ups of daemon", Double(wakeUps), "1/10 s")
  result.add("bytes read", Double(usage.bytesRead) / 1e6, "MB/10 s")
  if scene.newPixels > 0 {
    let share = 100 * Double(usage.bytesRead) / Double(4 * scene.newPixels)
    result.add("bytes read, of the new pixels", share, "%")
  }
  return result
}

/// Windows half of whose light passes.
private func makeWindows(_ places: [Rect], on screen: Screen) throws -> [TestWindow] {
  let windows = try places.map { place in
    let window = try screen.client.makeWindow(place, color: 0x8008_1018, argb: true, mapped: false)
    screen.client.setClass("kitty", "kitty", of: window)
    window.map()
    return window
  }
  try screen.client.sync()
  return windows
}

/// All of a window of 800x600 is drawn at 60 Hz.
private func scrollInWindow(_ screen: Screen) throws -> BehindScene {
  let place = Rect(x: 400, y: 200, width: 800, height: 600)
  let window = try makeWindows([place], on: screen)[0]
  let lines = (0..<2).map { index in
    var picture = Bitmap.detailed(width: place.width, height: place.height, seed: UInt32(index))
    for i in picture.pixels.indices { picture.pixels[i] = picture.pixels[i] >> 1 & 0x7F7F_7F7F }
    return picture
  }
  let pictures = lines.map { window.makePixmap($0) }
  return BehindScene(
    change: {
      try repeatOnSchedule(moveCount, perSecond: 60) { index in
        window.draw(pictures[index % 2])
        screen.client.flush()
      }
      try screen.client.sync()
    }, newPixels: 0)
}

/// A window of 800x600 is dragged at 60 Hz.
private func dragWindow(_ screen: Screen) throws -> BehindScene {
  let places = positions(of: (width: 800, height: 600), on: screen.bounds)
  let window = try makeWindows([places[moveCount - 1]], on: screen)[0]
  return BehindScene(
    change: {
      try repeatOnSchedule(moveCount, perSecond: 60) { index in
        window.move(x: places[index].x, y: places[index].y)
        screen.client.flush()
      }
      try screen.client.sync()
    }, newPixels: moveCount * places[0].area)
}

/// A video of 640x360 at 30 Hz behind a window of 800x600.
private func showVideo(_ screen: Screen) throws -> BehindScene {
  let place = Rect(x: 500, y: 300, width: 640, height: 360)
  let video = try Video(on: screen, at: place)
  _ = try makeWindows([Rect(x: 400, y: 200, width: 800, height: 600)], on: screen)
  return BehindScene(change: video.play, newPixels: Video.frameCount * place.area)
}

/// The same behind windows that overlap, and others that are not mapped, as those on other workspaces are.
private func showVideo(
  _ screen: Screen, behind seen: Int, hidden: Int
) throws -> BehindScene {
  let place = Rect(x: 500, y: 300, width: 640, height: 360)
  let video = try Video(on: screen, at: place)
  let places = (0..<seen + hidden).map {
    Rect(x: 300 + 128 * ($0 % 5), y: 200, width: 300, height: 600)
  }
  let windows = try makeWindows(places, on: screen)
  for window in windows[seen...] { window.unmap() }
  try screen.client.sync()
  return BehindScene(change: video.play, newPixels: Video.frameCount * place.area)
}

/// A window that shows two pictures by turns at 30 Hz.
private struct Video {
  static let frameCount = 300
  private let screen: Screen
  private let window: TestWindow
  private let pictures: [TestPixmap]

  init(on screen: Screen, at place: Rect) throws {
    self.screen = screen
    window = try screen.client.makeWindow(place, color: 0xFF40_4040)
    pictures = [50, 51].map { seed in
      screen.client.makePixmap(.detailed(width: place.width, height: place.height, seed: seed))
    }
  }

  /// Plays for 10 seconds.
  func play() throws {
    try repeatOnSchedule(Self.frameCount, perSecond: 30) { index in
      window.draw(pictures[index % 2])
      screen.client.flush()
    }
    try screen.client.sync()
  }
}
