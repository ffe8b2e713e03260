package import Raster

/// The shadow of panes of one corner, as pixels: a nine-patch, made once.
///
/// It is the shadow of the smallest pane whose middle is out of reach of both ends: that of any larger
/// one is the same, bit for bit, with its middle row and column repeated. A pane that is smaller than
/// that, in width or height, has a patch of just its own, so that both its ends count in full. So no patch
/// is larger than its pane with the padding, nor has it more than about 2 * (corner + 4 * sigma + offset)
/// rows or columns within the pane.
package struct ShadowPatch: Sendable {
  package let padding: Padding
  private let corner: Corner
  private let fitted: FittedCorner
  private let across, down: PatchAxis
  /// Premultiplied BGRA, row by row, the padding included.
  private var pixels: [UInt32]

  /// For a pane of this size, and all that it `serves`. A shadow whose radius or offset is out of its range
  /// is the caller's error.
  package init(_ shadow: Shadow, corner: Corner, width: Int, height: Int) {
    precondition(width > 0 && height > 0 && shadow.isDrawable)
    self.corner = corner
    padding = shadow.padding
    fitted = FittedCorner(corner, width: Double(width), height: Double(height))
    let blur = ShadowBlur(sigma: shadow.sigma)
    across = PatchAxis(
      paneLength: width, corner: fitted.pixels, blur: blur.radius, offset: shadow.offsetX,
      before: padding.left, after: padding.right)
    down = PatchAxis(
      paneLength: height, corner: fitted.pixels, blur: blur.radius, offset: shadow.offsetY,
      before: padding.top, after: padding.bottom)
    pixels = shadowPixels(shadow, blur, fitted, across, down)
  }

  /// Whether it is the patch of a pane of another size, too.
  package func serves(width: Int, height: Int) -> Bool {
    across.serves(width) && down.serves(height)
      && FittedCorner(corner, width: Double(width), height: Double(height)) == fitted
  }

  mutating func fade(to weight: UInt16) {
    for i in pixels.indices { pixels[i] = scaled(pixels[i], by: weight) }
  }

  package var byteCount: Int { 4 * pixels.count }

  /// Draws the part `target` of the shadow of a pane; all in screen coordinates.
  ///
  /// Beyond the pane, pixels are replaced. In the squares at the pane's corners the shadow is added to
  /// what is there: glass that `CornerMask.cut` has cut. The rest of the pane is not touched.
  package func draw(
    _ target: Rect, of pane: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    precondition(serves(width: pane.width, height: pane.height))
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
      let from = down.place(of: y - pane.y, in: pane.height) * across.count
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
      let pixel = source[from]
      for i in 0..<run.count { pixels[to &+ i] = pixel }
    } else {
      for i in 0..<run.count { pixels[to &+ i] = source[from &+ i] }
    }
  }

  /// No run within a corner is repeated.
  private func add(
    _ run: PatchRun, _ from: Int, _ pixels: inout MutableSpan<UInt32>, _ to: Int
  ) {
    let source = self.pixels.span
    let (from, to) = (from + run.from, to + run.to)
    for i in 0..<run.count { pixels[to &+ i] = sum(pixels[to &+ i], source[from &+ i]) }
  }
}
