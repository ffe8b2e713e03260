import Raster
import TestSupport
import Testing
import WaylandClient

@testable import WaylandDisplay

/// Captures of a real compositor.
@Suite(.serialized) struct OutputCaptureTests {
  private static let wallpaper = Bitmap.noise(width: 320, height: 200, seed: 3)

  /// The pixels of a frame of the only output.
  private func frame(
    _ client: borrowing CompositorClient, _ capture: any OutputCapture, waitsForDamage: Bool
  ) throws -> (picture: Bitmap, damage: [Rect]) {
    capture.start(client.connection, waitsForDamage: waitsForDamage)
    let outcome = try client.wait { event in try capture.handle(event, client.connection) }
    guard case .ready(let damage) = outcome, let buffer = capture.buffer else {
      throw TestFailure("the capture failed")
    }
    let layout = buffer.layout
    let picture = buffer.withPixels { Bitmap(layout.bounds, of: $0.span, layout) }
    return (picture, damage)
  }

  @Test func capturedPixelsEqualAScreenshot() throws {
    let server = try WaylandServer(wallpaper: Self.wallpaper)
    let client = try CompositorClient(server)
    let capture = ScreencopyCapture(
      manager: try client.bind(.screencopyManager), of: try client.bind(.output),
      shm: try client.bind(.shm))
    let (picture, damage) = try frame(client, capture, waitsForDamage: false)
    #expect(damage.isEmpty)
    #expect(opaque(picture).difference(from: try server.screenshot()) == nil)
    #expect(opaque(picture).difference(from: Self.wallpaper) == nil)
    // The first frame with damage is the whole output.
    let (whole, first) = try frame(client, capture, waitsForDamage: true)
    #expect(Region(first) == Region(Self.wallpaper.bounds))
    #expect(opaque(whole).difference(from: Self.wallpaper) == nil)
  }

  /// The fourth byte of a pixel of the screen has no meaning.
  private func opaque(_ picture: Bitmap) -> Bitmap {
    Bitmap(
      width: picture.width, height: picture.height,
      pixels: picture.pixels.map { $0 | 0xff00_0000 })
  }

  @Test func unreachableCompositorIsNamed() {
    #expect(throws: (any Error).self) { _ = try WaylandConnection("/nowhere/wayland-0") }
  }
}
