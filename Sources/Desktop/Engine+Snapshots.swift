package import Raster

/// Pictures of panes, for whoever asks.
extension Engine where Server: ~Copyable {
  /// The backdrop of a shown pane, read anew: all of it, or an error.
  package mutating func captureBackdrop(of name: String) throws(EngineError) -> Bitmap {
    let rect = try visibleRect(of: name)
    let sight = try find(name).pane.sees
    var picture: Bitmap?
    try attempt { server throws(DesktopError) in
      try server.capture([rect], seeing: sight) { _, pixels, layout in
        picture = Bitmap(rect, of: pixels, layout)
      }
    }
    guard var picture else { throw .unreadable(name) }
    for i in picture.pixels.indices { picture.pixels[i] |= 0xff00_0000 }
    return picture
  }

  /// What a shown pane shows, or is about to show for the first time, and what is drawn around it:
  /// premultiplied BGRA, not blended with anything.
  package mutating func picture(of name: String) throws(EngineError) -> Bitmap {
    let entry = try find(name)
    _ = try visibleRect(of: name)
    if entry.isBlank {
      do { try absorb(entry) } catch { throw .desktop(error) }
    }
    if entry.isBlank { throw .unreadable(name) }
    let bounds = entry.layout.bounds
    var picture = Bitmap(width: bounds.width, height: bounds.height)
    var pixels = picture.pixels.mutableSpan
    entry.draw(bounds, into: &pixels, PixelLayout(bounds))
    return picture
  }

  private func visibleRect(of name: String) throws(EngineError) -> Rect {
    let entry = try find(name)
    guard entry.pane.isShown else { throw .pane(.hidden(name)) }
    return try rectOnScreen(of: entry.pane)
  }
}
