import Raster
import TestSupport
import Testing

/// Windows with a shape of thousands of rectangles, such as a text.
@Suite(.serialized, .waiting) struct CaptureShapeTests {
  /// 70 rows of 72 letters.
  private let text = (0..<5040).map { i in
    Rect(x: i % 72 * 8 + i / 72 % 3, y: i / 72 * 6, width: 5, height: 4)
  }

  @Test func windowWithThousandsOfShapeRectanglesIsFollowed() throws {
    let scene = try CaptureScene(seed: 51)
    let size = Rect(x: 10, y: 10, width: 580, height: 420)
    let words = try scene.client.makeWindow(
      size, picture: .noise(width: 64, height: 64, seed: 52), shape: text)
    _ = try scene.client.makeWindow(
      size.translated(x: 20, y: 9), picture: .noise(width: 50, height: 50, seed: 53), shape: text)
    try scene.add("pane", Rect(x: 20, y: 20, width: 500, height: 400))
    try scene.checkEverything("at first")
    let before = try scene.daemon.process.usage().cpuSeconds
    for i in 1...20 {
      words.move(x: 10 + i % 40, y: 10 + i % 30)
      try scene.client.sync()
      try scene.daemon.sync()
    }
    let used = try scene.daemon.process.usage().cpuSeconds - before
    print("20 moves of 5040 rectangles: \(used) s of CPU time")
    #expect(used < 2.5 * Sanitizer.slowdown)
    try scene.checkEverything("moved")
  }
}
