package import Raster

/// What a test has happen, and what it looks at.
extension HeadlessDesktop {
  /// The overlay of a pane; nil when there is none.
  package func overlay(named name: String) -> Overlay? {
    windows.values.first { $0.name == name }
  }

  package var overlayCount: Int { windows.count }

  /// Draws in a part of the backdrop, and reports what of it is watched.
  package func draw(_ rect: Rect, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    var picture = nextBackdrop ?? backdrop
    for y in rect.intersection(picture.bounds).rows {
      for x in rect.intersection(picture.bounds).columns { picture[x, y] = pixel(x, y) }
    }
    if nextBackdrop == nil { backdrop = picture } else { nextBackdrop = picture }
    damage(rect)
  }

  /// Reports that a part was drawn.
  package func damage(_ rect: Rect) {
    let seen = watched.intersection(rect)
    if !seen.isEmpty { events.append(.damaged(seen)) }
  }

  /// Reports that a new wallpaper comes.
  package func announce(_ rect: Rect) { events.append(.wallpaperChanged(Region(rect))) }

  /// Changes a part without a word: what an announcement was about.
  package func drawSilently(_ rect: Rect, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    let before = events
    draw(rect, pixel)
    events = before
  }

  /// An overlay loses what it showed in a part of the screen.
  package func expose(_ name: String, _ rect: Rect) {
    for (id, window) in windows where window.name == name {
      let lost = rect.intersection(window.rect)
      if lost.isEmpty { continue }
      for y in lost.rows {
        for x in lost.columns {
          windows[id]?.picture[x - window.rect.x, y - window.rect.y] = Self.garbage
        }
      }
      events.append(.exposed(id, lost))
    }
  }

  /// The server has read all buffers.
  package func releaseBuffers() {
    for id in windows.keys where windows[id]?.busyBuffers != 0 {
      windows[id]?.busyBuffers = 0
      events.append(.released(id))
    }
  }

  /// A compositor comes or goes.
  package func setBlending(_ blendsAlpha: Bool) {
    if blendsAlpha == self.blendsAlpha { return }
    self.blendsAlpha = blendsAlpha
    events.append(.blendingChanged)
  }

  /// The screen becomes another one.
  package func resize(to backdrop: Bitmap) {
    precondition(!backdrop.bounds.isEmpty)
    nextBackdrop = backdrop
    events.append(.resized)
  }
}
