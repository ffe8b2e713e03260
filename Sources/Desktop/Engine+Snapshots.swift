package import Raster

/// Pictures of panes, for whoever asks.
extension Engine where Server: ~Copyable {
  /// The backdrop of a shown pane, read anew.
  package mutating func captureBackdrop(of name: String) throws(EngineError) -> Bitmap {
    let rect = try visibleRect(of: name)
    var picture = Bitmap(width: rect.width, height: rect.height)
    try attempt { server throws(DesktopError) in
      try server.capture([rect]) { _, pixels, layout in
        for y in rect.rows {
          for x in rect.columns {
            picture[x - rect.x, y - rect.y] = pixels[layout.index(x: x, y: y)] | 0xff00_0000
          }
        }
      }
    }
    return picture
  }

  /// What a shown pane shows.
  package func picture(of name: String) throws(EngineError) -> Bitmap {
    let entry = try find(name)
    let rect = try visibleRect(of: name)
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
