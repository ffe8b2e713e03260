import Glibc
import Engine
import Frost
import Panes
import Raster
import TestSupport
import Testing

@testable import WaylandDisplay

/// Live glass on a real compositor.
@Suite(.serialized) struct LeakyGlassTests {
  /// What may be behind a pane.
  enum Scenery: String, CaseIterable {
    /// Dark text on white.
    case document
    /// Light text on nearly black.
    case terminal
    /// Soft colours with some noise.
    case photo
  }

  private static func picture(_ scenery: Scenery, seed: UInt64) -> Bitmap {
    var picture = Bitmap(width: 480, height: 320)
    let noise = Bitmap.noise(width: 480, height: 320, seed: seed)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let grain = Int(noise[x, y] & 15)
        // Words of random glyphs in lines.
        let word = noise[x / 9, y / 16 * 16] & 7
        let isInk = y % 16 < 10 && word > 1 && noise[x, y] >> 8 & 3 == 0
        let shift = Int(seed) * 37
        picture[x, y] =
          switch scenery {
          case .document: isInk ? 0xff22_2222 : 0xffff_ffff
          case .terminal: isInk ? 0xffd0_d8d0 : 0xff1e_1e1e
          case .photo:
            color(
              (x + shift) % 480 * 200 / 480 + grain, y * 180 / 320 + grain,
              abs((x + y + shift) % 400 - 200) + grain)
          }
      }
    }
    return picture
  }

  private static func color(_ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
    [red, green, blue].reduce(0xff) { $0 << 8 | UInt32(min(255, $1)) }
  }

  private static let pane = Rect(x: 90, y: 60, width: 260, height: 180)

  private func settings(sigma: Double) -> PaneSettings {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try? Geometry(parsing: "\(Self.pane)")
    settings.sigma = sigma
    return settings
  }

  /// The glass of a picture, computed offline.
  private func glass(_ picture: Bitmap, sigma: Double, _ server: WaylandServer) throws -> Bitmap {
    let folder = server.runtimeDirectory
    try writePNG(straight: picture, to: folder + "/bare.png")
    let outcome = try Child.run(
      ProgramPaths.backdropctl,
      ["blur", folder + "/bare.png", folder + "/glass.png", "--sigma", "\(sigma)"],
      environment: server.environment)
    guard outcome.status == .exited(0) else { throw TestFailure(outcome.err) }
    return try readPNG(folder + "/glass.png").cropped(to: Self.pane)
  }

  /// The peak signal to noise ratio of two pictures in dB, and the largest difference, without the pixels of marks.
  private func fidelity(_ one: Bitmap, _ other: Bitmap) -> (decibels: Double, most: Int) {
    var (sum, most, count) = (0.0, 0, 0)
    for y in 0..<one.height {
      for x in 0..<one.width where !isMark(x, y, of: one.bounds) {
        for shift: UInt32 in [0, 8, 16] {
          let difference = abs(
            Int(one[x, y] >> shift & 255) - Int(other[x, y] >> shift & 255))
          sum += Double(difference * difference)
          most = max(most, difference)
          count += 1
        }
      }
    }
    return (sum == 0 ? 99 : 10 * log10(255 * 255 * Double(count) / sum), most)
  }

  /// Whether a pixel of an opaque pane is a mark.
  private func isMark(_ x: Int, _ y: Int, of bounds: Rect) -> Bool {
    var tiles = MarkedTiles(bounds)
    tiles.touch(tiles.indices(touching: Region(bounds))) { _, _ in true }
    return tiles.marks.contains { $0.x == x && $0.y == y }
  }

  /// Only the leak shows what has changed behind the pane.
  @Test(arguments: Scenery.allCases, [(6.0, 54.0), (20, 56), (40, 57)])
  func glassFollowsWhatChangesBehindIt(
    scenery: Scenery, _ bound: (sigma: Double, decibels: Double)
  ) throws {
    let first = Self.picture(scenery, seed: 0)
    let scene = try WaylandScene(wallpaper: first)
    try scene.add("pane", settings(sigma: bound.sigma))
    for seed: UInt64 in 0...2 {
      let picture = Self.picture(scenery, seed: seed)
      if seed > 0 {
        try scene.server.setWallpaper(picture, outside: [Self.pane])
        try scene.sync()
      }
      let shown = try scene.server.screenshot()
      let (decibels, most) = fidelity(
        shown.cropped(to: Self.pane), try glass(picture, sigma: bound.sigma, scene.server))
      print("\(scenery), sigma \(bound.sigma), change \(seed): \(decibels) dB, \(most) levels")
      #expect(decibels >= bound.decibels && most <= 2, "\(decibels) dB, \(most) levels")
    }
    // Outside nothing changes, and the pane goes without a trace.
    try scene.remove("pane")
    #expect(
      try scene.server.screenshot().difference(from: Self.picture(scenery, seed: 2)) == nil)
  }

  /// While the only output is gone, nothing loops.
  @Test func paneReturnsWithItsOutput() throws {
    let scene = try WaylandScene(wallpaper: Self.picture(.photo, seed: 0))
    try scene.add("pane", settings(sigma: 20))
    let shown = try scene.server.screenshot()
    try scene.server.setOutput("disable")
    try scene.sync()
    let iterations = try scene.run(for: .seconds(1))
    #expect(iterations <= 20, "\(iterations)")
    try scene.server.setOutput("enable")
    // The wallpaper comes some time after the output.
    let deadline = ContinuousClock.now + .seconds(10)
    var difference: String? = "no picture"
    while difference != nil, ContinuousClock.now < deadline {
      try scene.sync()
      difference = try scene.server.screenshot().difference(from: shown, tolerance: 3)
    }
    #expect(difference == nil)
  }

  /// While nothing changes, nothing is captured, drawn or committed.
  @Test func stillPaneSleeps() throws {
    let scene = try WaylandScene(wallpaper: Self.picture(.photo, seed: 0))
    try scene.add("pane", settings(sigma: 20))
    try scene.settle()
    let before = scene.engine.server.report
    let iterations = try scene.run(for: .seconds(2))
    #expect(iterations <= 1 && scene.engine.server.report == before, "\(iterations)")
  }
}
