import Glibc
import Raster
import TestSupport

extension Scenario {
  /// Glass behind a window that the pointer drags or resizes under a window manager.
  static let follow = Scenario(
    name: .follow,
    cases: Manager.allCases.flatMap { manager in
      Compositor.allCases.flatMap { compositor in
        Gesture.allCases.map { gesture in
          Case(name: "\(manager) and \(compositor), \(gesture)") {
            try measureFollowing($0, manager, compositor, gesture)
          }
        }
      }
    })
}

private enum Manager: CaseIterable {
  case openbox, i3

  private var configuration: String {
    switch self {
    case .openbox: ManagerConfiguration.openbox
    case .i3: ManagerConfiguration.i3
    }
  }

  func start(on server: XServer) throws -> Child {
    let path = server.runtimeDirectory + "/\(self).conf"
    try writeText(configuration, to: path)
    let option = self == .openbox ? "--config-file" : "-c"
    var environment = server.environment
    environment["HOME"] = server.runtimeDirectory
    return try Child("\(self)", [option, path], environment: environment)
  }
}

private enum Compositor: CaseIterable {
  case xcompmgr, picom

  func start(on screen: Screen) throws -> Child {
    let child =
      switch self {
      case .xcompmgr: try screen.server.start("xcompmgr")
      case .picom:
        try screen.server.start("picom", ["--backend", "xrender", "--config", "/dev/null"])
      }
    while try !screen.client.hasSelection("_NET_WM_CM_S0") { sleep(milliseconds: 1) }
    return child
  }
}

private enum Gesture: CaseIterable {
  case drag, resize

  var button: Int { self == .drag ? 1 : 3 }

  /// Pulls the lower right quarter of a window in `place` for 5 seconds, and returns to the start.
  func script(in place: Rect) -> String {
    let (x, y) = (place.maxX - 100, place.maxY - 100)
    let path = (1...625).map { step -> String in
      let angle = 2 * Double.pi * Double(step) / 125
      let (dx, dy) = (Int(160 * sin(angle)), Int(90 * sin(2 * angle)))
      return "mousemove \(x + dx) \(y + dy)\nsleep 0.008\n"
    }
    return "mousemove \(x) \(y)\nkeydown alt\nmousedown \(button)\n" + path.joined()
      + "mouseup \(button)\nkeyup alt\n"
  }
}

private func measureFollowing(
  _ candidate: Candidate, _ manager: Manager, _ compositor: Compositor, _ gesture: Gesture
) throws -> Measurement {
  let screen = try Screen(width: 1920, height: 1080)
  screen.client.setWallpaper(.checkered(width: 1920, height: 1080))
  let programs = [try manager.start(on: screen.server), try compositor.start(on: screen)]
  try screen.client.waitForWindowManager()
  let place = Rect(x: 560, y: 240, width: 800, height: 600)
  let window = try screen.client.makeWindow(place, color: 0x8000_0000, argb: true, mapped: false)
  screen.client.setClass("kitty", "kitty", of: window)
  // A frame would hide the glass.
  window.refuseDecorations()
  window.map()
  try screen.client.sync()
  window.move(x: place.x, y: place.y)
  window.resize(width: place.width, height: place.height)
  let daemon = try LiveDaemon(candidate, on: screen)
  try daemon.addGlass(behind: "kitty")
  sleep(milliseconds: 1000)

  let script = screen.server.runtimeDirectory + "/script.xdotool"
  try writeText(gesture.script(in: place), to: script)
  let center = (x: place.x + place.width / 2, y: place.y + place.height / 2)
  var (rows, columns) = (EdgeSamples(), EdgeSamples())
  let xdotool = try screen.server.start("xdotool", [script])
  let usage = try daemon.usage {
    var time = now()
    while xdotool.wait(for: .zero) == nil {
      let row = try screen.client.screenshot(Rect(x: 0, y: center.y, width: 1920, height: 1))
      rows.append(row.pixels, at: now())
      let column = try screen.client.screenshot(Rect(x: center.x, y: 0, width: 1, height: 1080))
      columns.append(column.pixels, at: now())
      time += 2_000_000
      sleep(until: time)
    }
  }
  withExtendedLifetime(programs) {}

  var result = Measurement()
  result.add("frames presented", Double(usage.frames), "")
  result.add(
    "CPU of X server, of the time", 100_000 * usage.serverSeconds / usage.wallMilliseconds, "%")
  result.add("time of a frame", usage.frameMilliseconds / Double(max(1, usage.frames)), "ms")
  for (name, samples) in [("columns", rows), ("rows", columns)] {
    if samples.places < 50 { result.failures.append("\(name): the window did not move") }
    let lags = samples.lags.compactMap(\.self)
    result.add("\(name): samples", Double(samples.lags.count), "")
    result.add("\(name): lag of the glass, median", lags.median, "ms")
    result.add("\(name): lag of the glass, p99", lags.percentile(99), "ms")
    result.add("\(name): lag of the glass, largest", lags.max() ?? 0, "ms")
    result.add("\(name): samples with glass elsewhere", Double(samples.lags.count - lags.count), "")
    result.add("\(name): samples with wrong pixels", Double(samples.wrongCount), "")
  }
  return result
}

