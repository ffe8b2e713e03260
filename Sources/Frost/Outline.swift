package import Raster

/// What makes a pane of its glass: border, corners and shadow, in the order in which they must come.
package struct Outline: Sendable {
  package let style: OutlineStyle
  package let mask: CornerMask
  private var border: BorderMask?
  private var shadow: ShadowPatch?

  /// For panes of one size. The shadow is taken from one of `others` where it is the same.
  package init(_ style: OutlineStyle, width: Int, height: Int, sharing others: [Outline] = []) {
    self.style = style
    let corner = style.corner
    mask = CornerMask(corner, width: width, height: height)
    border =
      style.border.isVisible
      ? BorderMask(style.border, corner: corner, width: width, height: height) : nil
    if style.shadow.isVisible {
      let same = others.first { other in
        other.style.shadow == style.shadow && other.style.corner == corner
          && other.shadow?.serves(width: width, height: height) == true
      }
      shadow =
        same?.shadow ?? ShadowPatch(style.shadow, corner: corner, width: width, height: height)
    }
  }

  /// Whether it is that of a pane of a style and a size.
  package func fits(_ style: OutlineStyle, width: Int, height: Int) -> Bool {
    self.style == style && mask.width == width && mask.height == height
  }

  /// The same with a border and a shadow that are there in part, 0 to 1.
  package func faded(to presence: Double) -> Outline {
    if presence >= 1 { return self }
    let weight = Weight.rounded(presence)
    var outline = self
    outline.border?.fade(to: weight)
    outline.shadow?.fade(to: weight)
    return outline
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
