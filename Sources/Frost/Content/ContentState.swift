package import Raster

/// The content of a pane and the current polarity of each of its groups, which depends on the
/// glass.
package struct ContentState: Sendable {
  private let contents: Contents
  /// The polarity of each group; nil until `follow` has determined it.
  private var polarities: [Polarity?]
  /// Whether the next polarities do not depend on the present ones.
  private var isRestarting = false

  package init(_ contents: Contents) {
    self.contents = contents
    polarities = Array(repeating: nil, count: contents.groupCount)
  }

  /// Whether it draws nothing anywhere.
  var isEmpty: Bool { polarities.isEmpty }

  /// All pixels of a pane that the content may change, in the coordinates of `pane`.
  package func region(of pane: Rect) -> Region {
    var region = Region()
    for group in polarities.indices { region.form(union: contents.region(of: group, on: pane)) }
    return region
  }

  /// Lets the next call of `follow` determine all polarities from the glass alone.
  mutating func restart() { isRestarting = true }

  /// Updates the polarities after the glass changed in a region. Returns the pixels that must be
  /// redrawn in addition to that region: those of the groups whose polarity changed.
  package mutating func follow(
    _ glass: borrowing Glass, changedIn changed: Region, of pane: Rect
  ) -> Region {
    var flipped = Region()
    for group in polarities.indices {
      let region = contents.region(of: group, on: pane)
      let last = polarities[group]
      if last != nil, !isRestarting, region.intersection(changed).isEmpty { continue }
      let polarity = contents.polarity(
        of: group, of: pane, on: glass, last: isRestarting ? nil : last)
      if polarity != last { flipped.form(union: region) }
      polarities[group] = polarity
    }
    isRestarting = false
    return flipped
  }

  /// Draws the part `target` of the content over glass: premultiplied BGRA. `layout` must cover the part of
  /// `target` in the pane.
  package func draw(
    _ target: Rect, of pane: Rect, over pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    contents.draw(
      target, of: pane, polarities.map { $0 ?? .light }, over: &pixels, layout)
  }
}
