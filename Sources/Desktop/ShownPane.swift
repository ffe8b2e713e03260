import Frost
import Panes
import Raster

/// A pane and what the engine keeps for it. One object a pane, of which only the engine knows.
final class ShownPane {
  var pane: Pane
  /// What it is made of now: the pane's material, or one on the way there.
  private(set) var material: Material
  var fade: FadingMaterial?
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
  /// Whether it is wanted on the screen, or on its way off it.
  var isVisible: Bool { pane.isShown || fade?.hides == true }

  init(_ pane: Pane, overlay: OverlayID, rect: Rect) {
    self.pane = pane
    material = pane.material
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

  /// There is nothing to see any more, and nothing to do.
  func discardGlass() {
    glass = nil
    damage = Region()
    undrawn = Region()
    isBlank = true
  }

  /// Takes another material, on a screen: the same glass where it can stay. Returns whether it could not.
  func take(_ new: Material, on screen: Rect) -> Bool {
    if new == material, glass != nil { return false }
    let isSameGlass = new.sigma == material.sigma && glass != nil
    material = new
    if isSameGlass {
      glass?.setMaterial(new)
      undrawn.form(union: glass?.settle() ?? Region())
    } else {
      prepare(for: screen)
    }
    return !isSameGlass
  }

  /// Makes the glass anew for a screen, or none. Everything is to be captured.
  func prepare(for screen: Rect) {
    let rect = pane.placement.rect(on: screen)
    discardGlass()
    guard isVisible, !rect.isEmpty else { return }
    let fresh = Glass(pane: rect, screen: screen, material: material)
    damage = Region(fresh.sight)
    glass = consume fresh
  }
}
