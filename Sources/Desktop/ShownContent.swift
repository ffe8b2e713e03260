import Frost
import Panes
import Raster

/// What a pane holds, as it is now.
struct ShownContent {
  private let contents: Contents
  /// Of each group, once it is known.
  private var polarities: [Polarity?]

  /// On a pane of a size.
  init(_ contents: [PaneContent], on size: (width: Int, height: Int)) {
    self.contents = Contents(contents.map { $0.placed(on: size) })
    polarities = Array(repeating: nil, count: self.contents.groupCount)
  }

  /// All pixels that it may change.
  func region(of pane: Rect) -> Region {
    var region = Region()
    for group in polarities.indices { region.form(union: contents.region(of: group, on: pane)) }
    return region
  }

  /// Has vibrant content follow its glass, which has changed in a region. Returns what is to be drawn
  /// anew beside that: what has turned from light to dark, or back.
  mutating func follow(_ glass: borrowing Glass, in changed: Region, of pane: Rect) -> Region {
    var turned = Region()
    for group in polarities.indices {
      let region = contents.region(of: group, on: pane)
      let last = polarities[group]
      if last != nil, region.intersection(changed).isEmpty { continue }
      let polarity = contents.polarity(of: group, of: pane, on: glass, last: last)
      if polarity != last { turned.form(union: region) }
      polarities[group] = polarity
    }
    return turned
  }

  /// Draws the part `target` over glass that has just been drawn; it is there by a share of 0 to 1.
  func draw(
    _ target: Rect, of pane: Rect, presence: Double, over pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    contents.draw(
      target, of: pane, polarities.map { $0 ?? .light }, presence: presence, over: &pixels, layout)
  }
}
