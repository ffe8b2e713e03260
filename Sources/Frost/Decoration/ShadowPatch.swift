package import Raster

/// The pixels of the shadow of panes with one corner, as a nine-patch.
///
/// The patch is the shadow of the smallest pane whose middle depends on neither end. The shadow of
/// any larger pane is the same with the middle row and column repeated, bit for bit. A pane with a
/// smaller width or height needs a patch of its own, because both ends affect every pixel. So a
/// patch is at most as large as its pane with the padding, and has at most about 2 * (corner + 4 *
/// sigma + offset) rows and columns within the pane.
package struct ShadowPatch: Sendable {
  /// The distance that the shadow extends beyond each side of the pane.
  package let padding: Padding
  private let corner: Corner
  private let fitted: FittedCorner
  private let across, down: PatchAxis
  /// Premultiplied BGRA, row by row, including the padding.
  private var pixels: [UInt32]

  /// The patch for panes of this size and of all others that it `fits`. Traps if the size is not
  /// positive, or if the shadow's radius or offset is out of range.
  package init(_ shadow: Shadow, corner: Corner, width: Int, height: Int) {
    precondition(width > 0 && height > 0 && shadow.isDrawable)
    self.corner = corner
    padding = shadow.padding
    fitted = FittedCorner(corner, width: Double(width), height: Double(height))
    let blur = ShadowBlur(sigma: shadow.sigma)
    (across, down) = Self.axes(shadow, fitted, blur, padding, width: width, height: height)
    pixels = shadowPixels(shadow, blur, fitted, across, down)
  }

  private static func axes(
    _ shadow: Shadow, _ corner: FittedCorner, _ blur: ShadowBlur, _ padding: Padding, width: Int,
    height: Int
  ) -> (across: PatchAxis, down: PatchAxis) {
    let across = PatchAxis(
      paneLength: width, corner: corner.pixels, blur: blur.radius, offset: shadow.offsetX,
      before: padding.left, after: padding.right)
    let down = PatchAxis(
      paneLength: height, corner: corner.pixels, blur: blur.radius, offset: shadow.offsetY,
      before: padding.top, after: padding.bottom)
    return (across, down)
  }

  /// The number of pixels of a patch. Traps like `init`.
  static func pixelCount(_ shadow: Shadow, corner: Corner, width: Int, height: Int) -> Int {
    precondition(width > 0 && height > 0 && shadow.isDrawable)
    let fitted = FittedCorner(corner, width: Double(width), height: Double(height))
    let (across, down) = axes(
      shadow, fitted, ShadowBlur(sigma: shadow.sigma), shadow.padding, width: width, height: height)
    return across.count * down.count
  }

  /// Whether the patch can draw the shadow of a pane of this size.
  package func fits(width: Int, height: Int) -> Bool {
    across.fits(width) && down.fits(height)
      && FittedCorner(corner, width: Double(width), height: Double(height)) == fitted
  }

  /// The memory of the pixels, in bytes.
  package var byteCount: Int { 4 * pixels.count }

  /// Draws the part `target` of the shadow of a pane, in the coordinates of the output. Traps if
  /// the patch does not fit the pane, or if `layout` does not cover the part of `target` that the
  /// shadow may change.
  ///
  /// Pixels outside the pane are replaced. In the squares at its corners the shadow is added to the
  /// glass, to which `CornerMask.cut` must have been applied. The rest of the pane is unchanged.
  package func draw(
    _ target: Rect, of pane: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    precondition(fits(width: pane.width, height: pane.height))
    let target = target.intersection(padding.around(pane))
    if target.isEmpty { return }
    precondition(layout.bounds.contains(target) && pixels.count >= layout.pixelCount)
    let x = layout.bounds.x
    func runs(_ columns: Range<Int>) -> [PatchRun] {
      across.runs(columns.clamped(to: target.columns), of: pane.columns, from: x)
    }
    let whole = runs(target.columns)
    let sides =
      runs(target.x..<max(target.x, pane.x)) + runs(pane.maxX..<max(pane.maxX, target.maxX))
    let reach = fitted.pixels
    let left = min(pane.x + reach, pane.maxX)
    let corners = runs(pane.x..<left) + runs(max(left, pane.maxX - reach)..<pane.maxX)
    for y in target.rows {
      let from = down.index(of: y - pane.y, in: pane.height) * across.count
      let to = layout.index(x: x, y: y)
      let isBeyond = !pane.rows.contains(y)
      for run in isBeyond ? whole : sides { replace(run, from, &pixels, to) }
      if isBeyond || min(y - pane.y, pane.maxY - 1 - y) >= reach { continue }
      for run in corners { add(run, from, &pixels, to) }
    }
  }

  private func replace(
    _ run: PatchRun, _ from: Int, _ pixels: inout MutableSpan<UInt32>, _ to: Int
  ) {
    let source = self.pixels.span
    let (from, to) = (from + run.from, to + run.to)
    if run.isRepeated {
      fill(&pixels, to..<to + run.count, source[from])
    } else {
      copyPixels(from: source, at: from, to: &pixels, at: to, count: run.count)
    }
  }

  private func fill(_ pixels: inout MutableSpan<UInt32>, _ range: Range<Int>, _ pixel: UInt32) {
    precondition(range.lowerBound >= 0 && range.upperBound <= pixels.count)
    var i = range.lowerBound
    while i &+ 8 <= range.upperBound {
      pixels.store(SIMD8(repeating: pixel), at: i)
      i &+= 8
    }
    while i < range.upperBound {
      pixels[i] = pixel
      i &+= 1
    }
  }

  /// Adds a run, which is not repeated: runs within corners never are.
  private func add(
    _ run: PatchRun, _ from: Int, _ pixels: inout MutableSpan<UInt32>, _ to: Int
  ) {
    let source = self.pixels.span
    let (from, to) = (from + run.from, to + run.to)
    for i in 0..<run.count { pixels[to &+ i] = sum(pixels[to &+ i], source[from &+ i]) }
  }
}
