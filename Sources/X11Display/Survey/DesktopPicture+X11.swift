package import Engine
import Panes
import Raster

extension DesktopPicture {
  /// Reads the screen of an X server, as it is seen with and without a compositor, and waits for it. Needs no extension, so it
  /// works where the daemon does not. Calls `recordStep` after each wait that a slow network makes long. Throws `unreachable`,
  /// `unsupported` or `lost`.
  package init(ofServer display: String, recordStep: () -> Void) throws(DisplayError) {
    var x = try XConnection(display: display, needs: [])
    let (width, height) = x.screen.initialSize
    var sources = OutputSources(bounds: Rect(x: 0, y: 0, width: width, height: height))
    sources.monitors = try x.monitors()
    var parts: [Part] = []
    for output in sources.outputs {
      parts.append(Part(output, try x.picture(of: output.bounds, recordStep)))
    }
    self.init(parts, screen: sources.bounds)
  }
}

extension XConnection {
  /// The monitors of the screen; none if the server has no RandR. Waits for the server.
  fileprivate mutating func monitors() throws(DisplayError) -> [Monitor] {
    var search = MonitorSearch(isPossible: extensions.randr != nil)
    send(search.start())
    while search.isSearching {
      try roundTrip()
      var reads = true
      while let item = try nextItem(reads: &reads) {
        if case .reply(.randr(let reply)) = item { send(search.apply(reply).requests) }
      }
    }
    return search.monitors
  }

  /// The pixels of a part of the screen. Throws `lost`.
  fileprivate mutating func picture(
    of rect: Rect, _ recordStep: () -> Void
  ) throws(DisplayError) -> Bitmap {
    var picture = Bitmap(width: rect.width, height: rect.height)
    // Bands have at most a quarter of a megapixel, so that a reply is short and comes in time through a slow network.
    let rowCount = max(1, (1 << 18) / rect.width)
    for top in stride(from: 0, to: rect.height, by: rowCount) {
      let band = Rect(
        x: rect.x, y: rect.y + top, width: rect.width, height: min(rowCount, rect.height - top))
      guard var image = image(of: root, band) else {
        try check()
        throw .lost("the screen has changed while it was read; try again")
      }
      var span = image.words.mutableSpan
      screen.rootFormat.expand(&span, width: band.width, height: band.height)
      picture.pixels.replaceSubrange(
        top * rect.width..<(top + band.height) * rect.width, with: image.words.prefix(band.area))
      recordStep()
    }
    return picture
  }
}
