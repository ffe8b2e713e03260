package import Raster

/// Paints a pane over a picture in memory, without a display.
package struct PaintedPane: Sendable {
  /// The material of the glass.
  package var material: Material
  /// The decoration.
  package var style: DecorationStyle
  /// The content items, placed for a pane of the size that is painted.
  package var contents: [Content]
  /// The largest number of threads, 1 to 16. Small pictures use one.
  package var threads: Int

  package init(
    material: Material, style: DecorationStyle = DecorationStyle(), contents: [Content] = [],
    threads: Int = 1
  ) {
    self.material = material
    self.style = style
    self.contents = contents
    self.threads = threads
  }

  /// Returns the picture with the pane painted over its part `frame`. The edges of the picture
  /// mirror its pixels. `frame` may extend beyond the picture but must share a pixel with it. If
  /// `isOpaque`, the fourth byte of the picture has no meaning.
  package func painted(on picture: consuming Bitmap, isOpaque: Bool, _ frame: Rect) -> Bitmap {
    let renderer = renderer(over: picture, isOpaque: isOpaque, frame, clip: picture.bounds)
    let target = renderer.bounds
    let layout = PixelLayout(target)
    var canvas = Bitmap(width: target.width, height: target.height)
    var pixels = canvas.pixels.mutableSpan
    renderer.draw(target, into: &pixels, layout, threads: threads)
    if isOpaque {
      compose(
        target, of: &pixels, layout, over: picture.pixels.span, PixelLayout(picture.bounds))
    } else {
      canvas.addColors(of: rest(of: picture, target, frame))
    }
    for y in target.rows {
      for x in target.columns { picture[x, y] = canvas[x - target.x, y - target.y] }
    }
    return picture
  }

  /// Returns the whole picture as glass, premultiplied BGRA. Pixels outside the corners are
  /// transparent. The result is larger than the picture by the padding of the shadow.
  package func painted(of picture: consuming Bitmap, isOpaque: Bool) -> Bitmap {
    let pane = picture.bounds
    let target = decoration(of: pane).bounds(of: pane)
    let renderer = renderer(over: picture, isOpaque: isOpaque, pane, clip: target)
    // Reuses the memory if the size is the same, because a picture may occupy half of all memory.
    if target != pane { picture = Bitmap(width: target.width, height: target.height) }
    var pixels = picture.pixels.mutableSpan
    renderer.draw(target, into: &pixels, PixelLayout(target), threads: threads)
    return picture
  }

  private func decoration(of frame: Rect) -> Decoration {
    Decoration(style, width: frame.width, height: frame.height)
  }

  private func renderer(
    over picture: borrowing Bitmap, isOpaque: Bool, _ frame: Rect, clip: Rect
  ) -> PaneRenderer {
    let renderer = PaneRenderer(
      frame: frame, output: picture.bounds, clip: clip, material: material,
      decoration: decoration(of: frame), content: ContentState(Contents(contents)))
    let grid = CellGrid(renderer.geometry)
    _ = grid.update(
      with: picture.pixels.span, PixelLayout(picture.bounds), isOpaque: isOpaque,
      cells: renderer.cells, threads: threads)
    _ = renderer.settle(from: grid, threads: threads)
    return renderer
  }

  /// The part of a translucent picture that remains visible around the pane. The glass replaces the
  /// picture, so this is the picture composed under an opaque pane of the same shape, minus that
  /// pane's alpha.
  private func rest(of picture: borrowing Bitmap, _ target: Rect, _ frame: Rect) -> Bitmap {
    let layout = PixelLayout(target)
    var black = Bitmap(width: target.width, height: target.height, filledWith: 0xFF00_0000)
    var pixels = black.pixels.mutableSpan
    decoration(of: frame).finish(target, of: frame, in: &pixels, layout)
    let alphas = black.pixels.map { $0 & 0xFF00_0000 }
    for i in alphas.indices { black.pixels[i] = alphas[i] }
    var span = black.pixels.mutableSpan
    compose(target, of: &span, layout, over: picture.pixels.span, PixelLayout(picture.bounds))
    for i in alphas.indices { black.pixels[i] -= alphas[i] }
    return black
  }
}

/// The mean relative luminance of a picture, from 0 to 1, behind a pane with a material. `frame` is as for `painted(on:)`.
package func meanLuminance(
  of picture: borrowing Bitmap, isOpaque: Bool, behind frame: Rect, of material: Material
) -> Double {
  let pane = frame.intersection(picture.bounds)
  let glass = Glass(pane: pane, output: picture.bounds, material: material)
  let grid = CellGrid(glass.geometry)
  _ = grid.update(
    with: picture.pixels.span, PixelLayout(picture.bounds), isOpaque: isOpaque, cells: glass.cells,
    threads: 1)
  return grid.meanLuminance(of: pane)
}

extension Bitmap {
  /// Adds the four channels of each pixel of another picture of the same size, saturating at 255.
  fileprivate mutating func addColors(of other: Bitmap) {
    for (i, pixel) in other.pixels.enumerated() { pixels[i] = sum(pixels[i], pixel) }
  }
}
