import Engine
import Frost
import Panes
import Raster
import WaylandClient

/// A surface that shows a pane.
final class PaneSurface: OverlaySurface {
  /// The expected pixels of the pane on the screen: premultiplied BGRA.
  private(set) var wanted: [UInt32]
  /// Whether it is clear until `setBlank(false)`, so that a capture shows what is below it.
  private(set) var isBlank = false
  /// Whether some of the wanted pixels are those of an update that was not finished, so that nothing may be committed.
  private(set) var isTorn = false
  /// Whether its state reports contacts.
  private(set) var reportsContacts = false

  init(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection, on output: OutputID,
    _ outputObject: WaylandObject, layer: StackingLayer, at place: SurfacePlace
  ) {
    wanted = Array(repeating: 0, count: place.rect.area)
    super.init(objects, connection, on: output, outputObject, layer: layer, at: place)
  }

  override func expectedPixel(x: Int, y: Int) -> UInt32 {
    wanted[PixelLayout(place.rect).index(x: x, y: y)]
  }

  override var nextFace: (owned: Region, opaque: Region, pattern: CheckPattern?) {
    isBlank ? (Region(), Region(), nil) : (owned, owned.intersection(opaque), nil)
  }

  override var isReady: Bool { canCommit && !isTorn }

  override func move(to new: SurfacePlace, _ connection: borrowing WaylandConnection) {
    let (old, rect) = (place.rect, new.rect)
    super.move(to: new, connection)
    if (rect.width, rect.height) != (old.width, old.height) {
      wanted = Array(repeating: 0, count: rect.area)
    }
  }

  /// Draws wanted pixels. The pixels of an overlay without alpha become opaque.
  func draw(
    _ part: Rect, isOpaque: Bool, _ body: (inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    let layout = PixelLayout(place.rect)
    var pixels: [UInt32] = []
    swap(&pixels, &wanted)
    var span = pixels.mutableSpan
    body(&span, layout)
    if isOpaque {
      for y in part.rows {
        let first = layout.index(x: part.x, y: y)
        for i in first..<first + part.width { pixels[i] |= 0xff00_0000 }
      }
    }
    swap(&pixels, &wanted)
    isTorn = true
  }

  /// All parts of an update are drawn; `parts` are its rectangles.
  func finish(_ state: OverlayState, _ parts: [Rect]) {
    isTorn = false
    pending.form(union: Region(parts))
    if shown != state.rect {
      // Pixels of an earlier state around it.
      for part in shown.subtracting(state.rect) { clear(part) }
      shown = state.rect
      extent = Region(shown)
    }
    opaque = state.opaque
    reportsContacts = state.reportsContacts
    role.setRegions(input: state.inputRegion, blurred: state.blurred)
  }

  private func clear(_ part: Rect) {
    let layout = PixelLayout(place.rect)
    for y in part.rows {
      for x in part.columns { wanted[layout.index(x: x, y: y)] = 0 }
    }
    pending.form(union: part)
  }

  /// Makes it clear, or visible again, with the next commit.
  func setBlank(_ isBlank: Bool) {
    if isBlank == self.isBlank { return }
    self.isBlank = isBlank
    redraw()
  }
}
