import Frost
import Panes
import Raster

/// The appearance of a pane with one layout and one blur, and the cells from which it is drawn. Immutable, except
/// for the renderer. A class, because it is copied often.
final class Appearance {
  let layout: PaneLayout
  let renderer: PaneRenderer
  let source: BackdropSource
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
    self.init(layout, pane.sees, renderer, pane.contents)
  }

  /// The appearance of a renderer in another layout, which must draw like the layout of the
  /// renderer.
  init(
    _ layout: PaneLayout, _ source: BackdropSource, _ renderer: PaneRenderer,
    _ contents: [PaneContent]
  ) {
    self.layout = layout
    self.source = source
    self.renderer = renderer
    self.contents = contents
    let output = OutputKey(layout.output)
    glassKey = GridKey(
      view: source.view, output: output, kind: .cells(renderer.geometry.reduction))
    pixelKey =
      layout.softParts.isEmpty ? nil : GridKey(view: .belowPanes, output: output, kind: .pixels)
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
    var regions = [source.view: Region(renderer.sourceRegion)]
    if pixelKey != nil { regions[.belowPanes, default: Region()].form(union: softRegion) }
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

extension BackdropSource {
  /// The view with this part of the backdrop.
  var view: View {
    switch self {
    case .windows: .belowPanes
    case .wallpaper: .wallpaper
    }
  }
}
