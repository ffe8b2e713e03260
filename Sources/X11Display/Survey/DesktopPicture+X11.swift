package import Engine
import Panes
import Raster

extension DesktopPicture {
  /// Reads the screen of an X server, as it is seen with and without a compositor, and waits for it. Throws `unreachable`,
  /// `unsupported` or `lost`.
  package init(ofServer display: String) throws(DisplayError) {
    let connection = try DisplayConnection(to: display)
    var opened = try X11Display.openUnserved(connection, toolkitScale: nil)
    let screen = opened.screen.bounds
    var parts: [Part] = []
    for output in opened.outputs where !output.bounds.intersection(screen).isEmpty {
      parts.append(Part(output, try opened.picture(of: output.bounds)))
    }
    self.init(parts)
  }
}

extension X11Display {
  /// The pixels of a part of the screen. Throws `lost`.
  fileprivate mutating func picture(of rect: Rect) throws(DisplayError) -> Bitmap {
    var picture = Bitmap(width: rect.width, height: rect.height)
    // Of a megapixel at most, so that a reply is never very long.
    let rowCount = max(1, (1 << 20) / rect.width)
    for top in stride(from: 0, to: rect.height, by: rowCount) {
      let band = Rect(
        x: rect.x, y: rect.y + top, width: rect.width, height: min(rowCount, rect.height - top))
      guard var image = x.image(of: x.root, band) else {
        try x.check()
        throw .lost("the screen has changed while it was read; try again")
      }
      var span = image.words.mutableSpan
      x.screen.rootFormat.expand(&span, width: band.width, height: band.height)
      picture.pixels.replaceSubrange(
        top * rect.width..<(top + band.height) * rect.width, with: image.words.prefix(band.area))
    }
    return picture
  }
}
