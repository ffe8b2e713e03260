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
    frame = pane.placement.frame(on: stage.screen)
    rect = frame.intersection(stage.screen)
    let (width, height) = (frame.width, frame.height)
    let known = others.first { $0.fits(pane.outline, width: width, height: height) }
    outline =
      known ?? Outline(pane.outline, width: width, height: height, sharing: others)
    var clickable = Region()
    if pane.input == .grab {
      clickable = outline.mask.region(of: frame).intersection(stage.screen)
    }
    shape = OverlayShape(
      rect: outline.bounds(of: frame).intersection(stage.screen),
      hasAlpha: stage.blendsAlpha && !pane.outline.isSharp, clickable: clickable)
  }

  /// All that is drawn of the pane.
  var bounds: Rect { shape.rect }

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
