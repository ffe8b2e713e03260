package import Raster

/// Replaces the even background of an opaque window by glass, and leaves everything else of the window as it is. For each channel
/// of a pixel p of the window, with the background colour B:
///
///     result = p + w (1 - a) s (glass - B),   a = max over channels of |p - B| / max(128, range),
///     range = 255 - B where p > B, else B
///
/// a is the opacity that the drawing over the background has at least ("colour to alpha"); the division by it cancels. Without
/// the floor of 128, white fields on a nearly white background would count as opaque. s is `strength`, w the weight of surfaces
/// (`SurfaceCells`). With alpha, the share of glass also falls from 1 at an alpha of 255 to 0 at half of it, so that shadows that
/// programs draw stay as they are.
package struct BackgroundKey: Equatable, Sendable {
  /// The background, 0xRRGGBB.
  package var color: UInt32
  /// The share of the background that becomes glass, 0 to 1.
  package var strength: Double
  /// The colours of surfaces beside the background, 0xRRGGBB; nil if pixels of other surfaces, such as pictures, become glass too.
  package var surfaces: [UInt32]?
  /// Whether the pixels of the window have alpha, premultiplied. Otherwise their fourth byte has no meaning.
  package var hasAlpha: Bool

  /// A key that replaces a colour.
  package init(
    _ color: UInt32, strength: Double, surfaces: [UInt32]? = nil, hasAlpha: Bool = false
  ) {
    self.color = color & 0xff_ffff
    self.strength = strength
    self.surfaces = surfaces
    self.hasAlpha = hasAlpha
  }

  /// The distance up to which a pixel of the window changes the result for others.
  package var reach: Int { surfaces == nil ? 0 : SurfaceCells.reach }

  /// What becomes of the background over glass of one colour, 0xRRGGBB.
  package func color(overGlass glass: UInt32) -> UInt32 {
    func level(_ shift: UInt32) -> UInt32 {
      let (own, below) = (Double(color >> shift & 0xff), Double(glass >> shift & 0xff))
      return UInt32(own + strength * (below - own)) << shift
    }
    return level(0) | level(8) | level(16)
  }

  /// Draws the part `target` of a window with glass in place of its background. The pixels are those of the glass before. All
  /// rectangles are in the coordinates of the grid, which contains the window. Its pixels in `visible` are known. Traps if that or
  /// `layout` does not cover `target`.
  package func draw(
    _ target: Rect, of window: PixelGrid, visible: Rect,
    overGlass pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout, threads: Int = 1
  ) {
    if target.isEmpty { return }
    precondition(window.output.contains(visible) && visible.contains(target))
    precondition(layout.bounds.contains(target))
    precondition(pixels.count >= layout.pixelCount)
    _ = forEachBand(
      of: target.rows, threads: target.area < Self.smallArea ? 1 : threads, in: &pixels,
      at: layout.index(x: layout.bounds.x, y: target.y), stride: layout.stride
    ) { rows, band in
      let bandLayout = PixelLayout(Rect(layout.bounds.columns, rows), stride: layout.stride)
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.bandHeight) {
        let part = Rect(target.columns, first..<min(first + Self.bandHeight, rows.upperBound))
        drawBand(part, of: window, visible, overGlass: &band, bandLayout)
      }
    }
  }

  private func drawBand(
    _ target: Rect, of window: PixelGrid, _ visible: Rect,
    overGlass pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    let cells = surfaces.map { _ in
      SurfaceCells(around: target, in: window.output, visible: visible)
    }
    let source = cells?.source ?? target
    var picture = Bitmap(width: source.width, height: source.height)
    let sourceLayout = PixelLayout(source)
    var copied = picture.pixels.mutableSpan
    window.copy(source, into: &copied, sourceLayout)
    let weights = cells?.weights(of: picture.pixels.span, SurfaceTest(color, surfaces ?? []))
    let kernel = KeyKernel(self)
    var line = [Int16](repeating: 0, count: cells?.lineLength ?? 0)
    for y in target.rows {
      let from = sourceLayout.index(x: target.x, y: y)
      let to = layout.index(x: target.x, y: y)
      if let cells, let weights, !weights.areAllLargest {
        var cellLine = line.mutableSpan
        cells.interpolate(weights, row: y, into: &cellLine)
        kernel.draw(
          picture.pixels.span, at: from, weights: line.span,
          offset: cells.offset(ofColumn: target.x),
          overGlass: &pixels, at: to, count: target.width)
      } else {
        kernel.draw(
          picture.pixels.span, at: from, areCellsLargest: weights != nil, overGlass: &pixels,
          at: to,
          count: target.width)
      }
    }
  }

  /// The number of rows whose surfaces are searched together.
  private static var bandHeight: Int { 64 }
  /// The number of pixels below which to draw takes less time than to wake a thread.
  private static var smallArea: Int { 1 << 16 }
}
