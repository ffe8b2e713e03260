package import Raster

/// The border, the corners and the shadow of panes of one size and style, drawn in this order over
/// the glass.
package struct Decoration: Sendable {
  /// The declared decoration.
  package let style: DecorationStyle
  /// The mask of the rounded corners.
  package let mask: CornerMask
  private let border: BorderMask?
  private let shadow: ShadowPatch?

  /// The decoration of panes of `width` x `height` pixels. Shares the pixels of the shadow with one
  /// of `others` that has the same shadow. Traps if the size is not positive or the shadow is out
  /// of range.
  package init(
    _ style: DecorationStyle, width: Int, height: Int, sharing others: [Decoration] = []
  ) {
    self.style = style
    let corner = style.corner
    mask = CornerMask(corner, width: width, height: height)
    border =
      style.border.isVisible
      ? BorderMask(style.border, corner: corner, width: width, height: height) : nil
    shadow =
      style.shadow.isVisible
      ? Self.sharedShadow(style, width: width, height: height, of: others)
        ?? ShadowPatch(style.shadow, corner: corner, width: width, height: height) : nil
  }

  /// The shadow of one of `others` that panes of this style and size can share.
  private static func sharedShadow(
    _ style: DecorationStyle, width: Int, height: Int, of others: [Decoration]
  ) -> ShadowPatch? {
    let same = others.first { other in
      other.style.shadow == style.shadow && other.style.corner == style.corner
        && other.shadow?.fits(width: width, height: height) == true
    }
    return same?.shadow
  }

  /// The number of pixels that are computed to make the decoration with the same arguments.
  package static func pixelCount(
    _ style: DecorationStyle, width: Int, height: Int, sharing others: [Decoration]
  ) -> Int {
    let corner = FittedCorner(style.corner, width: Double(width), height: Double(height)).pixels
    let hasOwnShadow =
      style.shadow.isVisible
      && sharedShadow(style, width: width, height: height, of: others) == nil
    if !hasOwnShadow { return corner * corner }
    return corner * corner
      + ShadowPatch.pixelCount(style.shadow, corner: style.corner, width: width, height: height)
  }

  /// Whether this is the decoration of panes of this style and size.
  package func fits(_ style: DecorationStyle, width: Int, height: Int) -> Bool {
    self.style == style && mask.width == width && mask.height == height
  }

  /// The bounding box of a pane and its shadow.
  package func bounds(of pane: Rect) -> Rect { shadow?.padding.around(pane) ?? pane }

  /// The part of a pane that the decoration does not change: without the border and without the squares
  /// at the corners.
  package func plainRegion(of pane: Rect) -> Region {
    let edge = border?.thickness ?? 0
    let corner = max(mask.reach, border?.reach ?? 0)
    return Region([pane.shrunk(x: corner, y: edge), pane.shrunk(x: edge, y: corner)])
  }

  /// Draws border, corners and shadow into the part `target` of a pane: premultiplied BGRA, in the
  /// coordinates of the output. `pixels` must contain the glass of the pane; pixels around the pane
  /// are replaced. Traps if `pane` has another size, or if `layout` does not cover the part of
  /// `target` in `bounds(of:)`.
  package func finish(
    _ target: Rect, of pane: Rect, in pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    border?.draw(target, of: pane, into: &pixels, layout)
    mask.cut(target, of: pane, in: &pixels, layout)
    shadow?.draw(target, of: pane, into: &pixels, layout)
  }
}

extension Rect {
  /// The rectangle without `dx` columns on the left and on the right, and `dy` rows at the top and at the
  /// bottom.
  fileprivate func shrunk(x dx: Int, y dy: Int) -> Rect {
    Rect(x: x + dx, y: y + dy, width: max(0, width - 2 * dx), height: max(0, height - 2 * dy))
  }
}
