import Frost
import Panes
import Raster

/// The geometry of a pane and its decorations on an output.
struct PaneLayout {
  let output: Output
  /// The whole screen.
  let screen: Output
  /// The whole pane, which may extend beyond the output.
  let frame: Rect
  /// The part of the output in which it is visible.
  let clip: Rect
  /// The area that a moving drawer will cover, so that its next frames need no capture; the pane itself otherwise.
  let travel: Rect
  /// The decoration of each look.
  let decorations: [Decoration]
  /// The state of the overlay that shows it.
  let state: OverlayState
  /// A region that contains all pixels through which what is below is visible.
  let translucentRegion: Region
  /// Whether the display blurs what is behind, so that the pane is a sheet of colour.
  let isSheet: Bool

  /// Returns nil if the pane is outside the output, or if the window above it hides it. Shares the pixels of shadows with `others`.
  init?(
    _ entry: PaneEntry, on output: Output, of screen: Output, blendsAlpha: Bool,
    isSheet: Bool, sharing others: [Decoration]
  ) {
    let (pane, looks) = (entry.pane, entry.looks)
    let clip = entry.clip(on: output)
    guard let frame = entry.frame, frame.intersects(clip) else { return nil }
    if let target = entry.target, !Self.canShow(target, entry, blendsAlpha: blendsAlpha) {
      return nil
    }
    // The frame around the window has the corners and the shadow.
    let styles = looks.parts.map { entry.isOver ? DecorationStyle() : $0.look.decoration }
    let decorations = styles.map { Self.decoration($0, of: frame, sharing: others) }
    self.output = output
    self.screen = screen
    self.frame = frame
    self.clip = clip
    let isMoving = entry.drawer?.isMoving == true
    let open = isMoving ? pane.placement.frame(on: output) : frame
    travel = frame.hull(open).intersection(output.bounds)
    self.decorations = decorations
    let isSharp = styles.allSatisfy(\.isSharp) && entry.coverage == nil
    let hasAlpha =
      entry.isOver
      ? blendsAlpha && entry.target?.client?.hasAlpha == true : isSheet || blendsAlpha && !isSharp
    self.isSheet = isSheet
    func bounds(at frame: Rect) -> Rect {
      decorations.reduce(frame) { $0.hull($1.bounds(of: frame)) }.intersection(clip)
    }
    let rect = bounds(at: frame)
    let shape = Self.shape(of: entry, frame: frame, rect: rect, hasAlpha: hasAlpha)
    let ends = pane.travel(on: output).map { [$0.frame(at: 0), $0.open] } ?? []
    func covered(_ decorations: some Sequence<Decoration>, by share: Double) -> Region {
      decorations.reduce(Region(rect)) {
        $0.intersection($1.mask.region(of: frame, coveredBy: share))
      }
    }
    // Only its pixels tell where a window with alpha is opaque.
    let isOpaque = !isSheet && !entry.isOver && entry.coverage == nil && looks.opacity == 1
    let opaque = isOpaque ? covered(decorations, by: 1) : Region()
    let visible = covered(decorations.suffix(1), by: 0.5)
    let inputRegion = pane.input == .grab ? Region(frame) : entry.handle
    state = OverlayState(
      rect: rect, travel: ends.reduce(rect) { $0.hull(bounds(at: $1)) }, shape: shape,
      hasAlpha: hasAlpha,
      opaque: hasAlpha ? opaque : Region(rect),
      blurred: isSheet ? visible.intersection(frame) : Region(),
      inputRegion: inputRegion.isEmpty ? inputRegion : inputRegion.intersection(visible),
      reportsContacts: pane.drawer != nil || pane.click != nil, cover: entry.cover)
    if entry.isOver {
      translucentRegion = Region()
    } else if looks.opacity < 1 || entry.coverage != nil {
      translucentRegion = Region(rect)
    } else {
      // Some looks may have no shadow, so the whole area around the pane is translucent.
      let corners = decorations.flatMap { $0.mask.corners(of: frame) }
      translucentRegion = Region(rect.subtracting(frame) + corners.map { $0.intersection(rect) })
    }
  }

  /// Whether a pane can be visible beneath or over a window.
  private static func canShow(
    _ target: TargetWindow, _ entry: PaneEntry, blendsAlpha: Bool
  ) -> Bool {
    if !entry.isOver { return blendsAlpha && target.isTranslucent }
    return target.client?.isFullscreen == false && !entry.backgrounds.isRefused
  }

  /// The part of a rectangle in which a pane is visible: of one beneath a window, the glass where the window is, and the area around
  /// the pane; of one over a window, where its program asks for blur. Nil if the whole rectangle is visible and, beneath a window, has
  /// alpha. Without alpha it is a shape, because marco paints a shadow around a window without alpha and shape.
  private static func shape(
    of entry: PaneEntry, frame: Rect, rect: Rect, hasAlpha: Bool
  ) -> Region? {
    guard let target = entry.target, let glass = entry.glassBehindTarget else { return nil }
    if entry.isOver {
      let shown = target.requested?.intersection(rect)
      return shown?.contains(rect) == false ? shown : nil
    }
    let hidden = Region(frame).subtracting(glass.intersection(target.shape)).intersection(rect)
    return hidden.isEmpty && hasAlpha ? nil : Region(rect).subtracting(hidden)
  }

  /// The part of the pane on its output.
  var part: Rect { frame.intersection(output.bounds) }

  /// The region in which the overlay must contain pixels of the backdrop, because the display does not blend it.
  var softRegion: Region { state.hasAlpha ? Region() : translucentRegion }

  private static func decoration(
    _ style: DecorationStyle, of frame: Rect, sharing others: [Decoration]
  ) -> Decoration {
    let (width, height) = (frame.width, frame.height)
    let known = others.first { $0.fits(style, width: width, height: height) }
    return known ?? Decoration(style, width: width, height: height, sharing: others)
  }

  /// Whether an overlay with this layout shows the same part of the screen and of what is below it as one with the
  /// other layout. The input regions may differ.
  func covers(like other: PaneLayout) -> Bool {
    frame == other.frame && clip == other.clip && OutputKey(output) == OutputKey(other.output)
      && OutputKey(screen) == OutputKey(other.screen) && softRegion == other.softRegion
      && isSheet == other.isSheet && state.hasAlpha == other.state.hasAlpha
      && state.rect == other.state.rect && state.cover?.client == other.state.cover?.client
  }
}
