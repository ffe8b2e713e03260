package import Raster

/// The glass of one pane over a picture in memory, with a grid of its own.
package struct PictureGlass: ~Copyable {
  private let grid: CellGrid
  /// The glass.
  package private(set) var glass: Glass
  /// The largest number of threads of an update, 1 to 16. Small updates use one.
  package var threads: Int

  /// Traps if `pane` is empty or not inside `picture`, whose edges mirror its pixels.
  package init(pane: Rect, picture: Rect, material: Material, threads: Int = 1) {
    precondition((1...16).contains(threads))
    glass = Glass(pane: pane, output: picture, material: material)
    grid = CellGrid(glass.geometry)
    self.threads = threads
  }

  /// The pixels on which the glass depends.
  package var sourceRegion: Rect { glass.sourceRegion }

  /// The pixels that `update` needs if those in `damage` changed; empty if the glass depends on
  /// none of them.
  package func source(for damage: Rect) -> Rect {
    glass.geometry.source(ofCells: cells(dependingOn: damage))
  }

  private func cells(dependingOn damage: Rect) -> Rect {
    glass.geometry.cells(dependingOn: damage, in: glass.cells)
  }

  /// Reads the pixels that changed. `pixels` is premultiplied BGRA, or BGRX if `isOpaque`; `layout`
  /// must cover `source(for: damage)`. Returns whether any cell changed.
  @discardableResult
  package mutating func update(
    with pixels: Span<UInt32>, _ layout: PixelLayout, isOpaque: Bool, damage: Rect
  ) -> Bool {
    let target = cells(dependingOn: damage)
    let pixelCount = target.area * glass.geometry.reduction.cell * glass.geometry.reduction.cell
    let threads = pixelCount < 1 << 18 ? 1 : threads
    let changed = grid.update(
      with: pixels, layout, isOpaque: isOpaque, cells: target, threads: threads)
    glass.markChanged(cells: changed.rects)
    return !changed.isEmpty
  }

  /// Changes the material. Traps if the blur differs.
  package mutating func setMaterial(_ material: Material) { glass.setMaterial(material) }

  /// Updates the glass. Returns the pixels that must be drawn again: the whole pane the first time.
  package mutating func settle() -> Region { glass.settle(from: grid, threads: threads) }

  /// Draws the part of `target` in the pane, as premultiplied BGRA; `layout` must cover it.
  package func draw(
    _ target: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    glass.draw(target, into: &pixels, layout, threads: threads)
  }
}
