package import Raster

/// All content items of a pane, the lowest first.
package struct Contents: Sendable {
  private let items: [Content]
  /// The group of each item. Vibrant items whose halos intersect form one group, because halos of
  /// opposite polarity would reduce each other's contrast.
  private let groupOfItem: [Int]
  /// The number of groups; they are numbered from 0.
  package let groupCount: Int

  /// The lowest item is the first.
  package init(_ items: [Content]) {
    self.items = items
    var groups = Array(items.indices)
    for (i, item) in items.enumerated() where item.isVibrant {
      for j in 0..<i where items[j].isVibrant && item.extent.intersects(items[j].extent) {
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

  /// All pixels of a pane that a group may change, in the coordinates of `pane`.
  package func region(of group: Int, on pane: Rect) -> Region {
    Region(items(of: group).map { $0.bounds(of: pane) })
  }

  /// The polarity with which a group contrasts with the current glass, which may cover a part of
  /// the pane. `last` is the previous result, nil for the first time. Returns `last`, or light, if
  /// the group has no vibrant item or none of it is over the glass.
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

  /// Draws the part `target` of the content over glass that was just drawn: premultiplied BGRA; all
  /// rectangles are in the coordinates of the output. `polarities` holds one for each group.
  ///
  /// The halos of all texts are drawn before any text. Otherwise the halo of a line would cover
  /// letters of the line before it, or an icon. A shape counts as glass for the items above it, so
  /// their halos are drawn after the shape.
  package func draw(
    _ target: Rect, of pane: Rect, _ polarities: [Polarity], over pixels: inout MutableSpan<UInt32>,
    _ layout: PixelLayout
  ) {
    precondition(polarities.count == groupCount)
    var rest = items.indices
    while !rest.isEmpty {
      let run = rest.prefix { !items[$0].isShape }
      for i in run {
        items[i].drawHalo(
          target, of: pane, polarities[groupOfItem[i]], over: &pixels, layout)
      }
      // Includes the shape that ended the run.
      let drawn = rest.prefix(run.count + 1)
      for i in drawn {
        items[i].drawBody(
          target, of: pane, polarities[groupOfItem[i]], over: &pixels, layout)
      }
      rest = rest.dropFirst(drawn.count)
    }
  }
}

extension Content {
  /// All pixels that it may change, from the pane's top left corner.
  fileprivate var extent: Rect { box.isEmpty ? .zero : box.grown(by: reach) }
}
