package import Raster

/// Limits glass beneath a window to where the window paints: round corners that a program draws, and the gaps between its parts,
/// stay free. The share of a pixel of the window with alpha a that has glass is
///
///     min(1, a / full)
///
/// so that the antialiased edge of the window is one of the glass too.
package struct WindowCoverage: Equatable, Sendable {
  /// The alpha of the window's background, 1 to 255: from it on all of a pixel has glass.
  package let full: UInt8

  /// Traps if `full` is 0.
  package init(full: UInt8) {
    precondition(full > 0)
    self.full = full
  }

  /// Limits the part `target` of glass, premultiplied. `window` has the premultiplied pixels of the window. All rectangles are in the
  /// coordinates of the grid. Traps if that or `layout` does not cover `target`.
  package func limit(
    _ target: Rect, of window: PixelGrid, glass pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    if target.isEmpty { return }
    precondition(window.output.contains(target))
    precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
    var row = [UInt32](repeating: 0, count: target.width)
    for y in target.rows {
      let line = Rect(x: target.x, y: y, width: target.width, height: 1)
      var own = row.mutableSpan
      window.copy(line, into: &own, PixelLayout(line))
      let first = layout.index(x: target.x, y: y)
      for x in 0..<target.width where row[x] >> 24 < UInt32(full) {
        pixels[first + x] = scaled(pixels[first + x], by: row[x] >> 24)
      }
    }
  }

  /// All four channels multiplied by `alpha / full`, each rounded to the nearest.
  private func scaled(_ pixel: UInt32, by alpha: UInt32) -> UInt32 {
    if alpha == 0 || pixel == 0 { return 0 }
    let full = UInt32(full)
    func channel(_ shift: UInt32) -> UInt32 {
      (((pixel >> shift & 0xff) * alpha + full / 2) / full) << shift
    }
    return channel(0) | channel(8) | channel(16) | channel(24)
  }
}
