import DisplayConformance
import Engine
import HeadlessDisplay
import Raster
import TestDice
import Testing

/// The headless display keeps the promises of `Display`, which the tests of the engine rely on.
@Suite struct HeadlessConformanceTests {
  @Test(arguments: Promise.allCases)
  func promiseIsKept(_ promise: Promise) throws { try promise.check(on: makeStage()) }

  /// Every second display stores the pixels of overlays on the screen only.
  @Test(arguments: 0..<40)
  func randomCallsKeepAllPromises(seed: Int) throws {
    var dice = Dice(seed: seed)
    try checkRandomCalls(on: makeStage(hasDirectOverlays: seed % 2 == 0), using: &dice, steps: 120)
  }

  private func makeStage(hasDirectOverlays: Bool = true) -> DisplayStage<HeadlessDisplay> {
    let display = HeadlessDisplay(Bitmap(width: 96, height: 64))
    display.setDirectOverlays(hasDirectOverlays)
    return DisplayStage(
      display, bounds: display.bounds,
      DisplayStage.ServerControls { display in
        try display.nextEvents(now: .zero, reads: true)
      } paint: { rect, color in
        display.draw(rect) { _, _ in color }
      } screenshot: {
        $0.screenshot
      } destroy: { display, overlay in
        if let name = display.overlay(overlay)?.name { display.destroy(name) }
      })
  }
}

extension HeadlessDisplay {
  /// The backdrop and the overlays.
  fileprivate var screenshot: Bitmap {
    var picture = backdrop
    for overlay in order.compactMap({ overlay($0.id) }) where overlay.isShown {
      let place = overlay.rect
      for rect in overlay.visible.rects {
        for y in rect.rows {
          for x in rect.columns {
            picture[x - bounds.x, y - bounds.y] = overlay.picture[x - place.x, y - place.y]
          }
        }
      }
    }
    return picture
  }
}
