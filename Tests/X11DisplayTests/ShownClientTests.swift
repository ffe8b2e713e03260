import Raster
import Testing

@testable import X11Display

/// The clients over which an overlay can be.
@Suite struct ShownClientTests {
  private let visuals: [UInt8: UInt32] = [24: 0x21, 32: 0x50]

  private func framed(
    width: Int = 300, height: Int = 200, depth: UInt8 = 24, isMapped: Bool = true
  ) -> FramedClient {
    let geometry = WindowGeometry(x: 4, y: 20, width: width, height: height, border: 1)
    return FramedClient(
      7,
      WindowPlace(
        rect: Rect(x: 0, y: 0, width: width, height: height), parent: 5, geometry: geometry,
        depth: depth, isMapped: isMapped))
  }

  @Test func placeIsThatInsideOfTheBorder() throws {
    let client = try #require(ShownClient(framed(), at: (104, 120), visuals))
    #expect(client.placeInParent == Rect(x: 5, y: 21, width: 300, height: 200))
    #expect(client.rect == Rect(x: 104, y: 120, width: 300, height: 200))
    #expect((client.parent, client.depth, client.visual) == (5, 24, 0x21))
    #expect(!client.hasAlpha)
  }

  @Test func eventsChangeIt() throws {
    var client = framed()
    let wide = WindowGeometry(x: 0, y: 0, width: 500, height: 90, border: 0)
    client.apply(.configured(7, wide, above: 0))
    #expect(ShownClient(client, at: (0, 0), visuals)?.rect.width == 500)
    let before = try #require(ShownClient(client, at: (0, 0), visuals))
    client.apply(.unmapped(7))
    #expect(ShownClient(client, at: (0, 0), visuals) == nil)
    client.apply(.mapped(7, isOverrideRedirect: false))
    #expect(ShownClient(client, at: (0, 0), visuals) != before, "its pixels are new")
    #expect(client.changeCount == 3)
  }

  @Test func otherVisualsAreLeftOut() {
    #expect(ShownClient(framed(depth: 32), at: (0, 0), visuals)?.hasAlpha == true)
    #expect(ShownClient(framed(depth: 8), at: (0, 0), visuals) == nil)
  }

  @Test func onlyThePartOnTheScreenIsRead() throws {
    let screen = Rect(x: 0, y: 0, width: 640, height: 480)
    var framed = framed()
    let client = try #require(ShownClient(framed, at: (-30, 400), visuals))
    #expect(client.part(on: screen) == Rect(x: 30, y: 0, width: 270, height: 80))
    let all = Region(Rect(x: 0, y: 0, width: 999, height: 999))
    #expect(client.layer(in: all, on: screen)?.region == Region(client.part(on: screen)))
    framed.isReadable = false
    let unreadable = try #require(ShownClient(framed, at: (-30, 400), visuals))
    #expect(unreadable.layer(in: all, on: screen) == nil)
    framed.recordChange()
    #expect(ShownClient(framed, at: (-30, 400), visuals) == client)
  }

  /// X server 21.1 crashes when it redirects a window that is larger than any pixmap.
  @Test func sizeThatNoPixmapHasIsLeftOut() {
    func fits(_ width: Int, _ height: Int, limit: Int = 1 << 22) -> Bool {
      WindowGeometry(x: 0, y: 0, width: width, height: height, border: 0)
        .fitsPixmap(areaLimit: limit)
    }
    #expect(fits(32767, 100) && !fits(32768, 100) && !fits(40, 60000))
    #expect(fits(2048, 2048) && !fits(2049, 2048))
  }
}
