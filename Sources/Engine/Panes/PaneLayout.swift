import Frost
import Panes
import Raster

/// The geometry of a pane and its decoration on an output.
struct PaneLayout {
  let output: Output
  /// The whole pane, which may extend beyond the output.
  let frame: Rect
  let decoration: Decoration
  /// The state of the overlay that shows it.
  let state: OverlayState
  /// The parts in which the overlay must contain pixels of the backdrop, because the display does
  /// not blend it. Disjoint rectangles.
  let softParts: [Rect]

  /// Returns nil if the pane is outside the output. Shares the pixels of shadows with `others`.
  init?(_ pane: Pane, on output: Output, blendsAlpha: Bool, sharing others: [Decoration]) {
    let frame = pane.placement.frame(on: output.bounds)
    guard frame.intersects(output.bounds) else { return nil }
    let (width, height) = (frame.width, frame.height)
    let known = others.first { $0.fits(pane.decoration, width: width, height: height) }
    let decoration =
      known ?? Decoration(pane.decoration, width: width, height: height, sharing: others)
    let (mask, bounds) = (decoration.mask, output.bounds)
    let hasAlpha = blendsAlpha && !pane.decoration.isSharp
    let rect = decoration.bounds(of: frame).intersection(bounds)
    func covered(by share: Double) -> Region {
      mask.region(of: frame, coveredBy: share).intersection(bounds)
    }
    self.output = output
    self.frame = frame
    self.decoration = decoration
    state = OverlayState(
      rect: rect, hasAlpha: hasAlpha, opaque: hasAlpha ? covered(by: 1) : Region(rect),
      inputRegion: pane.input == .grab ? covered(by: 0.5) : Region())
    softParts =
      hasAlpha || pane.decoration.isSharp
      ? []
      : decoration.softParts(of: frame).map { $0.intersection(bounds) }.filter { !$0.isEmpty }
  }

  /// Whether both layouts draw the same pixels at the same position. The input regions may differ.
  func draws(like other: PaneLayout) -> Bool {
    frame == other.frame && output == other.output && decoration.style == other.decoration.style
      && state.hasAlpha == other.state.hasAlpha && state.rect == other.state.rect
  }
}
