import Frost
import Panes
import Raster

/// A pane and what the engine keeps for it. One object a pane, of which only the engine knows.
final class ShownPane {
  var pane: Pane
  /// Nil while it is hidden or off the screen: nothing is captured or kept then.
  var glass: Glass?
  let overlay: OverlayID
  /// As the overlay has them.
  var rect: Rect
  var input: InputMode
  /// Where the backdrop changed since it was last captured; screen coordinates.
  var damage = Region()
  /// What is blurred but not presented yet.
  var undrawn = Region()
  /// Whether no backdrop has come through the glass yet: there is nothing to draw.
  var isBlank = true
  /// Mapped only once there is something to see.
  var isMapped = false
  /// Whether the server still reads the last frame's pixels.
  var isWaiting = false
  var frames = 0

  /// Whether a frame would change something.
  var isDue: Bool { !isWaiting && !(damage.isEmpty && undrawn.isEmpty) }

  init(_ pane: Pane, overlay: OverlayID, rect: Rect) {
    self.pane = pane
    self.overlay = overlay
    self.rect = rect
    input = pane.input
  }

  /// Adds damage, as far as it can be seen through the pane.
  func note(damage region: Region) {
    guard let sight = glass?.sight else { return }
    damage.form(union: region.intersection(sight))
    // A client that draws a thousand specks has drawn one area.
    if damage.rects.count > 32 { damage = damage.simplified(to: 8) }
  }

  /// Makes the glass anew for a screen, or none. Everything is to be captured.
  func prepare(for screen: Rect) {
    let rect = pane.placement.rect(on: screen)
    damage = Region()
    undrawn = Region()
    isBlank = true
    guard pane.isShown, !rect.isEmpty else {
      glass = nil
      return
    }
    let fresh = Glass(pane: rect, screen: screen, material: pane.material)
    damage = Region(fresh.sight)
    glass = consume fresh
  }
}
