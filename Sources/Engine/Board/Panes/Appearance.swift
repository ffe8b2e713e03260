import Frost
import Panes
import Raster

/// The appearance of a pane with one layout and the blurs of its looks, and the cells from which it is drawn.
/// Immutable, except for the renderers. A class, because it is copied often.
final class Appearance {
  let layout: PaneLayout
  /// One for each look of the pane.
  let faces: [Face]
  /// The sum of their weights.
  let opacity: Double
  /// The backdrop that the glass shows.
  let backdrop: Backdrop
  /// The layer of the pane. The pixels below it are visible through the soft region.
  let layer: StackingLayer
  /// The grid of the pixels below the layer; nil if there is no soft region, and the glass shows no panes.
  let pixelKey: GridKey?
  /// The glass before a change of the output; nil if it is not visible.
  let former: FormerLayer?
  /// The window whose pixels the glass depends on; nil if there is none.
  let window: WindowPixels?

  /// One look of a pane, and how much of it is visible.
  struct Face {
    let look: Look
    let renderer: PaneRenderer
    /// The grid of its glass.
    let key: GridKey
    /// 0 to 1.
    let weight: Double
  }

  /// The wanted appearance of a pane. Uses the renderers of `old` for the looks that both have, if place and backdrop
  /// are the same; and the content of `old` for other looks, if the items are the same.
  convenience init(_ entry: PaneEntry, _ layout: PaneLayout, reusing old: Appearance?) {
    let size = (layout.frame.width, layout.frame.height)
    let renderers = zip(entry.looks.parts, layout.decorations).map { part, decoration in
      let look = part.look
      if let renderer = old?.renderer(of: look, in: layout, entry.backdrop) { return renderer }
      return PaneRenderer(
        frame: layout.frame, output: layout.output.bounds, clip: layout.clip,
        material: look.material, isSheet: layout.isSheet,
        decoration: decoration,
        content: old?.content(look.contents, on: size) ?? ContentState(look.contents, on: size))
    }
    self.init(entry, layout, renderers)
  }

  /// The wanted appearance of a pane with a renderer for each look.
  private init(_ entry: PaneEntry, _ layout: PaneLayout, _ renderers: [PaneRenderer]) {
    self.layout = layout
    opacity = entry.looks.opacity
    let backdrop = entry.backdrop
    self.backdrop = backdrop
    layer = entry.pane.layer
    former = entry.outputFade?.layer(on: layout.frame, part: layout.part)
    window = WindowPixels(entry, on: layout)
    let output = OutputKey(layout.output)
    let needsPixels =
      !layout.isSheet && (backdrop.isComposed || !layout.softRegion.isEmpty)
    // Pixels are the same on any output that contains them, so all panes share those of the screen.
    pixelKey = needsPixels ? .pixels(below: layer, on: OutputKey(layout.screen)) : nil
    faces = zip(entry.looks.parts, renderers).map { part, renderer in
      Face(
        look: part.look, renderer: renderer,
        key: GridKey(
          backdrop: backdrop, output: output, kind: .cells(renderer.geometry.reduction)),
        weight: part.weight)
    }
  }

  /// The renderer of a look at the same place over the same backdrop; nil if there is none.
  private func renderer(
    of look: Look, in layout: PaneLayout, _ backdrop: Backdrop
  ) -> PaneRenderer? {
    guard self.layout.frame == layout.frame,
      OutputKey(self.layout.output) == OutputKey(layout.output), self.backdrop == backdrop
    else { return nil }
    return faces.first { $0.look == look }?.renderer
  }

  /// The content of a look with the same items on a pane of the same size; nil if there is none.
  private func content(
    _ contents: [PaneContent], on size: (width: Int, height: Int)
  ) -> ContentState? {
    guard (layout.frame.width, layout.frame.height) == size else { return nil }
    return faces.first { $0.look.contents == contents }?.renderer.content
  }

  /// The only look; nil if there are several, or if it is translucent.
  var onlyFace: Face? { faces.count == 1 && faces[0].weight == 1 ? faces[0] : nil }

