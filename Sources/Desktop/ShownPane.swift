import Frost
import Panes
import Raster

/// A pane and what the engine keeps for it. One object a pane, of which only the engine knows.
final class ShownPane {
  var pane: Pane
  var layout: PaneLayout
  /// How it looks now: as its pane in the end does, or on the way there.
  private(set) var look: Look
  var fade: FadingLook?
  /// Nil while it is hidden or off the screen: nothing is captured or kept then.
  var glass: Glass?
  /// The layout's, faded.
  private var outline: Outline
  private var content: ShownContent
  /// Nil where the outline is blended by others, or nothing shows through it.
  var surround: Surround?
  let overlay: OverlayID
  /// As the overlay has it.
  var shape: OverlayShape
  /// Where the backdrop changed since it was last captured: as the glass sees it, and as the surround
  /// does. Screen coordinates.
  var damage = Region()
  var bareDamage = Region()
  /// What has changed but is not presented yet.
  var undrawn = Region()
  /// Whether no backdrop has come through the glass yet: there is nothing to draw.
  var isBlank = true
  /// Mapped only once there is something to see.
  var isMapped = false
  /// Whether the server still reads the last frame's pixels.
  var isWaiting = false
  var frames = 0

  /// Whether a frame would change something.
  var isDue: Bool {
    !isWaiting && !(damage.isEmpty && bareDamage.isEmpty && undrawn.isEmpty)
  }
  /// Whether it is wanted on the screen, or on its way off it.
  var isVisible: Bool { pane.isShown || fade?.hides == true }
  /// Whether all is known that it takes to draw it.
  var isDrawable: Bool { glass != nil && !isBlank && surround?.missing.isEmpty != false }

  init(_ pane: Pane, _ layout: PaneLayout, overlay: OverlayID) {
    self.pane = pane
    self.layout = layout
    self.overlay = overlay
    look = Look(of: pane)
    outline = layout.outline
    content = ShownContent(pane.contents, on: pane.placement.size)
    shape = layout.shape
  }

  /// What it shows of the windows: nothing else is to be watched.
  var sightOfWindows: Region {
    var region = surround?.region ?? Region()
    if pane.sees == .windows, let sight = glass?.sight { region.form(union: sight) }
    return region
  }

  /// Adds damage, as far as it can be seen through the pane or beside it.
  func note(damage region: Region, seenBy sights: [Sight]) {
    if sights.contains(pane.sees), let sight = glass?.sight {
      damage.add(region.intersection(sight))
    }
    if sights.contains(.windows), let surround {
      bareDamage.add(region.intersection(surround.region))
    }
  }

  // MARK: Changes

  /// There is nothing to see any more, and nothing to do.
  func discardGlass() {
    glass = nil
    surround = nil
    damage = Region()
    bareDamage = Region()
    undrawn = Region()
    isBlank = true
  }

  /// Takes another look, on a stage: the same glass where it can stay. Returns whether it could not.
  func take(_ new: Look, on stage: Stage) -> Bool {
    if new == look, glass != nil { return false }
    let isSameGlass = new.material.sigma == look.material.sigma && glass != nil
    let isSameOutline = new.presence == look.presence
    look = new
    guard isSameGlass else {
      prepare(for: stage)
      return true
    }
    glass?.setMaterial(new.material)
    settle()
    if !isSameOutline { takeOutline() }
    return false
  }

  private func takeOutline() {
    outline = layout.outline.faded(to: look.presence)
    undrawn.form(union: layout.bounds)
  }

  /// Makes the glass anew for a stage, or none. Everything is to be captured.
  func prepare(for stage: Stage) {
    discardGlass()
    guard isVisible, !layout.rect.isEmpty else { return }
    let fresh = Glass(pane: layout.rect, screen: stage.screen, material: look.material)
    damage = Region(fresh.sight)
    glass = consume fresh
    frameGlass(on: stage)
  }

  /// Puts another outline, or one that is blended in another way, around the same glass.
  func frameGlass(on stage: Stage) {
    surround = layout.surround(on: stage)
    bareDamage = surround?.region ?? Region()
    takeOutline()
  }

  /// Brings glass and content up to date with what was absorbed.
  func settle() {
    guard let changed = glass?.settle() else { return }
    undrawn.form(union: changed)
    followGlass(in: changed)
  }

  private func followGlass(in region: Region) {
    switch glass {
    case .some(let glass):
      let turned = content.follow(glass, in: region, of: layout.frame)
      undrawn.form(union: turned.intersection(layout.rect))
    case .none: break
    }
  }

  /// Puts other content on the same glass.
  func takeContent() {
    let old = content
    content = ShownContent(pane.contents, on: pane.placement.size)
    if glass == nil { return }
    for one in [old, content] {
      undrawn.form(union: one.region(of: layout.frame).intersection(layout.rect))
    }
    if !isBlank { followGlass(in: Region()) }
  }

  // MARK: Pictures

  /// Draws a part of the pane, and what is drawn around it: premultiplied BGRA, not blended with
  /// anything. All in screen coordinates.
  func draw(_ target: Rect, into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout) {
    let target = target.intersection(self.layout.bounds)
    glass?.draw(target, into: &pixels, layout)
    content.draw(
      target.intersection(self.layout.rect), of: self.layout.frame, presence: look.presence,
      over: &pixels, layout)
    outline.finish(target, of: self.layout.frame, in: &pixels, layout)
  }
}

extension Region {
  /// Adds damage. A client that draws a thousand specks has drawn one area.
  fileprivate mutating func add(_ other: Region) {
    form(union: other)
    if rects.count > 32 { self = simplified(to: 8) }
  }
}
