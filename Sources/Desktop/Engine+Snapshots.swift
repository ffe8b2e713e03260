package import Raster

/// Pictures of panes, for whoever asks.
extension Engine where Server: ~Copyable {
  /// The backdrop of a shown pane, read anew: all of it, or an error.
  package mutating func captureBackdrop(of name: String) throws(EngineError) -> Bitmap {
    let rect = try visibleRect(of: name)
    let sight = try find(name).pane.sees
    var picture = Bitmap(width: rect.width, height: rect.height)
    var isRead = false
    try attempt { server throws(DesktopError) in
      try server.capture([rect], seeing: sight) { _, pixels, layout in
        isRead = true
        for y in rect.rows {
          for x in rect.columns {
            picture[x - rect.x, y - rect.y] = pixels[layout.index(x: x, y: y)] | 0xff00_0000
          }
        }
      }
    }
    guard isRead else { throw .unreadable(name) }
    return picture
  }

  /// What a shown pane shows, or is about to show for the first time.
  package mutating func picture(of name: String) throws(EngineError) -> Bitmap {
    let entry = try find(name)
    let rect = try visibleRect(of: name)
    if entry.isBlank {
      do { try absorb(entry) } catch { throw .desktop(error) }
    }
    if entry.isBlank { throw .unreadable(name) }
    var picture = Bitmap(width: rect.width, height: rect.height)
    var pixels = picture.pixels.mutableSpan
    entry.glass?.draw(rect, into: &pixels, PixelLayout(rect))
    return picture
  }

  private func visibleRect(of name: String) throws(EngineError) -> Rect {
    let entry = try find(name)
    guard entry.pane.isShown else { throw .pane(.hidden(name)) }
    return try rectOnScreen(of: entry.pane)
  }
}
