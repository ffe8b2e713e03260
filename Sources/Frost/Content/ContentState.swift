package import Raster

/// The content of a pane, and what depends on the glass below it: the polarity and the veil.
package struct ContentState: Sendable {
  private let contents: Contents
  /// Nil until `follow` has determined it.
  private var polarity: Polarity?
  private(set) var veil: Veil
  /// Whether the next polarity does not depend on the present one.
  private var isRestarting = false

  package init(_ contents: Contents) {
    self.contents = contents
    veil = Veil(below: contents.texts.map(\.area))
  }

  /// Whether it draws nothing anywhere.
  var isEmpty: Bool { contents.isEmpty }

  /// All pixels of a pane that the content may change, in the coordinates of `pane`.
  package func region(of pane: Rect) -> Region {
    contents.region(on: pane).union(Region(veil.reachable.translated(x: pane.x, y: pane.y)))
      .intersection(pane)
  }

  /// Lets the next call of `follow` determine the polarity from the glass alone.
  mutating func restart() { isRestarting = true }

  /// Updates the polarity and the veil after the glass changed in a region. Returns the pixels that must be
  /// redrawn in addition to that region.
  package mutating func follow(
    _ glass: borrowing Glass, changedIn changed: Region, of pane: Rect
  ) -> Region {
    var next = polarity
    if polarity == nil || isRestarting || contents.dependsOn(changed, pane) {
      next = contents.polarity(of: pane, on: glass, last: isRestarting ? nil : polarity)
    }
    isRestarting = false
    return adapt(to: next ?? .light, glass, changedIn: changed, of: pane)
  }

  /// Sets the polarity, and updates the veil. The rest is as in `follow`.
  mutating func adapt(
    to polarity: Polarity, _ glass: borrowing Glass, changedIn changed: Region, of pane: Rect
  ) -> Region {
    let isSame = self.polarity == polarity
    self.polarity = polarity
    updateNeeds(glass, changedIn: isSame ? changed : Region(glass.pane), of: pane)
    let veiled = veil.update()
    return isSame ? Region(veiled.translated(x: pane.x, y: pane.y)) : region(of: pane)
  }

  /// Updates what blocks of the veil need if one of their pixels below a text has changed.
  private mutating func updateNeeds(
    _ glass: borrowing Glass, changedIn changed: Region, of pane: Rect
  ) {
    var blocks = Region()
    for text in contents.texts {
      for rect in changed.intersection(text.area.translated(x: pane.x, y: pane.y)).rects {
        blocks.form(union: Veil.blocks(around: rect.translated(x: -pane.x, y: -pane.y)))
      }
    }
    for part in blocks.rects {
      veil.clearNeeds(of: part)
      for text in contents.texts {
        let area = text.area.intersection(Veil.pixels(of: part))
          .translated(x: pane.x, y: pane.y).intersection(glass.pane)
        // Some rows at a time, because a text may be as large as a screen.
        for y in stride(from: area.y, to: area.maxY, by: 64) {
          let rows = y..<min(y + 64, area.maxY)
          raiseNeeds(of: Rect(area.columns, rows), for: text.ink, on: glass, pane)
        }
      }
    }
  }

  private mutating func raiseNeeds(
    of area: Rect, for ink: Ink, on glass: borrowing Glass, _ pane: Rect
  ) {
    let (layout, polarity) = (PixelLayout(area), polarity ?? .light)
    var ground = Bitmap(width: area.width, height: area.height)
    var pixels = ground.pixels.mutableSpan
    glass.draw(area, into: &pixels, layout, threads: 1)
    contents.drawGround(area, of: pane, polarity, over: &pixels, layout)
    veil.raiseNeeds(
      of: area.translated(x: -pane.x, y: -pane.y), pixels.span, for: ink, polarity)
  }

  /// Draws the part `target` of the content over glass: premultiplied BGRA. `layout` must cover the part of
  /// `target` in the pane.
  package func draw(
    _ target: Rect, of pane: Rect, over pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    let polarity = polarity ?? .light
    veil.draw(target, of: pane, polarity, over: &pixels, layout)
    contents.draw(target, of: pane, polarity, below: veil, over: &pixels, layout)
  }
}
