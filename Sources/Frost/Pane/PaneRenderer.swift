package import Raster

/// Draws one pane: glass, then content, then decoration. Displays and offline painting both use it.
/// All rectangles are in the coordinates of the output.
package final class PaneRenderer {
  /// The rectangle of the whole pane, which may extend beyond its output.
  package let frame: Rect
  private var glass: Glass
  private let clip: Rect
  private let decoration: Decoration
  /// The content and its polarities.
  package private(set) var content: ContentState
  /// The pixels of the glass for which the polarity of the content is not up to date.
  private var unfollowed: Region

  /// Traps if `frame` shares no pixel with `output`. `decoration` must be that of the size of
  /// `frame`. Nothing is drawn outside `clip`; nil means the output. With a sheet instead of glass, something else must
  /// blur what is behind.
  package init(
    frame: Rect, output: Rect, clip: Rect? = nil, material: Material, isSheet: Bool = false,
    decoration: Decoration, content: ContentState
  ) {
    self.frame = frame
    self.clip = clip ?? output
    self.decoration = decoration
    self.content = content
    glass = Glass(
      pane: frame.intersection(output), output: output, material: material, isSheet: isSheet)
    unfollowed = Region(glass.pane)
  }

  /// The part of the pane on its output.
  package var pane: Rect { glass.pane }
  /// The geometry of the grid from which the glass is computed.
  package var geometry: GridGeometry { glass.geometry }
  /// The cells of that grid from which the glass is computed.
  package var cells: Rect { glass.cells }
  /// The pixels of the output on which the glass depends.
  package var sourceRegion: Rect { glass.sourceRegion }
  /// The cells from which the glass of a pane of this material at another place would be computed.
  package func cells(around pane: Rect) -> Rect { glass.cells(around: pane) }
  /// The pixels on which the glass of a pane of this material at another place would depend.
  package func sourceRegion(around pane: Rect) -> Rect {
    let cells = glass.cells(around: pane)
    return cells.isEmpty ? .zero : geometry.source(ofCells: cells)
  }
  /// The material that is drawn.
  package var material: Material { glass.material }
  /// The bounding box of the pane with its shadow, within `clip`.
  package var bounds: Rect { decoration.bounds(of: frame).intersection(clip) }

  // MARK: Change

  /// Marks what depends on changed cells of the grid; `settle` updates the glass. The rectangles may
  /// overlap.
  package func markChanged(cells changed: [Rect]) { glass.markChanged(cells: changed) }

  /// Copies the blurred and toned cells that another renderer has in common with this one.
  package func reuseCells(of other: PaneRenderer) { glass.reuse(other.glass) }

  /// Whether the pane can have another material: one with the same blur.
  package func canShow(_ material: Material) -> Bool { glass.canShow(material) }

  /// Changes the material; `settle` updates the glass. Traps if `canShow` is false.
  package func setMaterial(_ material: Material) { glass.setMaterial(material) }

  /// Replaces the content, whose polarities `settle` updates. Returns the pixels to redraw.
  package func setContent(_ new: ContentState) -> Region {
    let old = content
    content = new
    unfollowed = Region(pane)
    return old.region(of: frame).union(new.region(of: frame)).intersection(pane)
  }

  /// Lets `settle` determine the polarities of the content from the glass alone, as if it had just appeared.
  package func restartContent() {
    if content.isEmpty { return }
    content.restart()
    unfollowed = Region(pane)
  }

  /// Whether `settle` would change anything.
  package var needsSettling: Bool { glass.hasPendingCells || !unfollowed.isEmpty }

  /// Updates glass and content from the grid, which must hold current values for all of `cells`,
  /// with up to `threads` threads. A sheet needs no grid. Returns the pixels to redraw.
  package func settle(from grid: CellGrid?, threads: Int) -> Region {
    if !needsSettling { return Region() }
    let changed = glass.settle(from: grid, threads: threads)
    let turned = content.follow(glass, changedIn: changed.union(unfollowed), of: frame)
    unfollowed = Region()
    return changed.union(turned.intersection(pane))
  }

  // MARK: Draw

  /// The part of the pane that shows nothing but glass: no content and no decoration.
  private var plainRegion: Region {
    decoration.plainRegion(of: frame).intersection(pane).subtracting(content.region(of: frame))
  }

  /// The region in which this pane and another draw the same pixels if both are settled from the same grid.
  package func regionDrawn(like other: PaneRenderer) -> Region {
    guard material == other.material, geometry == other.geometry else { return Region() }
    return plainRegion.intersection(other.plainRegion)
  }

  /// Draws the part `target` of the pane and its decoration, as premultiplied BGRA, with some of its former glass.
  /// Traps if `layout` does not cover the part of `target` in `bounds`, or if the former glass is at another place.
  package func draw(
    _ target: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout,
    former: FormerLayer? = nil, threads: Int = 1
  ) {
    let target = target.intersection(bounds)
    drawGlass(target, into: &pixels, layout, former: former, threads: threads)
    drawContent(target.intersection(pane), into: &pixels, layout, threads: threads)
    decoration.finish(target, of: frame, in: &pixels, layout)
  }

  /// Draws the part of `target` in the pane without content and decoration. Traps like `draw`.
  package func drawGlass(
    _ target: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout,
    former: FormerLayer? = nil, threads: Int = 1
  ) {
    glass.draw(target, into: &pixels, layout, threads: threads)
    former?.draw(target.intersection(pane), over: &pixels, layout)
  }

  private func drawContent(
    _ target: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout, threads: Int
  ) {
    if content.isEmpty || target.isEmpty { return }
    _ = forEachBand(
      of: target.rows, threads: target.area < Self.smallArea ? 1 : threads, in: &pixels,
      at: layout.index(x: layout.bounds.x, y: target.y), stride: layout.stride
    ) { rows, band in
      content.draw(
        Rect(target.columns, rows), of: frame, over: &band,
        PixelLayout(Rect(layout.bounds.columns, rows), stride: layout.stride))
    }
  }

  /// The number of pixels below which to draw content takes less time than to wake a thread.
  private static var smallArea: Int { 1 << 15 }
}
