import Frost
import Panes
import Raster

/// The appearance of a pane with one layout and one blur, and the cells from which it is drawn. Immutable, except
/// for the renderer. A class, because it is copied often.
final class Appearance {
  let layout: PaneLayout
  let renderer: PaneRenderer
  /// The view whose pixels are visible through the soft parts.
  let softView: View
  /// The view whose pixels the glass shows.
  let view: View
  /// The content of the renderer.
  let contents: [PaneContent]
  /// The grid of the glass.
  let glassKey: GridKey
  /// The grid of the pixels around the glass; nil if there are no soft parts.
  let pixelKey: GridKey?
  let softRegion: Region

  /// The appearance of a pane with a look. Reuses the content of `old` if it is the same.
  convenience init(_ pane: Pane, _ layout: PaneLayout, _ look: Look, reusing old: Appearance?) {
    let size = (pane.placement.size.width, pane.placement.size.height)
    let isSameContent =
      old?.contents == pane.contents && old.map { $0.size == size } == true
    let content = isSameContent ? old?.renderer.content : nil
    let renderer = PaneRenderer(
      frame: layout.frame, output: layout.output.bounds, material: look.material,
      decoration: layout.decoration, content: content ?? ContentState(pane.contents, on: size),
      presence: look.presence)
    self.init(pane, layout, renderer)
  }

  /// The appearance of a pane with a renderer, whose layout must draw like `layout` and whose content must be
  /// that of the pane.
  init(_ pane: Pane, _ layout: PaneLayout, _ renderer: PaneRenderer) {
    self.layout = layout
    self.renderer = renderer
    view = View(of: pane)
    softView = .belowPanes(pane.layer)
    contents = pane.contents
    let output = OutputKey(layout.output)
    glassKey = GridKey(
      view: view, output: output, kind: .cells(renderer.geometry.reduction))
    pixelKey =
      layout.softParts.isEmpty ? nil : GridKey(view: softView, output: output, kind: .pixels)
    softRegion = Region(disjoint: layout.softParts)
  }

  /// The cells from which it is drawn.
  var needs: [GridKey: Region] {
    var needs = [glassKey: Region(renderer.cells)]
    if let pixelKey { needs[pixelKey] = softRegion }
    return needs
  }

  /// The pixels of each view that it depends on.
  var sourceRegions: [View: Region] {
    var regions = [view: Region(renderer.sourceRegion)]
    if pixelKey != nil { regions[softView, default: Region()].form(union: softRegion) }
    return regions
  }

  var bounds: Rect { layout.state.rect }
  private var size: (Int, Int) { (layout.frame.width, layout.frame.height) }
}

extension ContentState {
  /// The content of a pane of `size` pixels.
  init(_ contents: [PaneContent], on size: (width: Int, height: Int)) {
    self.init(Contents(contents.map { $0.placed(on: size) }))
  }
}

extension View {
  /// The view with the part of its backdrop that a pane shows.
  init(of pane: Pane) {
    switch pane.sees {
    case .windows: self = .belowPanes(pane.layer)
    case .wallpaper: self = .wallpaper
    }
  }
}
