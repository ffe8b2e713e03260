import Frost
import Panes
import Raster

/// One frame: what has changed is captured, made glass of, drawn and sent.
extension Engine where Server: ~Copyable {
  mutating func showFrame() throws(DesktopError) {
    for entry in shown where entry.isDue { try absorb(entry) }
    for entry in shown where entry.isDue && entry.isDrawable {
      redrawPanes(above: entry, entry.undrawn)
      try present(entry)
    }
  }

  /// A pane whose surround is its own shows there what lies below it: other panes, too.
  mutating func redrawPanes(above entry: ShownPane, _ region: Region) {
    guard let index = shown.firstIndex(where: { $0 === entry }) else { return }
    for higher in shown[(index + 1)...] {
      guard let surround = higher.surround?.region else { continue }
      higher.undrawn.form(union: region.intersection(surround))
    }
  }

  // MARK: Capture

  /// Captures a pane's damage and brings it up to date. What cannot be read stays damaged.
  mutating func absorb(_ entry: ShownPane) throws(DesktopError) {
    var isChanged = try absorbGlass(entry)
    if try absorbSurround(entry) { isChanged = true }
    if !isChanged, entry.damage.isEmpty, entry.bareDamage.isEmpty, entry.undrawn.isEmpty {
      statistics.unchangedFrames += 1
    }
  }

  /// Returns whether something has changed.
  private mutating func absorbGlass(_ entry: ShownPane) throws(DesktopError) -> Bool {
    let damage = entry.damage.simplified(to: 8).rects
    entry.damage = Region()
    let sources = damage.compactMap { entry.glass?.source(for: $0) }
    var isChanged = false
    let unread = try capture(damage, from: sources, seeing: entry.pane.sees) {
      pixels, layout, damage in
      entry.isBlank = false
      let change = entry.glass?.absorb(pixels, layout, isOpaque: true, damage: damage)
      if change == true { isChanged = true }
    }
    entry.damage.form(union: unread)
    let captured = clock()
    if isChanged { entry.settle() }
    statistics.blurring += clock() - captured
    return isChanged
  }

  private mutating func absorbSurround(_ entry: ShownPane) throws(DesktopError) -> Bool {
    let damage = entry.surround?.hulls(of: entry.bareDamage) ?? []
    entry.bareDamage = Region()
    var changed = Region()
    let unread = try capture(damage, from: damage, seeing: .windows) { pixels, layout, damage in
      changed.form(
        union: entry.surround?.absorb(pixels, layout, damage: damage) ?? Region())
    }
    entry.bareDamage.form(union: unread)
    entry.undrawn.form(union: changed)
    return !changed.isEmpty
  }

  /// Calls `body` for each rectangle of damage, with pixels that cover the source of the same index.
  /// Returns the damage that could not be read.
  private mutating func capture(
    _ damage: [Rect], from sources: [Rect], seeing sight: Sight,
    _ body: (Span<UInt32>, PixelLayout, Rect) -> Void
  ) throws(DesktopError) -> Region {
    if sources.isEmpty { return Region() }
    var unread = Region(damage)
    var reducing = Duration.zero
    let start = clock()
    try server.capture(sources, seeing: sight) { [clock] index, pixels, layout in
      let before = clock()
      unread.subtract(damage[index])
      body(pixels, layout, damage[index])
      reducing += clock() - before
    }
    statistics.damagedPixels += damage.reduce(0) { $0 + $1.area }
    statistics.capturing += clock() - start - reducing
    statistics.reducing += reducing
    return unread
  }

  // MARK: Presentation

  /// Draws what a pane has not drawn yet, and sends it to the screen.
  private mutating func present(_ entry: ShownPane) throws(DesktopError) {
    let rects = entry.undrawn.simplified(to: 8).rects
    if rects.isEmpty { return }
    if !entry.isMapped { server.show(entry.overlay) }
    entry.isMapped = true
    let lower = panes(below: entry)
    var drawing = Duration.zero
    let start = clock()
    let isPresented = try server.present(entry.overlay, rects) { [clock] rect, pixels, layout in
      let before = clock()
      entry.draw(rect, over: lower, into: &pixels, layout)
      drawing += clock() - before
    }
    guard isPresented else {
      entry.isWaiting = true
      return
    }
    entry.undrawn = Region()
    entry.frames += 1
    statistics.frames += 1
    statistics.drawing += drawing
    statistics.presenting += clock() - start - drawing
  }

  /// What lies below a pane and can be seen beside its glass, the lowest first.
  private func panes(below entry: ShownPane) -> [ShownPane] {
    guard entry.surround != nil else { return [] }
    return shown.prefix { $0 !== entry }.filter {
      $0.isDrawable && $0.layout.bounds.intersects(entry.layout.bounds)
    }
  }
}

extension ShownPane {
  /// Draws a part of the pane as its window shows it: where nobody blends it, over the backdrop and over
  /// other panes.
  fileprivate func draw(
    _ target: Rect, over lower: [ShownPane], into pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    draw(target, into: &pixels, layout)
    surround?.forEachPart(of: target) { part, backdrop, from in
      // What lies below glass that fills the part is not drawn.
      let lowest = lower.lastIndex { $0.layout.covers(part) } ?? 0
      let panes = lower[lowest...].filter { $0.layout.bounds.intersects(part) }
      if panes.isEmpty {
        compose(part, of: &pixels, layout, over: backdrop, from)
      } else {
        let (below, packed) = picture(of: panes, part, over: backdrop, from)
        compose(part, of: &pixels, layout, over: below.pixels.span, packed)
      }
    }
  }
}

/// A part of the screen with panes on it.
private func picture(
  of panes: [ShownPane], _ target: Rect, over backdrop: Span<UInt32>, _ from: PixelLayout
) -> (Bitmap, PixelLayout) {
  let layout = PixelLayout(target)
  var picture = Bitmap(target, of: backdrop, from)
  for pane in panes {
    let part = pane.layout.bounds.intersection(target)
    var own = picture
    var pixels = own.pixels.mutableSpan
    pane.draw(part, into: &pixels, layout)
    compose(part, of: &pixels, layout, over: picture.pixels.span, layout)
    picture = own
  }
  return (picture, layout)
}
