package import Raster

/// All that lies on a pane, the first of it lowest.
package struct Contents: Sendable {
  private let items: [Content]
  /// To which group each item belongs. Vibrant items whose halos meet are one: two that contrast with the
  /// glass in opposite ways would spoil each other's.
  private let groupOfItem: [Int]
  package let groupCount: Int

  package init(_ items: [Content]) {
    self.items = items
    var groups = Array(items.indices)
    for (i, item) in items.enumerated() where item.isVibrant {
      for j in 0..<i where items[j].isVibrant && item.reached.intersects(items[j].reached) {
        let (old, new) = (groups[i], groups[j])
        for k in groups.indices where groups[k] == old { groups[k] = new }
      }
    }
    let names = groups.enumerated().filter { $0.offset == $0.element }.map(\.element)
    groupCount = names.count
    groupOfItem = groups.map { name in names.firstIndex(of: name) ?? 0 }
  }

  private func items(of group: Int) -> [Content] {
    zip(items, groupOfItem).filter { $0.1 == group }.map(\.0)
  }

  /// All pixels of a pane that a group may change; in screen coordinates.
  package func region(of group: Int, on pane: Rect) -> Region {
    Region(items(of: group).map { $0.bounds(of: pane) })
  }

  /// Which way a group must contrast with the glass as it is now, which may be a part of the pane; `last`
  /// is what it was before, nil for the first time. Where nothing of it lies on the glass, and where all
  /// of it is plain, that does not matter.
  package func polarity(
    of group: Int, of pane: Rect, on glass: borrowing Glass, last: Polarity?
  ) -> Polarity {
    var (sum, area) = (0.0, 0)
    for item in items(of: group) where item.isVibrant {
      let covered = item.box.translated(x: pane.x, y: pane.y).intersection(glass.pane)
      if covered.isEmpty { continue }
      sum += glass.meanLuminance(of: covered) * Double(covered.area)
      area += covered.area
    }
    if area == 0 { return last ?? .light }
    return Polarity(onLuminance: sum / Double(area), last: last)
  }

  /// Draws the part `target` of it over glass that has just been drawn: premultiplied BGRA, all in screen
  /// coordinates. `polarities` are those of the groups; all of it is there by a share of 0 to 1.
  ///
  /// The glass gives way to all text before any of it is drawn: else the halo of a line would reach over
  /// the letters of the line before, or over an icon. A shape changes the glass, so what comes after it
  /// has its halos upon it.
  package func draw(
    _ target: Rect, of pane: Rect, _ polarities: [Polarity], presence: Double = 1,
    over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
  ) {
    precondition(polarities.count == groupCount)
    let presence = Weight.rounded(presence)
    var rest = items.indices
    while !rest.isEmpty {
      let run = rest.prefix { !items[$0].isShape }
      for i in run {
        items[i].drawHalo(
          target, of: pane, polarities[groupOfItem[i]], presence: presence, over: &pixels, layout)
      }
      // With the shape that ended the run.
      let drawn = rest.prefix(run.count + 1)
      for i in drawn {
        items[i].drawArt(
          target, of: pane, polarities[groupOfItem[i]], presence: presence, over: &pixels, layout)
      }
      rest = rest.dropFirst(drawn.count)
    }
  }
}

extension Content {
  /// All that it may change, from the pane's top left.
  fileprivate var reached: Rect { box.isEmpty ? .zero : box.grown(by: reach) }
}
