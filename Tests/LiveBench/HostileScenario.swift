import Raster
import TestDice
import TestSupport

extension Scenario {
  /// A window of 800x600 with glass behind it whose client does what no client should, on 1920x1080 under xcompmgr.
  static let hostile = Scenario(
    name: .hostile,
    cases: [
      Case(name: "property: 1 rectangle") { try measureProperty($0, [10, 10, 300, 200]) },
      Case(name: "property: 250 that overlap") { try measureProperty($0, someRects(250)) },
      Case(name: "property: 10,000 rectangles") { try measureProperty($0, someRects(10_000)) },
      Case(name: "property: 1023 words") {
        try measureProperty($0, Array(someRects(256).dropLast()))
      },
      Case(name: "property: extreme numbers") { try measureProperty($0, extremes) },
      Case(name: "property: 128 MiB") {
        try measureProperty($0, someRects(1 << 17), repeated: 64)
      },
      Case(name: "map and unmap") { candidate in
        try measureStorm(candidate) { index, windows in
          index % 2 == 0 ? windows[0].unmap() : windows[0].map()
        }
      },
      Case(name: "restack itself") { candidate in
        try measureStorm(candidate) { index, windows in
          index % 2 == 0 ? windows[0].lower() : windows[0].raise()
        }
      },
      Case(name: "raise each other") { candidate in
        try measureStorm(candidate) { index, windows in windows[index % 2].raise() }
      },
    ])
}

private let propertyName = "_KDE_NET_WM_BLUR_BEHIND_REGION"

/// The words of random rectangles in the window.
private func someRects(_ count: Int) -> [UInt32] {
  var dice = Dice(seed: 1)
  return (0..<count).flatMap { _ in
    [dice.roll(0...799), dice.roll(0...599), dice.roll(1...300), dice.roll(1...300)].map {
      UInt32($0)
    }
  }
}

private var extremes: [UInt32] {
  var dice = Dice(seed: 2)
  let numbers: [UInt32] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 300]
  return (0..<4096).map { _ in numbers.randomElement(using: &dice) ?? 0 }
}

/// A screen, its compositor and a daemon with glass behind `count` windows.
private func makeScene(
  _ candidate: Candidate, windows count: Int
) throws -> (Screen, Child, LiveDaemon<Screen>, [TestWindow]) {
  let screen = try Screen(width: 1920, height: 1080)
  try screen.showStillDesktop()
  let compositor = try screen.server.start("xcompmgr")
  while try !screen.client.hasSelection("_NET_WM_CM_S0") { sleep(milliseconds: 1) }
  let windows = try (0..<count).map { index in
    let place = Rect(x: 400 + 100 * index, y: 200 + 50 * index, width: 800, height: 600)
    let window = try screen.client.makeWindow(place, color: 0x8008_1018, argb: true, mapped: false)
    screen.client.setClass("kitty", "kitty", of: window)
    window.map()
    return window
  }
  try screen.client.sync()
  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.addGlass(behind: "kitty")
  return (screen, compositor, daemon, windows)
}

/// The cost of a change of the property that does not change its value, until the daemon has noticed it.
private func measureProperty(
  _ candidate: Candidate, _ words: [UInt32], repeated: Int = 1
) throws -> Measurement {
  let (screen, compositor, daemon, windows) = try makeScene(candidate, windows: 1)
  defer { withExtendedLifetime(compositor) {} }
  func settle() throws {
    try screen.client.sync()
    try daemon.control.sync()
  }
  try settle()
  let peak = try daemon.process.usage().peakByteCount
  let size = try daemon.privateKilobytes()
  for _ in 0..<repeated { windows[0].appendProperty(propertyName, cardinals: words) }
  try settle()
  let count = 200
  let usage = try daemon.usage {
    for _ in 0..<count {
      windows[0].appendProperty(propertyName, cardinals: [])
      try settle()
    }
  }
  var result = Measurement()
  result.add("CPU of daemon", 1000 * usage.daemonSeconds / Double(count), "ms/change")
  result.add("time of a change", usage.wallMilliseconds / Double(count), "ms")
  result.add("growth of private memory", Double(try daemon.privateKilobytes() - size), "KiB")
  let growth = try daemon.process.usage().peakByteCount - peak
  result.add("growth of the peak", Double(growth) / 1024, "KiB")
  return result
}

/// The cost of 10 seconds of requests at 1000 Hz, and how long a client of the daemon waits meanwhile.
private func measureStorm(
  _ candidate: Candidate, _ step: (Int, [TestWindow]) -> Void
) throws -> Measurement {
  let (screen, compositor, daemon, windows) = try makeScene(candidate, windows: 2)
  defer { withExtendedLifetime(compositor) {} }
  let size = try daemon.privateKilobytes()
  let usage = try daemon.usage {
    try repeatOnSchedule(10_000, perSecond: 1000) { index in
      step(index, windows)
      screen.client.flush()
    }
    try screen.client.sync()
  }
  let growth = try daemon.privateKilobytes() - size
  var waits: [Double] = []
  try repeatOnSchedule(2000, perSecond: 1000) { index in
    step(index, windows)
    screen.client.flush()
    if index % 20 == 0 {
      let start = now()
      try daemon.control.ask(BenchRequest("list"))
      waits.append(millisecondsSince(start))
    }
  }
  var result = Measurement()
  result.add("CPU of daemon", usage.daemonSeconds, "s/10 s")
  result.add("CPU of X server", usage.serverSeconds, "s/10 s")
  result.add("frames presented", Double(usage.frames) / 10, "1/s")
  result.add("growth of private memory", Double(growth), "KiB")
  result.add("longest reply", waits.max() ?? 0, "ms")
  return result
}