  /// The cells from which it is drawn.
  var needs: [GridKey: Region] {
    if layout.isSheet { return [:] }
    var needs: [GridKey: Region] = [:]
    for face in faces {
      needs[face.key, default: Region()].form(union: face.renderer.cells(around: layout.travel))
    }
    if let pixelKey { needs[pixelKey] = pixels }
    if let window { needs[window.gridKey] = Region(window.visible) }
    return needs
  }

  /// The pixels of each backdrop that it depends on.
  var sourceRegions: [Backdrop: Region] {
    if layout.isSheet { return [:] }
    var regions = [backdrop: source]
    if let pixelKey { regions[pixelKey.backdrop, default: Region()].form(union: pixels) }
    if let window { regions[window.gridKey.backdrop] = Region(window.visible) }
    return regions
  }

  /// The pixels that the glass depends on.
  private var source: Region {
    Region(faces.map { $0.renderer.sourceRegion(around: layout.travel) })
  }

  /// The pixels below the layer that it needs: for the soft region, and to compose a backdrop.
  private var pixels: Region {
    backdrop.isComposed ? layout.softRegion.union(source) : layout.softRegion
  }

  var bounds: Rect { layout.state.rect }
  /// The part of the pane on its output.
  var pane: Rect { layout.part }

  // MARK: Change

  /// Whether the cells of this appearance are enough to show the wanted looks of a pane with a layout.
  func canShow(_ entry: PaneEntry, _ layout: PaneLayout) -> Bool {
    self.layout.covers(like: layout) && backdrop == entry.backdrop && layer == entry.pane.layer
      && entry.looks.parts.allSatisfy { part in
        faces.contains { $0.renderer.canShow(part.look.material) }
      }
  }

  /// The wanted appearance, for which `canShow` must be true, and the pixels to redraw in addition to
  /// those that `settle` returns. It takes the renderers, so this appearance must not be drawn again.
  func changed(to entry: PaneEntry, _ layout: PaneLayout) -> (Appearance, Region) {
    if let (renderer, undrawn) = changeOnlyRenderer(to: entry.looks) {
      let next = Appearance(entry, layout, [renderer])
      let isSame = next.former == former && next.window == window
      return (next, isSame ? undrawn : undrawn.union(Region(next.pane)))
    }
    let next = Appearance(entry, layout, reusing: self)
    next.reuseCells(of: self)
    return (next, Region(next.bounds))
  }

  /// Changes the tone and the content of the renderer if there is only one look before and after, with the same
  /// decoration. Returns nil otherwise.
  private func changeOnlyRenderer(
    to looks: LookMix
  ) -> (PaneRenderer, undrawn: Region)? {
    guard let face = onlyFace, let look = looks.only, look.decoration == face.look.decoration
    else { return nil }
    face.renderer.setMaterial(look.material)
    if look.contents == face.look.contents { return (face.renderer, Region()) }
    let content = ContentState(look.contents, on: (layout.frame.width, layout.frame.height))
    return (face.renderer, face.renderer.setContent(content))
  }

  /// Marks what depends on changed cells of grids.
  func markChanged(cells: [GridKey: [Rect]]) {
    for face in faces {
      if let changed = cells[face.key] { face.renderer.markChanged(cells: changed) }
    }
  }

  /// Copies the blurred cells that another appearance has in common with this one.
  func reuseCells(of other: Appearance) {
    for face in faces {
      for old in other.faces where old.key == face.key && old.renderer !== face.renderer {
        face.renderer.reuseCells(of: old.renderer)
      }
    }
  }

  /// Lets `settle` determine the polarities of the content from the glass alone.
  func restartContent() {
    for face in faces { face.renderer.restartContent() }
  }

  /// Whether `settle` would change anything.
  var needsSettling: Bool { faces.contains { $0.renderer.needsSettling } }

