package import Raster

/// What makes a pane of its glass: border, corners and shadow, in the order in which they must come.
package struct Outline: Sendable {
  package let mask: CornerMask
  package let border: BorderMask?
  package let shadow: ShadowPatch?

  /// For panes of one size.
  package init(_ style: OutlineStyle, width: Int, height: Int) {
    let corner = style.corner
    mask = CornerMask(corner, width: width, height: height)
    border =
      style.border.isVisible
      ? BorderMask(style.border, corner: corner, width: width, height: height) : nil
    shadow =
      style.shadow.isVisible
      ? ShadowPatch(style.shadow, corner: corner, width: width, height: height) : nil
  }

  /// All that is drawn of a pane.
  package func bounds(of pane: Rect) -> Rect { shadow?.padding.around(pane) ?? pane }

  /// Where something behind a pane can be seen even if its glass is opaque: what is around it, and the
  /// squares at its corners. Disjoint.
  package func softParts(of pane: Rect) -> [Rect] {
    bounds(of: pane).subtracting(pane) + mask.corners(of: pane)
  }

  /// Finishes the part `target` of a pane, premultiplied BGRA, all in screen coordinates. What lies
  /// within the pane must just have been drawn, as glass; what lies around it is replaced.
  package func finish(
    _ target: Rect, of pane: Rect, in pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    border?.draw(target, of: pane, into: &pixels, layout)
    mask.cut(target, of: pane, in: &pixels, layout)
    shadow?.draw(target, of: pane, into: &pixels, layout)
  }
}