/// Where window and glass are seen on one line across them.
private struct EdgeSamples {
  private var samples: [Sample] = []
  /// The samples with a place that the window never had, or with pixels inside both that are not those of glass.
  private(set) var wrongCount = 0

  private struct Sample {
    let time: Int
    let window, glass: Range<Int>
  }

  /// The levels of a pixel of the checkered screen.
  private enum Look {
    case bare, glass, window, glassInWindow, other

    init(_ pixel: UInt32) {
      let level = Int(pixel >> 8 & 255)
      func isNear(_ levels: Int...) -> Bool { levels.contains { abs($0 - level) <= 4 } }
      self =
        isNear(80, 200)
        ? .bare
        : isNear(140) ? .glass : isNear(40, 100) ? .window : isNear(70) ? .glassInWindow : .other
    }
  }

  /// The number of places of the window that were seen.
  var places: Int { Set(samples.map(\.window)).count }

  mutating func append(_ pixels: [UInt32], at time: Int) {
    let looks = pixels.map { Look($0) }
    func hull(_ wanted: Look) -> Range<Int> {
      let isWanted = { (look: Look) in look == wanted || look == .glassInWindow }
      guard let first = looks.firstIndex(where: isWanted),
        let last = looks.lastIndex(where: isWanted)
      else { return 0..<0 }
      return first..<last + 1
    }
    let (window, glass) = (hull(.window), hull(.glass))
    samples.append(Sample(time: time, window: window, glass: glass))
    let common = window.clamped(to: glass)
    if looks[common].contains(where: { $0 != .glassInWindow }) { wrongCount += 1 }
  }

  /// For each sample, the milliseconds to the time when the window was where the glass is, between two samples if the
  /// screen did not show it there. Nil if it never was there within 200 ms.
  var lags: [Double?] {
    samples.indices.map { index in
      let (time, glass) = (samples[index].time, samples[index].glass)
      if samples[index].window == glass { return 0 }
      let near = samples[max(0, index - 100)..<min(samples.count, index + 100)]
      let times = zip(near, near.dropFirst()).filter { one, next in
        glass.isBetween(one.window, next.window)
      }.map { one, next in max(abs(time - one.time), abs(time - next.time)) }
      return times.min().map { Double($0) / 1e6 }
    }
  }
}

extension Range<Int> {
  /// Whether both ends are between those of two ranges.
  fileprivate func isBetween(_ one: Self, _ other: Self) -> Bool {
    func isBetween(_ end: Int, _ first: Int, _ second: Int) -> Bool {
      Swift.min(first, second) <= end && end <= Swift.max(first, second)
    }
    return isBetween(lowerBound, one.lowerBound, other.lowerBound)
      && isBetween(upperBound, one.upperBound, other.upperBound)
  }
}

extension Bitmap {
  /// Single pixels of two greys by turns, whose blur has one grey.
  fileprivate static func checkered(width: Int, height: Int) -> Bitmap {
    let pixels = (0..<width * height).map { i -> UInt32 in
      (i % width + i / width) % 2 == 0 ? 0xFF50_5050 : 0xFFC8_C8C8
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }
}
