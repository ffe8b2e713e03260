import Frost
import Panes
import Raster

/// What panes are shown on.
struct Stage: Equatable {
  var screen: Rect
  /// Whether windows with alpha are blended with what lies below them.
  var blendsAlpha: Bool
}

/// Where a pane and all that is drawn of it lie on a stage.
struct PaneLayout {
  /// The whole pane, which may reach beyond the screen.
  let frame: Rect
  /// Its part on the screen; empty when it is off it.
  let rect: Rect
  let outline: Outline
  /// The window that shows it.
  let shape: OverlayShape

  /// Shadows are shared with other panes.
  init(_ pane: Pane, on stage: Stage, sharing others: [Outline]) {
    let frame = pane.placement.frame(on: stage.screen)
    let (width, height) = (frame.width, frame.height)
    let known = others.first { $0.fits(pane.outline, width: width, height: height) }
    let outline =
      known ?? Outline(pane.outline, width: width, height: height, sharing: others)
    (self.frame, self.outline) = (frame, outline)
    rect = frame.intersection(stage.screen)
    let (bounds, mask) = (outline.bounds(of: frame).intersection(stage.screen), outline.mask)
    let hasAlpha = stage.blendsAlpha && !pane.outline.isSharp
    func covered(by share: Double) -> Region {
      mask.region(of: frame, coveredBy: share).intersection(stage.screen)
    }
    shape = OverlayShape(
      rect: bounds, hasAlpha: hasAlpha, opaque: hasAlpha ? covered(by: 1) : Region(bounds),
      clickable: pane.input == .grab ? covered(by: 0.5) : Region())
  }

  /// All that is drawn of the pane.
  var bounds: Rect { shape.rect }

  /// Whether nothing of what lies below its glass can be seen in a part of the screen.
  func covers(_ part: Rect) -> Bool {
    let (glass, reach) = (rect, outline.mask.reach)
    let upright = frame.columns.dropFirst(reach).dropLast(reach)
    let lying = frame.rows.dropFirst(reach).dropLast(reach)
    return Rect(upright, frame.rows).intersection(glass).contains(part)
      || Rect(frame.columns, lying).intersection(glass).contains(part)
  }

  /// Where the backdrop itself is to be drawn around the glass: nobody else blends it with the pane.
  func surround(on stage: Stage) -> Surround? {
    if stage.blendsAlpha || outline.style.isSharp { return nil }
    return Surround(outline.softParts(of: frame).map { $0.intersection(stage.screen) })
  }

  /// Whether its glass and its outline are where those of another layout are.
  func isSame(as other: PaneLayout) -> Bool {
    frame == other.frame && rect == other.rect && outline.style == other.outline.style
      && shape.hasAlpha == other.shape.hasAlpha
  }
}
