import Glibc
import Raster
import TestSupport

/// An X server in memory and a client that draws on it. Both end with their owner.
final class Screen: MeasuredDisplay {
  let server: XServer
  let client: TestClient

  convenience init(width: Int, height: Int) throws {
    try self.init(on: XServer(width: width, height: height))
  }

  init(on server: XServer) throws {
    self.server = server
    client = try TestClient(server)
  }

  deinit {
    server.process.send(SIGCONT)
    // Unlike SIGKILL, this makes the server remove its socket and its lock from /tmp.
    _ = try? server.stop()
  }

  var bounds: Rect { client.screen }

  /// Makes a window that covers the screen, below those made later.
  func makeBackground() throws -> TestWindow {
    try client.makeWindow(bounds, color: 0xFF40_6080)
  }

  /// Pictures as large as the screen that differ in nearly every pixel.
  func makePictures(_ count: Int) -> [TestPixmap] {
    (0..<count).map { index in
      client.makePixmap(
        .detailed(width: bounds.width, height: bounds.height, seed: UInt32(index + 1)))
    }
  }

  /// A wallpaper and six overlapping windows that the server itself repaints.
  func showStillDesktop() throws {
    client.setWallpaper(.detailed(width: bounds.width, height: bounds.height, seed: 1))
    for index in 0..<6 {
      let rect = Rect(
        x: bounds.width * (2 + 9 * (index % 3)) / 32, y: bounds.height * (1 + 5 * (index / 3)) / 12,
        width: bounds.width * 12 / 32, height: bounds.height * 6 / 12)
      let picture = Bitmap.detailed(width: rect.width, height: rect.height, seed: UInt32(index + 2))
      _ = try client.makeWindow(rect, picture: picture)
    }
    try client.sync()
  }

  /// Milliseconds from `start` until a pixel of the screen is no longer `color`.
  ///
  /// The pauses leave the X server to the daemon. They make the result up to 0.15 ms late.
  func waitForChange(x: Int, y: Int, from color: UInt32, since start: Int) throws -> Double {
    while try client.screenPixel(x: x, y: y) == color {
      if millisecondsSince(start) > 5000 {
        throw TestFailure("the pixel at \(x),\(y) did not change in 5 s")
      }
      sleep(milliseconds: 0.1)
    }
    return millisecondsSince(start)
  }
}

extension Bitmap {
  /// An opaque picture with slow gradients, sharp edges and noise, the same for the same seed.
  static func detailed(width: Int, height: Int, seed: UInt32) -> Bitmap {
    var bitmap = Bitmap(width: width, height: height)
    var random = seed &* 0x9E37_79B9 | 1
    for y in 0..<height {
      for x in 0..<width {
        random ^= random << 13
        random ^= random >> 17
        random ^= random << 5
        let block = (UInt32(x / 40) &* 31 &+ UInt32(y / 24) &* 17 &+ seed) &* 0x45D9_F3B5
        let gradient = UInt32(x * 128 / width) << 16 | UInt32(y * 128 / height) << 8 | 32
        let detail = (block >> 8 & 0x3F3F3F) &+ (random & 0x1F1F1F)
        bitmap.pixels[y * width + x] = 0xFF00_0000 | gradient &+ detail
      }
    }
    return bitmap
  }
}