  /// Updates glass and content from the grids of the store. Returns the pixels to redraw.
  func settle(from store: borrowing BackdropStore, threads: Int) -> Region {
    var changed = Region()
    for face in faces {
      let grid = layout.isSheet ? nil : store.cellGrid(face.key)
      if grid == nil, !layout.isSheet { continue }
      changed.form(union: face.renderer.settle(from: grid, threads: threads))
    }
    return changed
  }

  /// The region in which this appearance and another draw the same pixels if both are settled from the same grid.
  func regionDrawn(like other: Appearance) -> Region {
    guard let own = onlyFace, let others = other.onlyFace, own.key == others.key,
      former == nil, other.former == nil
    else { return Region() }
    return own.renderer.regionDrawn(like: others.renderer)
  }

  // MARK: Draw

  /// Draws the part `target` of the pane, as premultiplied BGRA. `windowPixels` are those of its window. Traps if `layout` does not
  /// cover the part of `target` in `bounds`.
  func draw(
    _ target: Rect, over windowPixels: PixelGrid? = nil, into pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout, threads: Int = 1
  ) {
    let target = target.intersection(bounds)
    drawFaces(target, into: &pixels, layout) {
      $0.draw($1, into: &$2, $3, former: former, threads: threads)
    }
    // A key contains the opacity.
    if opacity < 1, window?.isKeyed != true { fade(target, of: &pixels, layout, to: opacity) }
    if let window, let windowPixels {
      window.draw(target, of: windowPixels, overGlass: &pixels, layout, threads: threads)
    }
  }

  /// The mean of nine pixels of the glass, 0xRRGGBB.
  var meanGlass: UInt32 {
    var sums = SIMD3<UInt32>()
    for row in 0..<3 {
      for column in 0..<3 {
        let one = Rect(
          x: pane.x + (2 * column + 1) * pane.width / 6,
          y: pane.y + (2 * row + 1) * pane.height / 6, width: 1, height: 1)
        var pixel: [UInt32] = [0]
        var span = pixel.mutableSpan
        drawFaces(one, into: &span, PixelLayout(one)) { $0.drawGlass($1, into: &$2, $3) }
        sums &+= SIMD3(pixel[0] & 0xff, pixel[0] >> 8 & 0xff, pixel[0] >> 16 & 0xff)
      }
    }
    let mean = sums / 9
    return mean[0] | mean[1] << 8 | mean[2] << 16
  }

  /// The glass that the pane shows, for a cross-fade after a change of the output.
  func currentGlass(threads: Int) -> FormerGlass {
    var picture = Bitmap(width: pane.width, height: pane.height)
    var pixels = picture.pixels.mutableSpan
    drawFaces(pane, into: &pixels, PixelLayout(pane)) {
      $0.drawGlass($1, into: &$2, $3, former: former, threads: threads)
    }
    return FormerGlass(picture, of: pane, frame: layout.frame)
  }

  /// Draws the mean of all faces. `draw` draws a part of one.
  private func drawFaces(
    _ target: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout,
    _ draw: (PaneRenderer, Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    if let face = onlyFace { return draw(face.renderer, target, &pixels, layout) }
    if target.isEmpty { return }
    fade(target, of: &pixels, layout, to: 0)
    var sum = 0.0
    for face in faces where face.weight > 0 {
      if sum == 0 {
        draw(face.renderer, target, &pixels, layout)
      } else {
        var picture = Bitmap(width: target.width, height: target.height)
        var other = picture.pixels.mutableSpan
        draw(face.renderer, target, &other, PixelLayout(target))
        mix(
          target, of: other.span, PixelLayout(target), weight: face.weight / (sum + face.weight),
          into: &pixels, layout)
      }
      sum += face.weight
    }
  }
}

extension GridKey {
  /// The grid of the pixels below a layer, without panes.
  static func pixels(below layer: StackingLayer, on output: OutputKey) -> GridKey {
    GridKey(backdrop: .captured(.belowPanes(layer)), output: output, kind: .pixels)
  }
}

extension ContentState {
  /// The content of a pane of `size` pixels.
  init(_ contents: [PaneContent], on size: (width: Int, height: Int)) {
    self.init(Contents(contents.flatMap { $0.placed(on: size) }))
  }
}
